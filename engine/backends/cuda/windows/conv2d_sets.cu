// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/products/convolution_views.h"
#include "backends/cuda/windows/conv2d_sets.h"

namespace weft::cuda {

namespace {

/// An element of x or y: picture, group, channel in the group, index on the plane.
struct Element {
    std::int64_t picture;
    std::int32_t group, channel, place;
};

[[nodiscard]] __device__ Element elementOf(const Convolution& c, std::int64_t k,
                                           std::int32_t channels, std::int32_t plane) {
    const std::int64_t planes = quotient(k, plane);
    const std::int64_t groups = quotient(planes, channels);
    const std::int64_t picture = quotient(groups, c.groups);
    return {picture, static_cast<std::int32_t>(groups - picture * c.groups),
            static_cast<std::int32_t>(planes - groups * channels),
            static_cast<std::int32_t>(k - planes * plane)};
}

/// Offset of the filters of that picture, position and group.
[[nodiscard]] __device__ std::int64_t filtersOf(const Convolution& c, std::int64_t picture,
                                                std::int32_t position, std::int32_t group) {
    const std::int64_t element = c.hasSetPerElement ? picture : 0;
    return ((element * c.positions() + position) * c.groups + group) * c.outputs * c.filter();
}

[[nodiscard]] __device__ Patches patchesOf(const Convolution& c, const float* x,
                                           std::int64_t picture, std::int32_t group) {
    return {c, x, {c.plane(), 1}, {picture, group}};
}

__global__ void setsForwardKernel(Convolution c, const float* x, const float* w, float* y,
                                  std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        const Element of = elementOf(c, k, c.outputs, c.positions());
        const Patches patches = patchesOf(c, x, of.picture, of.group);
        const WindowOrigin window = patches.windowOf(of.place);
        const float* const filter =
            w + filtersOf(c, of.picture, of.place, of.group) + of.channel * c.filter();
        float sum = 0;
        for (std::int64_t tap = 0; tap < c.filter(); ++tap) {
            sum += filter[tap] * patches.number(window, tapOf(c, tap));
        }
        y[k] = sum;
    }
}

/// Returns the contribution of one tap of the window at `position` to an element of x, over all
/// outputs.
[[nodiscard]] __device__ float fromWindow(const Convolution& c, const Element& of,
                                          std::int32_t position, std::int32_t tap, const float* dy,
                                          const float* w) {
    const float* const filters = w + filtersOf(c, of.picture, position, of.group) +
                                 static_cast<std::int64_t>(of.channel) * c.taps() + tap;
    const float* const codes =
        dy + (of.picture * c.groups + of.group) * c.outputs * c.positions() + position;
    float sum = 0;
    for (std::int64_t output = 0; output < c.outputs; ++output) {
        sum += filters[output * c.filter()] * codes[output * c.positions()];
    }
    return sum;
}

__global__ void setsInputGradientKernel(Convolution c, const float* dy, const float* w, float* dx,
                                        std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        const Element of = elementOf(c, k, c.inputs, c.plane());
        float sum = 0;
        for (std::int32_t tap = 0; tap < c.taps(); ++tap) {
            const Tap at = tapOf(c, tap);
            const std::int32_t row =
                windowAt(of.place / c.columns + c.top - at.row, c.strideRows, c.windowRows);
            const std::int32_t column = windowAt(of.place % c.columns + c.left - at.column,
                                                 c.strideColumns, c.windowColumns);
            if (row >= 0 && column >= 0) {
                sum += fromWindow(c, of, row * c.windowColumns + column, tap, dy, w);
            }
        }
        dx[k] = sum;
    }
}

__global__ void setsWeightGradientKernel(Convolution c, const float* x, const float* dy, float* dw,
                                         std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        const std::int64_t filters = quotient(k, c.filter());
        const std::int64_t places = quotient(filters, c.outputs);
        const std::int64_t set = quotient(places, c.groups);
        const auto group = static_cast<std::int32_t>(places - set * c.groups);
        const std::int64_t channel = group * c.outputs + filters - places * c.outputs;
        const std::int64_t first = quotient(set, c.positions());
        const auto position = static_cast<std::int32_t>(set - first * c.positions());
        const Tap tap = tapOf(c, k - filters * c.filter());
        float sum = 0;
        for (std::int64_t picture = first; picture < first + c.elementsOfSet(); ++picture) {
            const Patches patches = patchesOf(c, x, picture, group);
            sum += patches.number(patches.windowOf(position), tap) *
                   dy[(picture * c.groups * c.outputs + channel) * c.positions() + position];
        }
        dw[k] = sum;
    }
}

} // namespace

void launchSetsForward(const Convolution& c, const float* x, const float* w, float* y,
                       StreamHandle stream) {
    const std::int64_t n = c.batch * c.groups * c.outputs * c.positions();
    KERNEL_LAUNCH(setsForwardKernel, blocksFor(n), blockThreads, 0, stream, c, x, w, y, n);
}

void launchSetsInputGradient(const Convolution& c, const float* dy, const float* w, float* dx,
                             StreamHandle stream) {
    const std::int64_t n = c.batch * c.groups * c.inputs * c.plane();
    KERNEL_LAUNCH(setsInputGradientKernel, blocksFor(n), blockThreads, 0, stream, c, dy, w, dx, n);
}

void launchSetsWeightGradient(const Convolution& c, const float* x, const float* dy, float* dw,
                              StreamHandle stream) {
    const std::int64_t sets = (c.hasSetPerElement ? c.batch : 1) * c.positions();
    const std::int64_t n = sets * c.groups * c.outputs * c.filter();
    KERNEL_LAUNCH(setsWeightGradientKernel, blocksFor(n), blockThreads, 0, stream, c, x, dy, dw, n);
}

} // namespace weft::cuda
