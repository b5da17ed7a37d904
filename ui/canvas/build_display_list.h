// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes the display list of one network of a design, with what the last check knew about it. Pure;
// any thread.

#include "canvas/display_list.h"
#include "canvas/wire_shape.h"
#include <weft/catalogue.h>
#include <weft/edits.h>
#include <weft/preview.h>

#include <map>
#include <set>

namespace weft::ui {

/// What a proof found: the largest difference of each layer, by full name.
struct ProofMarks {
    std::map<std::string, double> differences = {};
    double tolerance = 0;
};

struct DisplayRequest {
    const Design* design = nullptr;
    NetworkPath path = {};
    const std::vector<LayerKindInfo>* kinds = nullptr;
    const Preview* preview = nullptr; ///< nullptr before the first check
    const Preview* older = nullptr;   ///< whose step is shown until that of `preview` is known
    std::set<LayerId> collapsed = {};
    std::set<LayerId> portless = {}; ///< ports without a wire are left out
    int rank = -1; ///< the view of one device, by its place among the check's; -1: of all
    const ProofMarks* proof = nullptr;
    Flow flow = Flow::down;
};

[[nodiscard]] DisplayList buildDisplayList(const DisplayRequest& request);

} // namespace weft::ui
