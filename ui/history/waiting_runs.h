// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs that were asked for and wait for their turn, each with what can be done about it. Nothing is
// seen where none waits.

#include "session/run_control.h"

#include <QWidget>

class QVBoxLayout;

namespace weft::ui {

class WaitingRuns : public QWidget {
    Q_OBJECT

public:
    explicit WaitingRuns(RunControl& control, QWidget* parent = nullptr);

private:
    void refresh();

    RunControl& control_;
    QVBoxLayout* rows_;
};

} // namespace weft::ui
