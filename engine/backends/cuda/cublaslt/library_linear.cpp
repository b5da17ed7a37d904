// SPDX-License-Identifier: Apache-2.0
// linear and its gradients by the library, exactly
#include "backends/cuda/cublaslt/library_product.h"

namespace weft::cuda {

void library_linear(KernelList& list);
void library_linear(KernelList& list) {
    if (products::isLibraryBuiltIn()) {
        addLibraryLinear(list, Precision::exact, missingForProducts);
    }
}

} // namespace weft::cuda
