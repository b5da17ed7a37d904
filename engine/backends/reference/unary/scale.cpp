// SPDX-License-Identifier: Apache-2.0
// scale: y = factor x; scale_by: y = s x, s a number of the same type
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

void scale(KernelList& list) {
    addKernel(
        list, "scale",
        [](const KernelRequest& request) { return request.attributes.real("factor"); },
        []<class T>(const Call<T>& call, double factor) {
            for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                call.out()[k] = static_cast<T>(factor) * call.in(0)[k];
            }
        });
    addKernel(list, "scale_by", []<class T>(const Call<T>& call) {
        const T s = *call.in(1);
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = s * call.in(0)[k];
        }
    });
}

} // namespace weft::reference
