// SPDX-License-Identifier: Apache-2.0
#include "timeline/select_layer.h"

#include "runs/layer_place.h"

namespace weft::ui {

void selectNamed(const Design& design, Selection& selection, const QString& layer) {
    const auto place = placeOf(design, layer.toStdString());
    if (!place) {
        selection.clear();
        return;
    }
    if (selection.path() != place->path) {
        selection.enter(place->path);
    }
    selection.select({place->layer});
}

} // namespace weft::ui
