// SPDX-License-Identifier: Apache-2.0
// y = the maximum of each window, position = its first index in the window, row * columns of the
// window + column. NaN counts as the maximum, so that it propagates. dx adds dy at that position.
#include "backends/reference/reference_kernel.h"
#include "backends/reference/windows/windows.h"

#include <cmath>

namespace weft::reference {

namespace {

template <class T>
struct Maximum {
    T value = 0;
    std::int64_t position = -1;
};

template <class T>
Maximum<T> maximumOf(const T* map, const Range& rows, const Range& columns, const Sides& sides,
                     std::int64_t y, std::int64_t x) {
    Maximum<T> best;
    for (std::int64_t ky = 0; ky < sides[0].kernel; ++ky) {
        for (std::int64_t kx = 0; kx < sides[1].kernel; ++kx) {
            const std::int64_t row = sides[0].position(y, ky);
            const std::int64_t column = sides[1].position(x, kx);
            if (!rows.holds(row) || !columns.holds(column)) {
                continue;
            }
            const T value = map[(row - rows.begin) * columns.size + column - columns.begin];
            if (best.position < 0 || value > best.value ||
                (std::isnan(value) && !std::isnan(best.value))) {
                best = {value, ky * sides[1].kernel + kx};
            }
        }
    }
    return best;
}

} // namespace

void max_pool2d(KernelList& list) {
    const auto settings = [](const KernelRequest& request) { return sidesOf(request.attributes); };
    addKernel(list, "max_pool2d", settings, []<class T>(const Call<T>& call, const Sides& sides) {
        const T* x = call.in(0);
        T* y = call.out();
        const Range rows(call.input(0), 2);
        const Range columns(call.input(0), 3);
        const TensorPart& part = call.output();
        const std::int64_t maps = part.shape[0] * part.shape[1];
        std::int64_t element = 0;
        for (std::int64_t map = 0; map < maps; ++map) {
            for (std::int64_t row = 0; row < part.shape[2]; ++row) {
                for (std::int64_t column = 0; column < part.shape[3]; ++column, ++element) {
                    const Maximum<T> best =
                        maximumOf(x + map * rows.size * columns.size, rows, columns, sides,
                                  part.begin[2] + row, part.begin[3] + column);
                    y[element] = best.value;
                    call.setInteger(1, element, best.position);
                }
            }
        }
    });
    addKernel(list, "max_pool2d_gradient", settings,
              []<class T>(const Call<T>& call, const Sides& sides) {
                  const T* dy = call.in(1);
                  T* dx = call.out();
                  const Range rows(call.output(), 2);
                  const Range columns(call.output(), 3);
                  const Shape& windows = call.input(1).shape;
                  const Shape& first = call.input(1).begin;
                  std::fill_n(dx, call.output().elements(), T{0});
                  for (std::int64_t element = 0; element < elementsOf(windows); ++element) {
                      const std::int64_t map = element / (windows[2] * windows[3]);
                      const std::int64_t position = call.integer(0, element);
                      const std::int64_t y = first[2] + element / windows[3] % windows[2];
                      const std::int64_t x = first[3] + element % windows[3];
                      const std::int64_t row = sides[0].position(y, position / sides[1].kernel);
                      const std::int64_t column = sides[1].position(x, position % sides[1].kernel);
                      if (rows.holds(row) && columns.holds(column)) {
                          dx[(map * rows.size + row - rows.begin) * columns.size + column -
                             columns.begin] += dy[element];
                      }
                  }
              });
}

} // namespace weft::reference
