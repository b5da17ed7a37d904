// SPDX-License-Identifier: Apache-2.0
// y[b, o, Y, X] = sum over i, ky, kx of w[o, i, ky, kx] x[b, i of o's group, Y stride - top + ky
// dilation, ...]. All three kernels walk the same products and differ in the sum. Indices are those
// of the whole value, from which channels of a group, positions and padding follow. In conv2d_sets,
// w is the set of the element and position.
#include "backends/reference/reference_kernel.h"
#include "backends/reference/windows/windows.h"
#include "graph/set_sharing.h"

#include <span>

namespace weft::reference {

namespace {

struct Conv2dSettings {
    Sides sides;
    std::int64_t groups;
    SetSharing sharing;
};

/// The dims of one set, without the dims that index sets.
std::span<const std::int64_t> filterDims(const Shape& w) { return std::span(w).last(4); }

/// x, w and y (or their gradients) of one convolution, as the parts on this device.
struct Parts {
    const TensorPart& x;
    const TensorPart& w;
    const TensorPart& y;
    const Conv2dSettings& settings;

    /// Whole channel of x for local output channel `o` and local weight row `i`.
    [[nodiscard]] std::int64_t channel(std::int64_t o, std::int64_t i) const {
        const std::int64_t perGroup = y.whole[1] / settings.groups;
        const std::int64_t group = (y.begin[1] + o) / perGroup;
        return group * filterDims(w.whole)[1] + filterDims(w.begin)[1] + i;
    }
};

/// Calls visit(element of y, element of w, element of x) for every product in y.
template <class Visit>
void walkConv2d(const Parts& at, const Visit& visit) {
    const Range channels(at.x, 1);
    const Range rows(at.x, 2);
    const Range columns(at.x, 3);
    const auto& [vertical, horizontal] = at.settings.sides;
    const Shape& y = at.y.shape;
    const auto w = filterDims(at.w.shape);
    const SetStrides sets(at.settings.sharing, y[2] * y[3], w[0] * w[1] * w[2] * w[3]);
    for (std::int64_t b = 0; b < y[0]; ++b) {
        for (std::int64_t o = 0; o < y[1]; ++o) {
            for (std::int64_t i = 0; i < w[1]; ++i) {
                const std::int64_t channel = at.channel(o, i);
                if (!channels.holds(channel)) {
                    continue;
                }
                const std::int64_t plane = b * at.x.shape[1] + channel - channels.begin;
                for (std::int64_t tap = 0; tap < w[2] * w[3]; ++tap) {
                    for (std::int64_t line = 0; line < y[2]; ++line) {
                        const std::int64_t row =
                            vertical.position(at.y.begin[2] + line, tap / w[3]);
                        if (!rows.holds(row)) {
                            continue;
                        }
                        const std::int64_t yLine = ((b * y[1] + o) * y[2] + line) * y[3];
                        const std::int64_t xLine =
                            (plane * rows.size + row - rows.begin) * columns.size;
                        for (std::int64_t k = 0; k < y[3]; ++k) {
                            const std::int64_t column =
                                horizontal.position(at.y.begin[3] + k, tap % w[3]);
                            if (columns.holds(column)) {
                                visit(yLine + k,
                                      sets.offset(b, line * y[3] + k) +
                                          (o * w[1] + i) * w[2] * w[3] + tap,
                                      xLine + column - columns.begin);
                            }
                        }
                    }
                }
            }
        }
    }
}

Conv2dSettings conv2dSettings(const KernelRequest& request) {
    return {sidesOf(request.attributes), request.attributes.integer("groups"),
            SetSharing(request.attributes)};
}

template <class T>
void clear(const Call<T>& call) {
    std::fill_n(call.out(), call.output().elements(), T{0});
}

void addConvolutions(KernelList& list, const std::string& name) {
    addKernel(list, name, conv2dSettings,
              []<class T>(const Call<T>& call, const Conv2dSettings& settings) {
                  const T* x = call.in(0);
                  const T* w = call.in(1);
                  T* y = call.out();
                  clear(call);
                  walkConv2d({call.input(0), call.input(1), call.output(), settings},
                             [=](std::int64_t atY, std::int64_t atW, std::int64_t atX) {
                                 y[atY] += w[atW] * x[atX];
                             });
              });
    addKernel(list, name + "_dx", conv2dSettings,
              []<class T>(const Call<T>& call, const Conv2dSettings& settings) {
                  const T* dy = call.in(0);
                  const T* w = call.in(1);
                  T* dx = call.out();
                  clear(call);
                  walkConv2d({call.output(), call.input(1), call.input(0), settings},
                             [=](std::int64_t atY, std::int64_t atW, std::int64_t atX) {
                                 dx[atX] += w[atW] * dy[atY];
                             });
              });
    addKernel(list, name + "_dw", conv2dSettings,
              []<class T>(const Call<T>& call, const Conv2dSettings& settings) {
                  const T* x = call.in(0);
                  const T* dy = call.in(1);
                  T* dw = call.out();
                  clear(call);
                  walkConv2d({call.input(0), call.output(), call.input(1), settings},
                             [=](std::int64_t atY, std::int64_t atW, std::int64_t atX) {
                                 dw[atW] += dy[atY] * x[atX];
                             });
              });
}

} // namespace

void conv2d(KernelList& list) {
    addConvolutions(list, "conv2d");
    addConvolutions(list, "conv2d_sets");
}

} // namespace weft::reference
