// SPDX-License-Identifier: Apache-2.0
#include "graph/op.h"
#include "layers/layers.h"
#include <weft/catalogue.h>

namespace weft {

namespace ops {
void fill(OpList& list);
}

std::vector<LayerKindInfo> catalogue() {
    LayerList list;
    layers::fill(list);
    std::vector<LayerKindInfo> kinds;
    for (const LayerKind* kind : list.all()) {
        kinds.push_back(kind->info);
    }
    return kinds;
}

std::map<std::string, std::string> opHelps() {
    OpList list;
    ops::fill(list);
    std::map<std::string, std::string> helps;
    for (const Op* op : list.all()) {
        helps[op->name] = op->help;
    }
    return helps;
}

} // namespace weft
