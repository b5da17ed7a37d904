// SPDX-License-Identifier: Apache-2.0
// y = the sum of each window divided by its count; dx adds dy / count to each position of the
// window. The count is that of the window in the whole map, with or without padding.
#include "backends/reference/reference_kernel.h"
#include "backends/reference/windows/windows.h"

namespace weft::reference {

namespace {

struct AveragePool2dSettings {
    Sides sides;
    bool countsPadding;
};

AveragePool2dSettings averagePool2dSettings(const KernelRequest& request) {
    return {sidesOf(request.attributes), request.attributes.boolean("count_include_pad")};
}

std::int64_t countOf(const Side& side, const Range& range, std::int64_t y, bool countsPadding) {
    const std::int64_t first = side.position(y, 0);
    const std::int64_t end = first + side.kernel;
    return countsPadding ? std::min(end, range.whole + side.after) - first
                         : std::min(end, range.whole) - std::max<std::int64_t>(first, 0);
}

/// Calls visit(element of y, element of x, count) for every position of every window.
template <class Visit>
void walkAveragePool2d(const TensorPart& x, const TensorPart& y,
                       const AveragePool2dSettings& settings, const Visit& visit) {
    const Range rows(x, 2);
    const Range columns(x, 3);
    const auto& [vertical, horizontal] = settings.sides;
    for (std::int64_t element = 0; element < y.elements(); ++element) {
        const std::int64_t column = y.begin[3] + element % y.shape[3];
        const std::int64_t row = y.begin[2] + element / y.shape[3] % y.shape[2];
        const std::int64_t map = element / (y.shape[2] * y.shape[3]);
        const std::int64_t count = countOf(vertical, rows, row, settings.countsPadding) *
                                   countOf(horizontal, columns, column, settings.countsPadding);
        for (std::int64_t ky = 0; ky < vertical.kernel; ++ky) {
            for (std::int64_t kx = 0; kx < horizontal.kernel; ++kx) {
                const std::int64_t atRow = vertical.position(row, ky);
                const std::int64_t atColumn = horizontal.position(column, kx);
                if (rows.holds(atRow) && columns.holds(atColumn)) {
                    visit(element,
                          (map * rows.size + atRow - rows.begin) * columns.size + atColumn -
                              columns.begin,
                          count);
                }
            }
        }
    }
}

} // namespace

void average_pool2d(KernelList& list) {
    addKernel(list, "average_pool2d", averagePool2dSettings,
              []<class T>(const Call<T>& call, const AveragePool2dSettings& settings) {
                  const T* x = call.in(0);
                  T* y = call.out();
                  std::fill_n(y, call.output().elements(), T{0});
                  walkAveragePool2d(call.input(0), call.output(), settings,
                                    [=](std::int64_t atY, std::int64_t atX, std::int64_t count) {
                                        y[atY] += x[atX] / static_cast<T>(count);
                                    });
              });
    addKernel(list, "average_pool2d_gradient", averagePool2dSettings,
              []<class T>(const Call<T>& call, const AveragePool2dSettings& settings) {
                  const T* dy = call.in(0);
                  T* dx = call.out();
                  std::fill_n(dx, call.output().elements(), T{0});
                  walkAveragePool2d(call.output(), call.input(0), settings,
                                    [=](std::int64_t atY, std::int64_t atX, std::int64_t count) {
                                        dx[atX] += dy[atY] / static_cast<T>(count);
                                    });
              });
}

} // namespace weft::reference
