// SPDX-License-Identifier: Apache-2.0
#pragma once
// The line below the top bar in the workspace Run: state, name and progress of the shown run,
// remaining time, step time and prediction, throughput, overlap and last checkpoint. If the run
// failed, a second line shows where, with actions.

#include "runs/run_failure.h"
#include "runs/run_status.h"
#include "workspace/bench.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace weft::ui {

class RunStrip : public QWidget {
    Q_OBJECT

public:
    explicit RunStrip(Bench& bench, QWidget* parent = nullptr);
    ~RunStrip() override;
    /// The strip's content as text, for screen readers and tests.
    [[nodiscard]] QString text() const; ///< all that is shown, for screen readers and tests
    [[nodiscard]] const RunFailure& failure() const { return failure_; } ///< empty: not failed

Q_SIGNALS:
    /// The user wants to see the log.
    void logWanted(); ///< by a click

private:
    class Line;
    void tell();
    void refresh();
    [[nodiscard]] QWidget* makeFailure();
    void showFailure();
    void reveal();

    Bench& bench_;
    Line* line_;
    QWidget* failed_ = nullptr;     ///< second line, for a failure
    QLabel* mark_ = nullptr;        ///< error icon
    QLabel* what_ = nullptr;        ///< text of the failure
    QPushButton* layer_ = nullptr;  ///< shows the failed layer
    QPushButton* resume_ = nullptr; ///< resumes the run
    RunFailure failure_;
    QTimer soon_;  ///< combines updates that arrive within a short time
    QTimer clock_; ///< updates ages
};

} // namespace weft::ui
