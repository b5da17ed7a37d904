// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The panels there are and where each stands at first.

#include "session/bench.h"
#include "shell/docks.h"

#include <functional>
#include <vector>

namespace weft::ui {

struct DockInfo {
    const char* id;
    const char* title;
    Qt::DockWidgetArea area;
    Workspace workspace; ///< in which it is shown at first
    bool isBelow;        ///< below the ones before it in its area; else a tab among them
    std::function<QWidget*(Bench&)> make;
    bool isShownAtFirst = true;
};

[[nodiscard]] const std::vector<DockInfo>& dockInfos();

} // namespace weft::ui
