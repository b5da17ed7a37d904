// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists all panels with their initial position.

#include "shell/docks/docks.h"
#include "workspace/window_context.h"

#include <functional>
#include <vector>

namespace weft::ui {

/// Position relative to the earlier panels of the same area.
enum class DockPosition : std::uint8_t { asTab, below, beside, belowOrBesideWhereWide };
/// Initial visibility; small windows have no room for all panels.
enum class InitialVisibility : std::uint8_t { shown, shownWhereRoom, hidden }; ///< at first start

struct DockInfo {
    const char* id;                               ///< saved in layouts
    const char* title;                            ///< shown in its title bar
    Qt::DockWidgetArea area;                      ///< initial area
    Workspace workspace;                          ///< workspace in which it is shown initially
    DockPosition position;                        ///< relative to earlier panels of the area
    std::function<QWidget*(WindowContext&)> make; ///< creates the panel
    InitialVisibility visibility = InitialVisibility::shown; ///< at first start
    /// Area in the other workspace, as a tab of that area's last panel; none: hidden there.
    Qt::DockWidgetArea elsewhere = Qt::NoDockWidgetArea;
};

[[nodiscard]] const std::vector<DockInfo>& dockInfos();

} // namespace weft::ui
