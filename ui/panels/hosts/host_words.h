// SPDX-License-Identifier: Apache-2.0
#pragma once
// The state of a host as text and icon: its connection, and whether it has reported. Pure.

#include "launch/hosts.h"
#include "theme/theme.h"

#include <QColor>
#include <QString>

namespace weft::ui {

struct HostState {
    QString icon; ///< name of the icon
    QColor tint;
    QString text;
};
[[nodiscard]] HostState stateOf(const KnownHost& host, const Theme& theme);
/// True if the connection could not be opened or was lost.
[[nodiscard]] bool isLost(const KnownHost& host);
/// Returns why the host has not reported, in its own words or those of the connection; empty if it
/// has, is being asked, or was never asked.
[[nodiscard]] QString faultOf(const KnownHost& host);

} // namespace weft::ui
