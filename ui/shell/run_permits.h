// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which commands of a run can act now, and why the others cannot. Pure.

#include <QString>
#include <QStringList>
#include <vector>

namespace weft::ui {

class Bench;

struct RunPermit {
    const char* command = "";
    QString why = {}; ///< it cannot act; empty: it can
};
[[nodiscard]] std::vector<RunPermit> runPermits(const Bench& bench);
/// The buttons that a hand needs now: to begin one, or to hold and stop the one that lives.
[[nodiscard]] QStringList runButtons(const Bench& bench);

} // namespace weft::ui
