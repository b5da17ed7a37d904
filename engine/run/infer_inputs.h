// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a trained design is applied to, as a source with a field for each of its inputs: arrays, and
// films as the design's own source has its frames, with what else that feeds the design.

#include "data/source.h"
#include "run/example_file.h"
#include "run/registry.h"
#include <weft/infer.h>

#include <vector>

namespace weft {

/// Error{usage} naming the inputs where one has nothing to be fed with.
[[nodiscard]] SourcePointer openInputs(const InferenceRequest& request,
                                       const std::vector<ExampleForm>& forms,
                                       const Registry& registry);

} // namespace weft
