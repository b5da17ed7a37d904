// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists runs that wait in the queue or are being sent to another host, each with its actions.
// Hidden if there are none.

#include "launch/run_control.h"

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
