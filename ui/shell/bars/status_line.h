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
    StatusLine(Bench& bench, MacroRecorder& recorder, QWidget* parent = nullptr);

    /// Content that doesn't fit is clipped.
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void refresh(unsigned causes) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showProblems();
    void showSize();
    void showRecording();
    void showLiving();
    void attach();

    MacroRecorder& recorder_;
    QPushButton* problems_;
    QPushButton* recording_;
    QPushButton* living_;
    QLabel* size_;
    QLabel* checked_;
    QLabel* saved_;
};

} // namespace weft::ui
