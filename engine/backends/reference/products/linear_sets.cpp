// SPDX-License-Identifier: Apache-2.0
// y[b, t, o] = sum_i x[b, t, i] w[set of b, t][o, i]; dx = dy w; dw = dy^T x, summed over the rows
// that share a set.
#include "backends/reference/reference_kernel.h"
#include "graph/set_sharing.h"

namespace weft::reference {

namespace {

/// The loop of all three kernels: the rows of x and y, and the set of each.
struct SetRows {
    std::int64_t elements, positions, inputs, outputs;
    SetStrides steps;

    SetRows(const SetSharing& sharing, const Shape& x, const Shape& y)
        : elements(x[0]),
          positions(x.size() == 3 ? x[1] : 1),
          inputs(x.back()),
          outputs(y.back()),
          steps(sharing, positions, inputs * outputs) {}

    /// visit(row, offset of its set)
    template <class Visit>
    void each(const Visit& visit) const {
        for (std::int64_t b = 0; b < elements; ++b) {
            for (std::int64_t t = 0; t < positions; ++t) {
                visit(b * positions + t, steps.offset(b, t));
            }
        }
    }
};

SetSharing sharingOf(const KernelRequest& request) { return SetSharing(request.attributes); }

} // namespace

void linear_sets(KernelList& list) {
    addKernel(list, "linear_sets", sharingOf,
              []<class T>(const Call<T>& call, const SetSharing& sharing) {
                  const SetRows rows(sharing, call.input(0).shape, call.output().shape);
                  rows.each([&](std::int64_t row, std::int64_t set) {
                      for (std::int64_t o = 0; o < rows.outputs; ++o) {
                          double sum = 0;
                          for (std::int64_t i = 0; i < rows.inputs; ++i) {
                              sum += static_cast<double>(call.in(0)[row * rows.inputs + i]) *
                                     call.in(1)[set + o * rows.inputs + i];
                          }
                          call.out()[row * rows.outputs + o] = static_cast<T>(sum);
                      }
                  });
              });
    addKernel(list, "linear_sets_dx", sharingOf,
              []<class T>(const Call<T>& call, const SetSharing& sharing) {
                  const SetRows rows(sharing, call.output().shape, call.input(0).shape);
                  rows.each([&](std::int64_t row, std::int64_t set) {
                      for (std::int64_t i = 0; i < rows.inputs; ++i) {
                          double sum = 0;
                          for (std::int64_t o = 0; o < rows.outputs; ++o) {
                              sum += static_cast<double>(call.in(0)[row * rows.outputs + o]) *
                                     call.in(1)[set + o * rows.inputs + i];
                          }
                          call.out()[row * rows.inputs + i] = static_cast<T>(sum);
                      }
                  });
              });
    addKernel(list, "linear_sets_dw", sharingOf,
              []<class T>(const Call<T>& call, const SetSharing& sharing) {
                  const SetRows rows(sharing, call.input(1).shape, call.input(0).shape);
                  std::fill_n(call.out(), call.output().elements(), T{0});
                  rows.each([&](std::int64_t row, std::int64_t set) {
                      for (std::int64_t o = 0; o < rows.outputs; ++o) {
                          for (std::int64_t i = 0; i < rows.inputs; ++i) {
                              call.out()[set + o * rows.inputs + i] +=
                                  call.in(0)[row * rows.outputs + o] *
                                  call.in(1)[row * rows.inputs + i];
                          }
                      }
                  });
              });
}

} // namespace weft::reference
