// SPDX-License-Identifier: Apache-2.0
#include "device/window.h"

#include <algorithm>

namespace weft {

std::optional<Windows> windowsOf(const Attributes& attributes, const Shape& kernel,
                                 const TensorPart& map, const TensorPart& windowed) {
    Windows windows;
    windows.kernel = kernel;
    windows.stride = attributes.integers("stride");
    windows.dilation = attributes.has("dilation") ? attributes.integers("dilation") : Shape{1, 1};
    for (Shape* numbers : {&windows.kernel, &windows.stride, &windows.dilation}) {
        if (numbers->size() == 1) {
            numbers->push_back(numbers->front());
        }
    }
    const Shape padding = attributes.integers("padding"); // top, left, bottom, right
    for (std::size_t d = 0; d < 2; ++d) {
        const auto begin = [&](const TensorPart& part) {
            return part.begin.empty() ? 0 : part.begin[d + 2];
        };
        const std::int64_t first = begin(windowed) * windows.stride[d] - padding[d];
        const std::int64_t before = begin(map) - first;
        if (before < 0) {
            return std::nullopt;
        }
        const std::int64_t span = (windowed.shape[d + 2] - 1) * windows.stride[d] +
                                  (windows.kernel[d] - 1) * windows.dilation[d] + 1;
        windows.padBefore.push_back(before);
        windows.padAfter.push_back(std::max<std::int64_t>(0, span - before - map.shape[d + 2]));
        windows.mapBegin.push_back(begin(map));
        windows.mapWhole.push_back(map.whole.empty() ? map.shape[d + 2] : map.whole[d + 2]);
    }
    return windows;
}

} // namespace weft
