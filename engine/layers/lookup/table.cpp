// SPDX-License-Identifier: Apache-2.0
#include "layers/lookup/table.h"

namespace weft::layers {

Initialiser tableInitialiser(const Lowering& lowering) {
    if (lowering.attributes().text("init") == "default") {
        return {"normal", {{"mean", 0.0}, {"deviation", 1.0}}};
    }
    const Attributes& attributes = lowering.attributes();
    const bool hasRows = attributes.has("rows");
    return lowering.initialiser(attributes.integer(hasRows ? "rows" : "length"),
                                hasRows ? attributes.integer("features") : 1);
}

} // namespace weft::layers
