// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bar at the foot: problems of the design, its size, when it was checked and saved, that a
// macro is being recorded, and that runs go on which nobody looks at.

#include "session/panel.h"

class QLabel;
class QPushButton;

namespace weft::ui {

class MacroRecorder;

class StatusLine : public Panel {
    Q_OBJECT

public:
    StatusLine(Bench& bench, MacroRecorder& recorder, QWidget* parent = nullptr);

    /// What it has no room for is cut.
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
