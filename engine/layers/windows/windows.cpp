// SPDX-License-Identifier: Apache-2.0
#include "layers/windows/windows.h"

namespace weft::layers {

using List = std::vector<std::int64_t>;

AttributeSpec kernelSpec() {
    return {.name = "kernel",
            .defaultValue = List{3, 3},
            .help = "Kernel size: rows and columns of the window; one number for both.",
            .least = 1,
            .count = 2,
            .required = true};
}

AttributeSpec strideSpec(std::vector<std::int64_t> fallback) {
    const bool isOfKernel = fallback.empty();
    return {.name = "stride",
            .defaultValue = std::move(fallback),
            .help = isOfKernel ? "Stride in rows and columns; not given: the kernel size."
                               : "Stride in rows and columns; one number for both.",
            .least = 1,
            .count = 2};
}

AttributeSpec paddingSpec() {
    return {.name = "padding",
            .defaultValue = List{0, 0},
            .help = "Padding: rows above and below, columns left and right; one number for both.",
            .least = 0,
            .count = 2};
}

AttributeSpec ceilSpec() {
    return {.name = "ceil",
            .defaultValue = false,
            .help = "Round the output size up (ceil_mode): the last window may reach beyond the "
                    "edge. Otherwise a remainder at the edge is not read."};
}

List rowsAndColumns(const Attributes& attributes, std::string_view name) {
    List pair = attributes.integers(name);
    if (pair.size() == 1) {
        pair.push_back(pair.front());
    }
    return pair;
}

List evenPadding(const Attributes& attributes) {
    const List padding = rowsAndColumns(attributes, "padding");
    return {padding[0], padding[1], padding[0], padding[1]};
}

Attributes poolWindow(const Attributes& attributes) {
    const List kernel = rowsAndColumns(attributes, "kernel");
    const List stride = rowsAndColumns(attributes, "stride");
    return {{"kernel", kernel},
            {"stride", stride.empty() ? kernel : stride},
            {"padding", evenPadding(attributes)},
            {"ceil", attributes.boolean("ceil")}};
}

} // namespace weft::layers
