// SPDX-License-Identifier: Apache-2.0
// conv2d and its gradients with library plans, exactly
#include "backends/cuda/cudnn/planned.h"

namespace weft::cuda {

void planned_conv2d(KernelList& list);
void planned_conv2d(KernelList& list) {
    if (plans::isLibraryBuiltIn()) {
        addConvolutions(
            list, plannedKernelName(Precision::exact),
            [](const KernelRequest& request, const RequestedConvolution& asked) {
                return choosePlannedConvolution(request, asked, Precision::exact);
            },
            missingForPlans);
    }
}

} // namespace weft::cuda
