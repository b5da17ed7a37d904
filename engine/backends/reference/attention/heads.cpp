// SPDX-License-Identifier: Apache-2.0
// y[b, h, t, d] = x[b, t, h features + d], and back. A part holds whole heads.
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

namespace {

/// Calls visit(element of [b, t, h d], element of [b, h, t, d]) for a part with the split shape.
template <class Visit>
void walkHeads(const Shape& apart, const Visit& visit) {
    const std::int64_t heads = apart[1];
    const std::int64_t time = apart[2];
    const std::int64_t features = apart[3];
    for (std::int64_t e = 0; e < elementsOf(apart); ++e) {
        const std::int64_t d = e % features;
        const std::int64_t t = e / features % time;
        const std::int64_t h = e / (features * time) % heads;
        const std::int64_t b = e / (features * time * heads);
        visit(((b * time + t) * heads + h) * features + d, e);
    }
}

} // namespace

void heads(KernelList& list) {
    addKernel(list, "heads_apart", []<class T>(const Call<T>& call) {
        walkHeads(call.output().shape,
                  [x = call.in(0), y = call.out()](std::int64_t together, std::int64_t apart) {
                      y[apart] = x[together];
                  });
    });
    addKernel(list, "heads_together", []<class T>(const Call<T>& call) {
        walkHeads(call.input(0).shape,
                  [x = call.in(0), y = call.out()](std::int64_t together, std::int64_t apart) {
                      y[together] = x[apart];
                  });
    });
}

} // namespace weft::reference
