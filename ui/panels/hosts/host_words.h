// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a host stands, in words and with an icon: its line, and whether it has said what it has.
// Pure.

#include "session/hosts.h"
#include "theme/theme.h"

#include <QColor>
#include <QString>

namespace weft::ui {

struct HostState {
    QString icon;
    QColor tint;
    QString words;
};
[[nodiscard]] HostState stateOf(const KnownHost& host, const Theme& theme);
/// Its line did not come to stand, or broke.
[[nodiscard]] bool isLost(const KnownHost& host);
/// Why it did not say what it has, in its own words or those of what carries its line; empty: it
/// did, is being asked, or was never asked.
[[nodiscard]] QString faultOf(const KnownHost& host);

} // namespace weft::ui
