// SPDX-License-Identifier: Apache-2.0
#include "layers/layers.h"
#include <weft/catalogue.h>

namespace weft {

std::vector<LayerKindInfo> catalogue() {
    LayerList list;
    layers::fill(list);
    std::vector<LayerKindInfo> kinds;
    for (const LayerKind* kind : list.all()) {
        kinds.push_back(kind->info);
    }
    return kinds;
}

} // namespace weft
