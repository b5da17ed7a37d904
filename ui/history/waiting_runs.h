// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs that were asked for and wait for their turn or are being sent to another host, each with
// what can be done about it. Nothing is seen where there is none.

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
    void addRow(const RunTicket& ticket);

    RunControl& control_;
    QVBoxLayout* rows_;
};

} // namespace weft::ui
