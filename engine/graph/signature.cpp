// SPDX-License-Identifier: Apache-2.0
#include "graph/signature.h"

namespace weft {

void ShapeInference::refuse(std::string reason, std::size_t input, std::string insert) {
    if (isRefused()) {
        return;
    }
    reason_ = std::move(reason);
    refusedInput_ = input;
    layerToInsert_ = std::move(insert);
}

} // namespace weft
