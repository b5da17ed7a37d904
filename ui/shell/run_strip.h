// SPDX-License-Identifier: Apache-2.0
#pragma once
// The line under the bar in the workspace Run: state and name of the run that is looked at, how
// far, how long yet, what a step takes beside what was predicted, throughput, overlap, the last
// checkpoint. Where the run failed, a second line says where, with what one can click.

#include "session/bench.h"
#include "session/run_failure.h"
#include "session/run_status.h"

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
    /// All that the line says, for screen readers and tests.
    [[nodiscard]] QString text() const;
    [[nodiscard]] const RunFailure& failure() const { return failure_; }

Q_SIGNALS:
    /// Someone wants to read what the run said.
    void logWanted();

private:
    class Line;
    void tell();
    void refresh();
    [[nodiscard]] QWidget* makeFailure();
    void showFailure();
    void reveal();

    Bench& bench_;
    Line* line_;
    QWidget* failed_ = nullptr;
    QLabel* mark_ = nullptr;
    QLabel* what_ = nullptr;
    QPushButton* layer_ = nullptr;
    QPushButton* resume_ = nullptr;
    RunFailure failure_;
    QTimer soon_;  ///< gathers what comes within a beat
    QTimer clock_; ///< what grows by itself: ages
};

} // namespace weft::ui
