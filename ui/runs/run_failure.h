// SPDX-License-Identifier: Apache-2.0
#pragma once
// The failure of a run in parts: rank, layer, cause, remedy and log file. Pure.

#include <weft/runs.h>

#include <QCoreApplication>
#include <QString>

namespace weft::ui {

class RunHub;

struct RunFailure {
    Q_DECLARE_TR_FUNCTIONS(weft::ui::RunFailure)
public:
    QString rank = {};  ///< such as "rank 1 (hostB)"; empty: unknown
    QString layer = {}; ///< full name; empty: unknown
    QString what = {};  ///< empty: no failure
    QString remedy = {};
    QString log = {}; ///< path of the log file

    [[nodiscard]] explicit operator bool() const { return !what.isEmpty(); }
    [[nodiscard]] QString text() const; ///< returns the failure as one paragraph
};

[[nodiscard]] RunFailure failureOf(const RunHub& hub);

} // namespace weft::ui
