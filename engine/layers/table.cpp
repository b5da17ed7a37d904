// SPDX-License-Identifier: Apache-2.0
#include "layers/table.h"

namespace weft::layers {

Initialiser tableInitialiser(const Lowering& at) {
    if (at.attributes().text("init") == "default") {
        return {"normal", {{"mean", 0.0}, {"deviation", 1.0}}};
    }
    const Attributes& attributes = at.attributes();
    const bool hasRows = attributes.has("rows");
    return at.initialiser(attributes.integer(hasRows ? "rows" : "length"),
                          hasRows ? attributes.integer("features") : 1);
}

} // namespace weft::layers
