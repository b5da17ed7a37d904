// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which input and output of an op or kernel may share a buffer.

#include <cstddef>

namespace weft {

/// Input `input` may share its buffer with output `output`: the kernel reads each element before it
/// writes that element.
struct InPlacePair {
    std::size_t input = 0;  ///< index of an operand whose buffer the output may use
    std::size_t output = 0; ///< index
    bool operator==(const InPlacePair&) const = default;
};

} // namespace weft
