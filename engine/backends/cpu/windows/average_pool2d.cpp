// SPDX-License-Identifier: Apache-2.0
// y = the sum of each window divided by its count; dx adds dy / count to each position of the
// window. The count is that of the window in the whole map, with or without padding.
#include "backends/cpu/elementwise.h"
#include "device/pooling.h"

#include <vector>

namespace weft::cpu {

void average_pool2d(KernelList& list);

namespace {

/// 1 / count of each window along one side of the whole map; a window's count is the product over
/// both sides.
std::vector<float> countsOf(const KernelRequest& request, const TensorPart& map,
                            const TensorPart& windowed, std::size_t side) {
    const auto number = [&](const char* name, std::size_t k) {
        const auto numbers = request.attributes.integers(name);
        return numbers[std::min(k, numbers.size() - 1)];
    };
    const bool countsPadding = request.attributes.boolean("count_include_pad");
    const std::int64_t kernel = number("kernel", side);
    const std::int64_t stride = number("stride", side);
    const std::int64_t before = number("padding", side);
    const std::int64_t after = number("padding", side + 2);
    const std::int64_t whole = map.whole.empty() ? map.shape[side + 2] : map.whole[side + 2];
    const std::int64_t begin = windowed.begin.empty() ? 0 : windowed.begin[side + 2];
    std::vector<float> counts;
    for (std::int64_t k = 0; k < windowed.shape[side + 2]; ++k) {
        const std::int64_t first = (begin + k) * stride - before;
        const std::int64_t end = first + kernel;
        const std::int64_t count = countsPadding
                                       ? std::min(end, whole + after) - first
                                       : std::min(end, whole) - std::max<std::int64_t>(first, 0);
        counts.push_back(1.0F / static_cast<float>(count));
    }
    return counts;
}

struct Average {
    Pool pool;
    std::vector<float> ofRow, ofColumn;
    Format format;
    int cores = 1;
};

inline void __attribute__((always_inline))
write(float* to, const float* from, float factor, std::int64_t count) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * factor;
    }
}

inline void __attribute__((always_inline))
add(float* to, const float* from, float factor, std::int64_t count) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] += from[i] * factor;
    }
}

/// One row of windows, with `depth` contiguous numbers per position.
inline void __attribute__((always_inline))
averageRow(const Average& with, std::int64_t depth, const float* x, std::int64_t windowRow,
           float* y) {
    const Pool& p = with.pool;
    const Taps rows = p.tapsOfRow(windowRow);
    const float ofRow = with.ofRow[static_cast<std::size_t>(windowRow)];
    for (std::int64_t window = 0; window < p.windowColumns; ++window) {
        const Taps columns = p.tapsOfColumn(window);
        const float factor = ofRow * with.ofColumn[static_cast<std::size_t>(window)];
        float* const to = y + window * depth;
        bool isFirst = true;
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            for (std::int64_t column = columns.begin; column < columns.end; ++column) {
                const float* const from = x + (row * p.mapColumns + column) * depth;
                isFirst ? write(to, from, factor, depth) : add(to, from, factor, depth);
                isFirst = false;
            }
        }
        if (isFirst) {
            std::fill_n(to, depth, 0.0F);
        }
    }
}

/// One row of the map: sums the shares of all windows that cover each position.
inline void __attribute__((always_inline))
gradientRow(const Average& with, std::int64_t depth, const float* dy, std::int64_t row, float* dx) {
    const Pool& p = with.pool;
    const Taps rows = p.windowsOverRow(row);
    for (std::int64_t column = 0; column < p.mapColumns; ++column) {
        const Taps columns = p.windowsOverColumn(column);
        float* const to = dx + column * depth;
        bool isFirst = true;
        for (std::int64_t r = rows.begin; r < rows.end; ++r) {
            for (std::int64_t c = columns.begin; c < columns.end; ++c) {
                const float factor = with.ofRow[static_cast<std::size_t>(r)] *
                                     with.ofColumn[static_cast<std::size_t>(c)];
                const float* const from = dy + (r * p.windowColumns + c) * depth;
                isFirst ? write(to, from, factor, depth) : add(to, from, factor, depth);
                isFirst = false;
            }
        }
        if (isFirst) {
            std::fill_n(to, depth, 0.0F);
        }
    }
}

std::optional<Average> averageOf(const KernelRequest& request, const TensorPart& map,
                                 const TensorPart& windowed) {
    const auto pool = poolOf(request, map, windowed);
    if (!pool) {
        return std::nullopt;
    }
    return Average{*pool, countsOf(request, map, windowed, 0), countsOf(request, map, windowed, 1),
                   mapFormat(request), request.cores};
}

/// Runs row(with, depth, source map, row, result row) over all rows of results.
template <bool isForward>
ChoiceOrRefusal choose(const KernelRequest& request) {
    const TensorPart& in = request.inputs[0];
    const TensorPart& out = request.outputs[0];
    const auto average = averageOf(request, isForward ? in : out, isForward ? out : in);
    if (!average) {
        return refuse("the local part of the input has rows before the first window");
    }
    const auto run = [with = *average](const KernelArguments& arguments) {
        const auto* const from = input<float>(arguments, 0);
        auto* const to = output<float>(arguments, 0);
        const Pool& p = with.pool;
        const bool isLast = with.format == channelsLast();
        const std::int64_t depth = isLast ? p.channels : 1;
        const std::int64_t maps = isLast ? p.batch : p.batch * p.channels;
        const std::int64_t rows = isForward ? p.windowRows : p.mapRows;
        const std::int64_t rowSize = (isForward ? p.windowColumns : p.mapColumns) * depth;
        const std::int64_t source =
            (isForward ? p.mapRows * p.mapColumns : p.windowRows * p.windowColumns) * depth;
        shareOut(with.cores, maps * rows, 1, p.elements(), [&](Range range) {
            vectorised([&]() __attribute__((always_inline)) {
                for (std::int64_t k = range.begin; k < range.end; ++k) {
                    const float* const map = from + k / rows * source;
                    if constexpr (isForward) {
                        averageRow(with, depth, map, k % rows, to + k * rowSize);
                    } else {
                        gradientRow(with, depth, map, k % rows, to + k * rowSize);
                    }
                }
            });
        });
    };
    return withFormats(request, choiceOf(run), {average->format}, {average->format});
}

} // namespace

void average_pool2d(KernelList& list) {
    list.add({"average_pool2d", "cpu", choose<true>});
    list.add({"average_pool2d_gradient", "cpu", choose<false>});
}

} // namespace weft::cpu
