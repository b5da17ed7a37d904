// SPDX-License-Identifier: Apache-2.0
#include "layers/table.h"

namespace weft::layers {

Initialiser tableInitialiser(const Lowering& at) {
    if (at.attributes().text("init") == "default") {
        return {"normal", {{"mean", 0.0}, {"deviation", 1.0}}};
    }
    return at.initialiser(at.attributes().has("rows") ? at.attributes().integer("rows")
                                                      : at.attributes().integer("length"),
                          at.attributes().has("features") ? at.attributes().integer("features")
                                                          : 1);
}

} // namespace weft::layers
