// SPDX-License-Identifier: Apache-2.0
// y = the largest x of each window, position = its index in the window (row * columns of the window
// + column; the first of equal numbers; NaN counts as largest); dx = dy at the positions. Loops run
// along the channels if maps are channels-last, else along a row of windows. Positions are u8, or
// i32 for windows with more than 256 elements.
#include "backends/cpu/elementwise.h"
#include "device/pooling.h"

#include <limits>

namespace weft::cpu {

void max_pool2d(KernelList& list);

namespace {

/// Updates the running maximum of all channels with one tap.
template <class Position>
inline void __attribute__((always_inline))
takeTap(const float* x, Position index, std::int64_t channels, float* y, Position* position) {
#pragma omp simd
    for (std::int64_t c = 0; c < channels; ++c) {
        const float value = x[c];
        const float best = y[c];
        const Position at = position[c];
        // Greater, or the first NaN: after that, no comparison is true.
        const bool isBetter = (value > best) | ((value != value) & (best == best));
        y[c] = isBetter ? value : best;
        position[c] = isBetter ? index : at;
    }
}

/// One row of windows of one picture, channels-last.
template <class Position>
inline void __attribute__((always_inline))
rowOfChannels(const Pool& p, const float* x, std::int64_t windowRow, float* y, Position* position) {
    const Taps rows = p.tapsOfRow(windowRow);
    for (std::int64_t window = 0; window < p.windowColumns; ++window) {
        const Taps columns = p.tapsOfColumn(window);
        float* const best = y + window * p.channels;
        Position* const at = position + window * p.channels;
        const auto place = [&](std::int64_t row, std::int64_t column) {
            return static_cast<Position>(p.indexInWindow(windowRow, window, row, column));
        };
        const std::int64_t first = rows.begin * p.mapColumns + columns.begin;
        std::copy_n(x + first * p.channels, p.channels, best);
        std::fill_n(at, p.channels, place(rows.begin, columns.begin));
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            const bool isFirst = row == rows.begin;
            for (std::int64_t column = columns.begin + (isFirst ? 1 : 0); column < columns.end;
                 ++column) {
                takeTap(x + (row * p.mapColumns + column) * p.channels, place(row, column),
                        p.channels, best, at);
            }
        }
    }
}

/// One row of windows of one plane.
template <class Position>
inline void __attribute__((always_inline))
rowOfPlane(const Pool& p, const float* x, std::int64_t windowRow, float* y, Position* position) {
    const Taps rows = p.tapsOfRow(windowRow);
    for (std::int64_t window = 0; window < p.windowColumns; ++window) {
        const Taps columns = p.tapsOfColumn(window);
        float best = -std::numeric_limits<float>::infinity();
        std::int64_t at = p.indexInWindow(windowRow, window, rows.begin, columns.begin);
        for (std::int64_t row = rows.begin; row < rows.end; row += rows.step) {
            for (std::int64_t column = columns.begin; column < columns.end;
                 column += columns.step) {
                const float value = x[row * p.mapColumns + column];
                const bool isBetter = !(value <= best) && best == best;
                best = isBetter ? value : best;
                at = isBetter ? p.indexInWindow(windowRow, window, row, column) : at;
            }
        }
        y[window] = best;
        position[window] = static_cast<Position>(at);
    }
}

template <class Position>
ChoiceOrRefusal chooseForwardOf(const KernelRequest& request) {
    const auto pool = poolOf(request, request.inputs[0], request.outputs[0]);
    if (!pool) {
        return refuse("the local part of the input has rows before the first window");
    }
    const Format format = mapFormat(request);
    const bool isLast = format == channelsLast();
    const int cores = request.cores;
    const Pool p = *pool;
    return withFormats(
        request, choiceOf([=](const KernelArguments& arguments) {
            const auto* const x = input<float>(arguments, 0);
            auto* const y = output<float>(arguments, 0);
            auto* const position = output<Position>(arguments, 1);
            // Cores share rows of windows: of pictures if channels-last, else of planes.
            const std::int64_t maps = isLast ? p.batch : p.batch * p.channels;
            const std::int64_t depth = isLast ? p.channels : 1;
            const std::int64_t mapSize = p.mapRows * p.mapColumns * depth;
            const std::int64_t rowSize = p.windowColumns * depth;
            shareOut(cores, maps * p.windowRows, 1, p.elements(), [=](Range range) {
                vectorised([=]() __attribute__((always_inline)) {
                    for (std::int64_t row = range.begin; row < range.end; ++row) {
                        const float* const map = x + row / p.windowRows * mapSize;
                        const std::int64_t to = row * rowSize;
                        if (isLast) {
                            rowOfChannels(p, map, row % p.windowRows, y + to, position + to);
                        } else {
                            rowOfPlane(p, map, row % p.windowRows, y + to, position + to);
                        }
                    }
                });
            });
        }),
        {format}, {format, format});
}

ChoiceOrRefusal chooseForward(const KernelRequest& request) {
    switch (request.outputs[1].dtype) {
    case DType::u8: return chooseForwardOf<std::uint8_t>(request);
    case DType::i32: return chooseForwardOf<std::int32_t>(request);
    default: return refuse("writes positions as u8 or i32 only");
    }
}

/// dy if the position matches, else 0.
template <class Position>
inline void __attribute__((always_inline))
writeChosen(float* to, const float* dy, const Position* position, Position chosen,
            std::int64_t count) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = position[i] == chosen ? dy[i] : 0.0F;
    }
}

template <class Position>
inline void __attribute__((always_inline))
addChosen(float* to, const float* dy, const Position* position, Position chosen,
          std::int64_t count) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] += position[i] == chosen ? dy[i] : 0.0F;
    }
}

/// One row of the map of one picture, channels-last: adds dy of every covering window whose
/// position is the element.
template <class Position>
inline void __attribute__((always_inline))
gradientOfChannels(const Pool& p, const Position* position, const float* dy, std::int64_t row,
                   float* dx) {
    const Taps rows = p.windowsOverRow(row);
    for (std::int64_t column = 0; column < p.mapColumns; ++column) {
        const Taps columns = p.windowsOverColumn(column);
        float* const to = dx + column * p.channels;
        bool isFirst = true;
        for (std::int64_t r = rows.begin; r < rows.end; ++r) {
            for (std::int64_t c = columns.begin; c < columns.end; ++c) {
                const std::int64_t from = (r * p.windowColumns + c) * p.channels;
                const float* const g = dy + from;
                const Position* const at = position + from;
                const auto place = static_cast<Position>(p.indexInWindow(r, c, row, column));
                isFirst ? writeChosen(to, g, at, place, p.channels)
                        : addChosen(to, g, at, place, p.channels);
                isFirst = false;
            }
        }
        if (isFirst) {
            std::fill_n(to, p.channels, 0.0F);
        }
    }
}

/// One plane: adds dy at its position if that is in this part of the map.
template <class Position>
void gradientOfPlane(const Pool& p, const Position* position, const float* dy, float* dx) {
    std::fill_n(dx, p.mapRows * p.mapColumns, 0.0F);
    for (std::int64_t window = 0, r = 0; r < p.windowRows; ++r) {
        for (std::int64_t c = 0; c < p.windowColumns; ++c, ++window) {
            const std::int64_t place = position[window];
            const std::int64_t down = place / p.kernelColumns;
            const std::int64_t row = r * p.strideRows - p.padTop + down;
            const std::int64_t column =
                c * p.strideColumns - p.padLeft + place - down * p.kernelColumns;
            if (row >= 0 && row < p.mapRows && column >= 0 && column < p.mapColumns) {
                dx[row * p.mapColumns + column] += dy[window];
            }
        }
    }
}

template <class Position>
ChoiceOrRefusal chooseGradientOf(const KernelRequest& request) {
    const auto pool = poolOf(request, request.outputs[0], request.inputs[1]);
    if (!pool) {
        return refuse("the local part of the input has rows before the first window");
    }
    const Format format = mapFormat(request);
    const int cores = request.cores;
    const Pool p = *pool;
    const std::int64_t planeIn = p.windowRows * p.windowColumns;
    const std::int64_t planeOut = p.mapRows * p.mapColumns;
    const bool isLast = format == channelsLast();
    return withFormats(
        request, choiceOf([=](const KernelArguments& arguments) {
            const auto* const position = input<Position>(arguments, 0);
            const auto* const dy = input<float>(arguments, 1);
            auto* const dx = output<float>(arguments, 0);
            const std::int64_t pieces = isLast ? p.batch * p.mapRows : p.batch * p.channels;
            shareOut(cores, pieces, 1, p.elements(), [=](Range range) {
                if (!isLast) {
                    for (std::int64_t k = range.begin; k < range.end; ++k) {
                        gradientOfPlane(p, position + k * planeIn, dy + k * planeIn,
                                        dx + k * planeOut);
                    }
                    return;
                }
                vectorised([=]() __attribute__((always_inline)) {
                    for (std::int64_t k = range.begin; k < range.end; ++k) {
                        const std::int64_t from = k / p.mapRows * planeIn * p.channels;
                        gradientOfChannels(p, position + from, dy + from, k % p.mapRows,
                                           dx + k * p.mapColumns * p.channels);
                    }
                });
            });
        }),
        {format, format}, {format});
}

ChoiceOrRefusal chooseGradient(const KernelRequest& request) {
    switch (request.inputs[0].dtype) {
    case DType::u8: return chooseGradientOf<std::uint8_t>(request);
    case DType::i32: return chooseGradientOf<std::int32_t>(request);
    default: return refuse("reads positions as u8 or i32 only");
    }
}

} // namespace

void max_pool2d(KernelList& list) {
    list.add({"max_pool2d", "cpu", chooseForward});
    list.add({"max_pool2d_gradient", "cpu", chooseGradient});
}

} // namespace weft::cpu
