// SPDX-License-Identifier: Apache-2.0
#pragma once
// Decides which commands of a run can act now, and gives the reason for the others. Pure.

#include <QString>
#include <QStringList>
#include <vector>

namespace weft::ui {

class WindowContext;

struct RunPermit {
    const char* command = ""; ///< id
    QString why = {};         ///< why it cannot act; empty: it can
};
[[nodiscard]] std::vector<RunPermit>
runPermits(const WindowContext& context); ///< all commands of runs
/// Returns the ids of the buttons to show: start, or pause and stop for a live run.
[[nodiscard]] QStringList runButtons(const WindowContext& context); ///< ids of the buttons to show

} // namespace weft::ui
