// SPDX-License-Identifier: Apache-2.0
#pragma once
// The panels there are and where each stands at first.

#include "session/bench.h"
#include "shell/docks.h"

#include <functional>
#include <vector>

namespace weft::ui {

/// Among the ones before it in its area.
enum class Stands : std::uint8_t { asTab, below, beside, belowOrBesideWhereWide };
/// Small windows have no room for all.
enum class AtFirst : std::uint8_t { shown, shownWhereRoom, hidden };

struct DockInfo {
    const char* id;
    const char* title;
    Qt::DockWidgetArea area;
    Workspace workspace; ///< in which it is shown at first
    Stands stands;
    std::function<QWidget*(Bench&)> make;
    AtFirst atFirst = AtFirst::shown;
    /// In the other workspace it is a tab of the last that stands here; none: it is not wanted
    /// there.
    Qt::DockWidgetArea elsewhere = Qt::NoDockWidgetArea;
};

[[nodiscard]] const std::vector<DockInfo>& dockInfos();

} // namespace weft::ui
