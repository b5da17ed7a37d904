// SPDX-License-Identifier: Apache-2.0
#include "backends/reference/windows/windows.h"

namespace weft::reference {

Sides sidesOf(const Attributes& attributes) {
    Sides sides;
    // A list of two numbers, or of four for padding; a single number is used for all.
    const auto read = [&](const char* name, std::size_t k) {
        const auto list = attributes.integers(name);
        return list.size() == 1 ? list[0] : list[k];
    };
    for (const std::size_t side : {0U, 1U}) {
        if (attributes.has("kernel")) {
            sides[side].kernel = read("kernel", side);
        }
        sides[side].stride = read("stride", side);
        if (attributes.has("dilation")) {
            sides[side].dilation = read("dilation", side);
        }
        sides[side].before = read("padding", side);
        sides[side].after = read("padding", 2 + side);
    }
    return sides;
}

} // namespace weft::reference
