// SPDX-License-Identifier: Apache-2.0
#pragma once
// The promises that every design keeps, from whatever file or edits it came.

#include <weft/design.h>

#include <string>

namespace weft {

/// A sentence about the first promise that is broken; empty: the design is whole.
[[nodiscard]] std::string brokenPromise(const Design& design);

/// The same for a layer alone.
[[nodiscard]] std::string brokenPromise(const Layer& layer);

} // namespace weft
