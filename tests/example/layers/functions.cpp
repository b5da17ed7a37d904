// SPDX-License-Identifier: Apache-2.0
// What follows from the rows of functions/functions.h, as in the engine's folders
#include "example/functions/functions.h"

#include "layers/unary/function.h"

namespace weft::example::layers {

void functions(LayerList& list) {
    example::functions::All::forEach(
        [&]<class Row>(Row) { weft::layers::addFunction(list, Row::info); });
}

} // namespace weft::example::layers
