// SPDX-License-Identifier: Apache-2.0
// y = x / (1 - rate) where uniform(key, step, index in the whole) >= rate, else 0
#include "backends/reference/reference_kernel.h"
#include "base/philox.h"

namespace weft::reference {

namespace {

double rateOf(const KernelRequest& request) { return request.attributes.real("rate"); }

struct Dropout {
    template <class T>
    void operator()(const Call<T>& call, double rate) const {
        const Philox philox(Draw{.seed = call.request.randomKey, .step = call.integer(1, 0)});
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            const auto element = static_cast<std::uint64_t>(wholeIndex(call.input(0), k));
            const bool isKept = philox.uniform(element) >= rate;
            call.out()[k] = isKept ? call.in(0)[k] / static_cast<T>(1 - rate) : T(0);
        }
    }
};

} // namespace

void dropout(KernelList& list) { addKernel(list, "dropout", rateOf, Dropout{}); }

} // namespace weft::reference
