// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a run measured, by the layers of the network that is looked at. A layer that is not what ran
// any more keeps its measurement, which is told to be of the past. Pure.

#include "session/layer_sums.h"
#include <weft/edits.h>

#include <map>
#include <string>

namespace weft::ui {

struct LiveTime {
    double seconds = 0;  ///< of a step; of a group: of all that is inside
    bool isPast = false; ///< the layer has changed since
    bool operator==(const LiveTime&) const = default;
};

/// Which layer each measured one belongs to: looked up once per name, as long as neither the run
/// nor the design becomes another. `ran`: the run's design; `shown`: as it stands now. Layers are
/// recognised by id and kind.
class LiveSites {
public:
    LiveSites() = default;
    LiveSites(const Design& ran, const Design& shown, const NetworkPath& path);

    [[nodiscard]] std::map<LayerId, LiveTime> times(const std::map<Origin, LayerTime>& sums);
    /// Returns the layer of the shown network with this name in the run; none if it is not in it.
    [[nodiscard]] LayerId layerNamed(const std::string& name);

private:
    Design ran_;
    NetworkPath path_;
    std::map<LayerId, bool> isPast_;        ///< of those that are in both
    std::map<std::string, LayerId> byName_; ///< none: elsewhere
};

} // namespace weft::ui
