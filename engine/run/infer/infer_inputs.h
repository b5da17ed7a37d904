// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opens the inputs of inference as a source with one field per input of the design: arrays, films
// with the frames that the design's own source has, and whatever else feeds the design.

#include "compile/registry.h"
#include "data/source.h"
#include "run/infer/example_file.h"
#include <weft/infer.h>

#include <vector>

namespace weft {

/// Throws Error{usage} naming the inputs if one of them has no data.
[[nodiscard]] SourcePointer openInputs(const InferenceRequest& request,
                                       const std::vector<ExampleForm>& forms,
                                       const Registry& registry);

} // namespace weft
