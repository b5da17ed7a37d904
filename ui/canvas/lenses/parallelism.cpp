// SPDX-License-Identifier: Apache-2.0
// The canvas as it is: a node has the colours of its devices, and its measured time.
#include "canvas/live/lens.h"

#include <QObject>

namespace weft::ui::lenses {

void parallelism(LensList& list) {
    list.lenses.push_back(std::make_unique<Lens>(
        LensInfo{"parallelism", QObject::tr("Parallelism"),
                 QObject::tr("Colours each layer by the devices that it is assigned to")}));
}

} // namespace weft::ui::lenses
