// SPDX-License-Identifier: Apache-2.0
#pragma once
// The status bar: problems and size of the design, time of check and save, macro recording, and
// live runs that no view shows.

#include "workspace/panel.h"

class QLabel;
class QPushButton;

namespace weft::ui {

class MacroRecorder;

class StatusLine : public Panel {
    Q_OBJECT

public:
    StatusLine(WindowContext& context, MacroRecorder& recorder, QWidget* parent = nullptr);

    /// Content that doesn't fit is clipped.
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void refresh(unsigned causes) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showProblems();  ///< number of errors and warnings
    void showSize();      ///< layers and parameters
    void showRecording(); ///< a macro's recording
    void showLiving();    ///< live runs that no view shows
    void attach();        ///< to a live run

    MacroRecorder& recorder_; ///< records macros
    QPushButton* problems_;   ///< number of problems
    QPushButton* recording_;  ///< shown while a macro is recorded
    QPushButton* living_;     ///< number of live runs that no view shows
    QLabel* size_;            ///< layers and parameters
    QLabel* checked_;         ///< duration of the check
    QLabel* saved_;           ///< time of the last save
};

} // namespace weft::ui
