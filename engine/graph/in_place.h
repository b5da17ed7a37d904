// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which input and output of an op or kernel may share a buffer.

#include <cstddef>

namespace weft {

/// Input `input` may share its buffer with output `output`: the kernel reads each element before it
/// writes that element.
struct InPlace {
    std::size_t input = 0;
    std::size_t output = 0;
    bool operator==(const InPlace&) const = default;
};

} // namespace weft
