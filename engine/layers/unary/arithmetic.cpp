// SPDX-License-Identifier: Apache-2.0
// The rows of functions/arithmetic.h that have a title
#include "functions/table.h"
#include "layers/unary/function.h"

namespace weft::layers {

void arithmetic(LayerList& list) {
    functions::Arithmetic::forEach([&]<class Row>(Row) {
        if constexpr (!Row::info.title.empty()) {
            addFunction(list, Row::info);
        }
    });
}

} // namespace weft::layers
