// SPDX-License-Identifier: Apache-2.0
#pragma once
// The line below the top bar in the workspace Run: state, name and progress of the shown run,
// remaining time, step time and prediction, throughput, overlap and last checkpoint. If the run
// failed, a second line shows where, with actions.

#include "runs/run_failure.h"
#include "runs/run_status.h"
#include "workspace/window_context.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace weft::ui {

class RunStrip : public QWidget {
    Q_OBJECT

public:
    explicit RunStrip(WindowContext& context, QWidget* parent = nullptr);
    ~RunStrip() override;
    /// The strip's content as text, for screen readers and tests.
    [[nodiscard]] QString text() const; ///< all that is shown, for screen readers and tests
    [[nodiscard]] const RunFailure& failure() const { return failure_; } ///< empty: not failed

Q_SIGNALS:
    /// The user wants to see the log.
    void logWanted(); ///< by a click

private:
    class Line;
    void refreshSoon();
    void refresh();                       ///< all texts
    [[nodiscard]] QWidget* makeFailure(); ///< creates failureRow_
    void showFailure();                   ///< or hides failureRow_
    void showFailedLayer();               ///< on the canvas

    WindowContext& context_;
    Line* line_;                    ///< first line: state, name and numbers
    QWidget* failureRow_ = nullptr; ///< second line, for a failure
    QLabel* failureIcon_ = nullptr; ///< error icon
    QLabel* failureText_ = nullptr;
    QPushButton* layerButton_ = nullptr;  ///< shows the failed layer
    QPushButton* resumeButton_ = nullptr; ///< resumes the run
    RunFailure failure_;                  ///< empty: the run has not failed
    QTimer soon_;                         ///< combines updates that arrive within a short time
    QTimer clock_;                        ///< updates ages
};

} // namespace weft::ui
