// SPDX-License-Identifier: Apache-2.0
#pragma once
// Builds the display list of one network from a design and its last check. Pure; callable from any
// thread.

#include "canvas/scene/display_list.h"
#include "canvas/scene/wire_shape.h"
#include <weft/catalogue.h>
#include <weft/edits.h>
#include <weft/preview.h>

#include <map>
#include <set>

namespace weft::ui {

/// The result of a proof: the largest difference of each layer, by full name.
struct ProofDifferences {
    std::map<std::string, double> differences = {}; ///< largest, by full layer name
    double tolerance = 0;                           ///< largest difference that passes
};

struct DisplayRequest {
    const Design* design = nullptr;
    NetworkPath path = {}; ///< the network of `design` that is shown
    const std::vector<LayerKindInfo>* kinds = nullptr;
    const Preview* preview = nullptr; ///< nullptr before the first check
    const Preview* older = nullptr;   ///< its step is shown until the step of `preview` is known
    std::set<LayerId> collapsed = {}; ///< drawn as one line
    std::set<LayerId> portless = {};  ///< layers whose unconnected ports are left out
    int rank = -1; ///< rank whose view is shown, in the order of the check's devices; -1: all
    const ProofDifferences* proof = nullptr; ///< nullptr: not compared
    Flow flow = Flow::down;                  ///< direction from inputs to outputs
};

[[nodiscard]] DisplayList buildDisplayList(const DisplayRequest& request);

} // namespace weft::ui
