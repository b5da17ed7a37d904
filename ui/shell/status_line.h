// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The bar at the foot: problems of the design, its size, when it was checked and saved, and that a
// macro is being recorded.

#include "session/panel.h"

class QLabel;
class QPushButton;

namespace weft::ui {

class MacroRecorder;

class StatusLine : public Panel {
    Q_OBJECT

public:
    StatusLine(Bench& bench, MacroRecorder& recorder, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showProblems();
    void showSize();
    void showRecording();

    MacroRecorder& recorder_;
    QPushButton* problems_;
    QPushButton* recording_;
    QLabel* size_;
    QLabel* checked_;
    QLabel* saved_;
};

} // namespace weft::ui
