// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a run went wrong, in the parts that a person asks for: which rank, which layer, what, what to
// do, where the log is. Pure.

#include <weft/runs.h>

#include <QCoreApplication>
#include <QString>

namespace weft::ui {

class RunHub;

struct RunFailure {
    Q_DECLARE_TR_FUNCTIONS(weft::ui::RunFailure)
public:
    QString rank = {};  ///< "rank 1 (hostB)"; empty where it is not known
    QString layer = {}; ///< full name; empty where it is not known
    QString what = {};  ///< empty: nothing went wrong
    QString remedy = {};
    QString log = {}; ///< its file

    [[nodiscard]] explicit operator bool() const { return !what.isEmpty(); }
    /// In one paragraph.
    [[nodiscard]] QString text() const;
};

[[nodiscard]] RunFailure failureOf(const RunHub& hub);

} // namespace weft::ui
