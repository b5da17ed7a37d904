// SPDX-License-Identifier: Apache-2.0
// y = the sum, the maximum or the product over dims; dx = dy repeated along
// these dims
#include "backends/reference/reference_kernel.h"
#include "graph/reduced_dims.h"

namespace weft::reference {

namespace {

/// A value and its dims that are reduced.
struct Reduction {
    Shape whole;
    std::vector<bool> isReduced;

    Reduction(const Attributes& attributes, const Shape& shape)
        : whole(shape), isReduced(reducedDims(attributes, shape.size())) {}

    /// Number of elements of the value for each of the result.
    [[nodiscard]] std::int64_t terms() const {
        std::int64_t terms = 1;
        for (std::size_t dim = 0; dim < whole.size(); ++dim) {
            terms *= isReduced[dim] ? whole[dim] : 1;
        }
        return terms;
    }
    /// Returns the index in the value of the n-th element that element y of the result reads.
    [[nodiscard]] std::int64_t indexOf(std::int64_t y, std::int64_t n) const {
        std::int64_t index = 0;
        std::int64_t stride = 1;
        for (std::size_t dim = whole.size(); dim-- > 0;) {
            std::int64_t& rest = isReduced[dim] ? n : y;
            index += rest % whole[dim] * stride;
            rest /= whole[dim];
            stride *= whole[dim];
        }
        return index;
    }
};

Reduction reductionOfInput(const KernelRequest& request) {
    return {request.attributes, request.inputs[0].shape};
}

} // namespace

void reduce_sum(KernelList& list) {
    addKernel(list, "reduce_sum", reductionOfInput,
              []<class T>(const Call<T>& call, const Reduction& of) {
                  for (std::int64_t y = 0; y < call.output().elements(); ++y) {
                      double sum = 0;
                      for (std::int64_t n = 0; n < of.terms(); ++n) {
                          sum += call.in(0)[of.indexOf(y, n)];
                      }
                      call.out()[y] = static_cast<T>(sum);
                  }
              });
    addKernel(list, "reduce_max", reductionOfInput,
              []<class T>(const Call<T>& call, const Reduction& of) {
                  for (std::int64_t y = 0; y < call.output().elements(); ++y) {
                      T most = call.in(0)[of.indexOf(y, 0)];
                      for (std::int64_t n = 1; n < of.terms(); ++n) {
                          most = std::max(most, call.in(0)[of.indexOf(y, n)]);
                      }
                      call.out()[y] = most;
                  }
              });
    addKernel(list, "reduce_prod", reductionOfInput,
              []<class T>(const Call<T>& call, const Reduction& of) {
                  for (std::int64_t y = 0; y < call.output().elements(); ++y) {
                      double product = 1;
                      for (std::int64_t n = 0; n < of.terms(); ++n) {
                          product *= call.in(0)[of.indexOf(y, n)];
                      }
                      call.out()[y] = static_cast<T>(product);
                  }
              });
    addKernel(
        list, "reduce_sum_gradient",
        [](const KernelRequest& request) {
            return Reduction(request.attributes, request.outputs[0].shape);
        },
        []<class T>(const Call<T>& call, const Reduction& of) {
            for (std::int64_t y = 0; y < call.input(0).elements(); ++y) {
                for (std::int64_t n = 0; n < of.terms(); ++n) {
                    call.out()[of.indexOf(y, n)] = call.in(0)[y];
                }
            }
        });
}

} // namespace weft::reference
