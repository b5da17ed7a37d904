// SPDX-License-Identifier: Apache-2.0
#pragma once
// Maps a run's measured times to the layers of the shown network. A layer edited since keeps its
// measurement, marked as past. Pure.

#include "runs/layer_sums.h"
#include <weft/edits.h>

#include <map>
#include <string>

namespace weft::ui {

struct LiveTime {
    double seconds = 0;  ///< seconds per step; for a group, the sum of its layers
    bool isPast = false; ///< the layer has been edited since the run began
    bool operator==(const LiveTime&) const = default;
};

/// Maps measured layer names to layers; each name is looked up once, until the run or the design
/// changes. `ran`: the run's design. `shown`: the present design. Layers are matched by id and
/// kind.
class RunLayerMap {
public:
    RunLayerMap() = default;
    RunLayerMap(const Design& ran, const Design& shown, const NetworkPath& path);

    [[nodiscard]] std::map<LayerId, LiveTime> times(const std::map<Origin, LayerTime>& sums);
    /// Returns the layer of the shown network with this name in the run, or an invalid id.
    [[nodiscard]] LayerId layerNamed(const std::string& name);

private:
    Design runDesign_;
    NetworkPath path_;               ///< path of the shown network
    std::map<LayerId, bool> isPast_; ///< for layers of both designs: edited since the run began
    std::map<std::string, LayerId> byName_; ///< an invalid id: the layer is in another network
};

} // namespace weft::ui
