// SPDX-License-Identifier: Apache-2.0
// conv2d with a set of filters per element, per position, or both (ops/windows/conv2d_sets.cpp), by
// Weft's own loops over patches: the input of a position, [channel, ky, kx], is contiguous like a
// filter. Each sum has a fixed order for any part of the batch and any number of cores.
#include "backends/cpu/products/set_sums.h"
#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"
#include "device/window.h"
#include "graph/set_sharing.h"

#include <algorithm>
#include <array>

namespace weft::cpu {

void conv2d_sets(KernelList& list);

namespace {

/// Number of elements whose patches fit the nearest caches.
constexpr std::int64_t elementsAtOnce = 16;

struct SetsOfFilters : SetSharing {
    SetsOfFilters(const Attributes& attributes, const Windows& windows, const Shape& x,
                  const Shape& w, const Shape& y)
        : SetSharing(attributes),
          batch(x[0]),
          channels(x[1]),
          rows(x[2]),
          columns(x[3]),
          filters(y[1]),
          codeRows(y[2]),
          codeColumns(y[3]),
          inputs(w[w.size() - 3]),
          kernelRows(windows.kernel[0]),
          kernelColumns(windows.kernel[1]),
          taps(kernelRows * kernelColumns),
          strideRows(windows.stride[0]),
          strideColumns(windows.stride[1]),
          top(windows.padBefore[0]),
          left(windows.padBefore[1]),
          dilationRows(windows.dilation[0]),
          dilationColumns(windows.dilation[1]) {}

    std::int64_t batch, channels, rows, columns;
    std::int64_t filters, codeRows, codeColumns;
    std::int64_t inputs; ///< channels per group
    std::int64_t kernelRows, kernelColumns;
    std::int64_t taps; ///< kernel size: filter numbers per channel
    std::int64_t strideRows, strideColumns;
    std::int64_t top, left; ///< border before the picture
    std::int64_t dilationRows, dilationColumns;

    [[nodiscard]] std::int64_t positions() const { return codeRows * codeColumns; }
    [[nodiscard]] std::int64_t patch() const { return channels * taps; }
    [[nodiscard]] std::int64_t filter() const { return inputs * taps; }
    /// Offset of the group's patch that filter `o` reads.
    [[nodiscard]] std::int64_t groupOf(std::int64_t o) const {
        return o / (filters / (channels / inputs)) * filter();
    }
    /// Offset in the filters of the set for batch element `b` and position `p`.
    [[nodiscard]] std::int64_t set(std::int64_t b, std::int64_t p) const {
        return SetStrides(*this, positions(), filters * filter()).offset(b, p);
    }
    [[nodiscard]] std::int64_t code(std::int64_t b, std::int64_t o, std::int64_t p) const {
        return (b * filters + o) * positions() + p;
    }
    [[nodiscard]] std::int64_t products() const { return batch * positions() * filters * filter(); }

    /// Calls visit(tap of the patch, element of the picture, number of taps) for each row of taps
    /// inside the picture; its elements are dilationColumns apart.
    template <class Visit>
    inline void __attribute__((always_inline))
    eachRow(std::int64_t p, Range ofChannels, const Visit& visit) const {
        const std::int64_t firstRow = p / codeColumns * strideRows - top;
        const std::int64_t first = p % codeColumns * strideColumns - left;
        const std::int64_t begin = first >= 0 ? 0 : (dilationColumns - 1 - first) / dilationColumns;
        const std::int64_t room = columns - first;
        const std::int64_t end =
            room <= 0 ? 0 : std::min(kernelColumns, (room + dilationColumns - 1) / dilationColumns);
        if (begin >= end) {
            return;
        }
        for (std::int64_t c = ofChannels.begin; c < ofChannels.end; ++c) {
            for (std::int64_t ky = 0; ky < kernelRows; ++ky) {
                const std::int64_t row = firstRow + ky * dilationRows;
                if (row >= 0 && row < rows) {
                    visit(c * taps + ky * kernelColumns + begin,
                          (c * rows + row) * columns + first + begin * dilationColumns,
                          end - begin);
                }
            }
        }
    }

    inline void __attribute__((always_inline))
    gather(const float* picture, std::int64_t p, float* to) const {
        std::fill_n(to, patch(), 0.0F);
        eachRow(
            p, {0, channels},
            [&](std::int64_t tap, std::int64_t at, std::int64_t count)
                __attribute__((always_inline)) {
                    for (std::int64_t k = 0; k < count; ++k) {
                        to[tap + k] = picture[at + k * dilationColumns];
                    }
                });
    }
};

/// What one call of a kernel reads and writes, and its sizes.
struct SetsCall {
    const SetsOfFilters& of;
    const float* x;
    const float* w;
    const float* dy;
    float* result;
    float* room; ///< scratch of this core

    /// Computes y at these positions of all elements: four elements at a time if they share
    /// filters, else four filters at a time.
    inline void __attribute__((always_inline)) forward(Range positions) const {
        for (std::int64_t p = positions.begin; p < positions.end; ++p) {
            for (std::int64_t b = 0; b < of.batch; b += elementsAtOnce) {
                const std::int64_t end = std::min(of.batch, b + elementsAtOnce);
                for (std::int64_t k = b; k < end; ++k) {
                    of.gather(x + k * of.channels * of.rows * of.columns, p,
                              room + (k - b) * of.patch());
                }
                if (of.perElement) {
                    for (std::int64_t k = b; k < end; ++k) {
                        meetFilters(k, p, room + (k - b) * of.patch());
                    }
                } else {
                    meetElements(b, end, p);
                }
            }
        }
    }

    inline void __attribute__((always_inline))
    meetFilters(std::int64_t b, std::int64_t p, const float* patch) const {
        const float* const filters = w + of.set(b, p);
        for (std::int64_t o = 0; o < of.filters; o += sumsAtOnce) {
            // Filters of one group share their input.
            const std::int64_t group = of.groupOf(o);
            std::array<const float*, sumsAtOnce> some{};
            std::int64_t count = 0;
            for (std::int64_t k = 0; k < sumsAtOnce; ++k) {
                const bool isHere = o + k < of.filters && of.groupOf(o + k) == group;
                count += isHere ? 1 : 0;
                some[static_cast<std::size_t>(k)] = filters + (isHere ? o + k : o) * of.filter();
            }
            const auto sums = fourSums(patch + group, some, of.filter());
            for (std::int64_t k = 0; k < count; ++k) {
                result[of.code(b, o + k, p)] = sums[static_cast<std::size_t>(k)];
            }
            o += count - sumsAtOnce;
        }
    }

    inline void __attribute__((always_inline))
    meetElements(std::int64_t begin, std::int64_t end, std::int64_t p) const {
        const float* const filters = w + of.set(0, p);
        for (std::int64_t o = 0; o < of.filters; ++o) {
            for (std::int64_t b = begin; b < end; b += sumsAtOnce) {
                std::array<const float*, sumsAtOnce> some{};
                for (std::int64_t k = 0; k < sumsAtOnce; ++k) {
                    some[static_cast<std::size_t>(k)] =
                        room + (std::min(b + k, end - 1) - begin) * of.patch() + of.groupOf(o);
                }
                const auto sums = fourSums(filters + o * of.filter(), some, of.filter());
                for (std::int64_t k = 0; k < std::min(sumsAtOnce, end - b); ++k) {
                    result[of.code(b + k, o, p)] = sums[static_cast<std::size_t>(k)];
                }
            }
        }
    }

    /// Computes dx of these channels of these elements: positions add their patches in order,
    /// weighted by the nonzero dy.
    inline void __attribute__((always_inline))
    inputGradient(Range elements, Range ofChannels) const {
        const std::int64_t picture = of.channels * of.rows * of.columns;
        const std::int64_t plane = of.rows * of.columns;
        for (std::int64_t b = elements.begin; b < elements.end; ++b) {
            std::fill_n(result + b * picture + ofChannels.begin * plane, ofChannels.size() * plane,
                        0.0F);
        }
        for (std::int64_t p = 0; p < of.positions(); ++p) {
            for (std::int64_t b = elements.begin; b < elements.end; ++b) {
                std::fill_n(room + ofChannels.begin * of.taps, ofChannels.size() * of.taps, 0.0F);
                for (std::int64_t o = 0; o < of.filters; ++o) {
                    addFilter(b, o, p, ofChannels);
                }
                float* const to = result + b * picture;
                of.eachRow(
                    p, ofChannels,
                    [&](std::int64_t tap, std::int64_t at, std::int64_t count)
                        __attribute__((always_inline)) {
                            for (std::int64_t k = 0; k < count; ++k) {
                                to[at + k * of.dilationColumns] += room[tap + k];
                            }
                        });
            }
        }
    }

    inline void __attribute__((always_inline))
    addFilter(std::int64_t b, std::int64_t o, std::int64_t p, Range ofChannels) const {
        const float factor = dy[of.code(b, o, p)];
        const std::int64_t group = of.groupOf(o);
        const std::int64_t begin = std::max(ofChannels.begin * of.taps, group);
        const std::int64_t end = std::min(ofChannels.end * of.taps, group + of.filter());
        if (factor != 0 && begin < end) {
            addScaled(w + of.set(b, p) + o * of.filter() + begin - group, factor, end - begin,
                      room + begin);
        }
    }

    /// Computes dw of the sets of these positions or, if positions share sets, of these elements.
    inline void __attribute__((always_inline)) weightsGradient(Range range) const {
        const Range positions = of.perPosition ? range : Range{0, of.positions()};
        const Range elements = of.perPosition ? Range{0, of.batch} : range;
        const Range sets = of.perElement ? elements : Range{0, 1};
        for (std::int64_t b = sets.begin; b < sets.end; ++b) {
            const std::int64_t count = of.perPosition ? positions.size() : 1;
            std::fill_n(result + of.set(b, positions.begin), count * of.filters * of.filter(),
                        0.0F);
        }
        for (std::int64_t p = positions.begin; p < positions.end; ++p) {
            for (std::int64_t b = elements.begin; b < elements.end; ++b) {
                float* const to = result + of.set(b, p);
                of.gather(x + b * of.channels * of.rows * of.columns, p, room);
                for (std::int64_t o = 0; o < of.filters; ++o) {
                    const float factor = dy[of.code(b, o, p)];
                    if (factor != 0) {
                        addScaled(room + of.groupOf(o), factor, of.filter(), to + o * of.filter());
                    }
                }
            }
        }
    }
};

enum class SetsPass : std::uint8_t { forward, inputGradient, weightsGradient };

void runSets(const SetsOfFilters& of, SetsPass pass, int cores, const KernelArguments& arguments) {
    const auto call = [&](int core) {
        const bool isForward = pass == SetsPass::forward;
        const bool readsX = pass != SetsPass::inputGradient;
        return SetsCall{
            .of = of,
            .x = readsX ? input<float>(arguments, 0) : nullptr,
            .w = pass == SetsPass::weightsGradient ? nullptr : input<float>(arguments, 1),
            .dy = isForward ? nullptr : input<float>(arguments, readsX ? 1 : 0),
            .result = output<float>(arguments, 0),
            .room = static_cast<float*>(arguments.scratch) + core * elementsAtOnce * of.patch()};
    };
    onEachCore(cores, [&](int core) {
        const SetsCall own = call(core);
        vectorised([&]() __attribute__((always_inline)) {
            switch (pass) {
            case SetsPass::forward: own.forward(partOf(of.positions(), core, cores)); return;
            case SetsPass::inputGradient: {
                const bool hasElements = of.batch >= cores;
                own.inputGradient(hasElements ? partOf(of.batch, core, cores) : Range{0, of.batch},
                                  hasElements ? Range{0, of.channels}
                                              : partOf(of.channels, core, cores));
                return;
            }
            case SetsPass::weightsGradient:
                own.weightsGradient(
                    partOf(of.perPosition ? of.positions() : of.batch, core, cores));
                return;
            }
        });
    });
}

ChoiceOrRefusal chooseSets(const KernelRequest& request, SetsPass pass, const TensorPart& x,
                           const TensorPart& w, const TensorPart& y) {
    const Shape kernel(w.shape.end() - 2, w.shape.end());
    const auto windows = windowsOf(request.attributes, kernel, x, y);
    if (!windows) {
        return refuse("the local part of the input has rows before the first window");
    }
    const SetsOfFilters of(request.attributes, *windows, x.shape, w.shape, y.shape);
    const Bytes scratch{request.cores * elementsAtOnce * of.patch() *
                        static_cast<std::int64_t>(sizeof(float))};
    if (scratch > request.scratchLimit) {
        return refuse("needs more workspace than the limit allows");
    }
    const int cores = of.products() < 16384 ? 1 : request.cores;
    return allPlain(
        request,
        choiceOf([=](const KernelArguments& arguments) { runSets(of, pass, cores, arguments); },
                 scratch));
}

} // namespace

void conv2d_sets(KernelList& list) {
    list.add({"conv2d_sets", "cpu", [](const KernelRequest& request) {
                  return chooseSets(request, SetsPass::forward, request.inputs[0],
                                    request.inputs[1], request.outputs[0]);
              }});
    list.add({"conv2d_sets_dx", "cpu", [](const KernelRequest& request) {
                  return chooseSets(request, SetsPass::inputGradient, request.outputs[0],
                                    request.inputs[1], request.inputs[0]);
              }});
    list.add({"conv2d_sets_dw", "cpu", [](const KernelRequest& request) {
                  return chooseSets(request, SetsPass::weightsGradient, request.inputs[0],
                                    request.outputs[0], request.inputs[1]);
              }});
}

} // namespace weft::cpu
