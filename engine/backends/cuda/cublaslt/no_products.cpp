// SPDX-License-Identifier: Apache-2.0
// Products in a build without cuBLASLt: there are no plans.
#include "backends/cuda/cublaslt/products.h"

namespace weft::cuda::products {

bool isLibraryBuiltIn() { return false; }

Library library() { return {.why = "this build has no cuBLASLt"}; }

tl::expected<std::unique_ptr<ProductPlan>, std::string> make(const LibraryProduct& /*product*/,
                                                             std::int64_t /*workspace*/) {
    return tl::unexpected<std::string>(library().why);
}

} // namespace weft::cuda::products
