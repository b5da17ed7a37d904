// SPDX-License-Identifier: Apache-2.0
// y = x + b along one dim, with b of the set of each element and position; db = the sum of dy over
// everything that shares a number of b.
#include "backends/reference/reference_kernel.h"
#include "graph/set_sharing.h"

namespace weft::reference {

namespace {

/// x as [batch, positions before, features, positions behind].
struct BiasSets {
    std::int64_t batch, before, features, behind;
    SetStrides steps;

    /// visit(element of x, element of b)
    template <class Visit>
    void each(const Visit& visit) const {
        std::int64_t element = 0;
        for (std::int64_t b = 0; b < batch; ++b) {
            for (std::int64_t p = 0; p < before; ++p) {
                for (std::int64_t f = 0; f < features; ++f) {
                    for (std::int64_t q = 0; q < behind; ++q) {
                        visit(element++, steps.offset(b, p * behind + q) + f);
                    }
                }
            }
        }
    }
};

BiasSets biasSetsOf(const KernelRequest& request) {
    const Shape& x = request.inputs[0].shape;
    const std::int64_t given = request.attributes.integer("dim");
    const auto dim =
        static_cast<std::size_t>(given < 0 ? given + static_cast<std::int64_t>(x.size()) : given);
    const std::int64_t before = product(x, 1, dim);
    const std::int64_t behind = product(x, dim + 1, x.size());
    return {x[0], before, x[dim], behind,
            SetStrides(SetSharing(request.attributes), before * behind, x[dim])};
}

} // namespace

void bias_sets(KernelList& list) {
    addKernel(list, "bias_sets", biasSetsOf,
              []<class T>(const Call<T>& call, const BiasSets& sets) {
                  sets.each([&](std::int64_t element, std::int64_t at) {
                      call.out()[element] = call.in(0)[element] + call.in(1)[at];
                  });
              });
    addKernel(list, "bias_sets_gradient", biasSetsOf,
              []<class T>(const Call<T>& call, const BiasSets& sets) {
                  std::fill_n(call.out(), call.output().elements(), T{0});
                  sets.each([&](std::int64_t element, std::int64_t at) {
                      call.out()[at] += call.in(0)[element];
                  });
              });
}

} // namespace weft::reference
