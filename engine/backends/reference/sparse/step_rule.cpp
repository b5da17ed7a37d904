// SPDX-License-Identifier: Apache-2.0
// E = P: keeps step and cap. E > P, E <= 0 or P <= 0: resets both. Else step = tau_factor P step /
// (P - E), at most the cap, which then grows
#include "graph/step_rule.h"

#include "backends/reference/reference_kernel.h"

namespace weft::reference {

void step_rule(KernelList& list) {
    addKernel(
        list, "step_rule",
        [](const KernelRequest& request) { return TimeStepRule(request.attributes); },
        []<class T>(const Call<T>& call, const TimeStepRule& rule) {
            for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                double step = call.in(2)[k];
                double cap = call.in(3)[k];
                rule.apply(call.in(0)[k], call.in(1)[k], step, cap);
                call.out(0)[k] = static_cast<T>(step);
                call.out(1)[k] = static_cast<T>(cap);
            }
        });
}

} // namespace weft::reference
