// SPDX-License-Identifier: Apache-2.0
#pragma once
// Date of the measured rates used for predictions, with a button that recalibrates this machine,
// and the progress of a calibration. In a low panel, only the button.

#include "workspace/window_context.h"

#include <QWidget>

class QToolButton;

namespace weft::ui {

class RatesCorner : public QWidget {
    Q_OBJECT

public:
    explicit RatesCorner(WindowContext& context, QWidget* parent = nullptr);
    void setOneLine(bool isOneLine);
    [[nodiscard]] QSize sizeHint() const override;
    /// Returns the text "Rates of 9 November" or "Measuring, 40 %".
    [[nodiscard]] QString note() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showState();
    void placeButton();

    WindowContext& context_;
    QToolButton* calibrateButton_;
    bool isOneLine_ = false;
};

} // namespace weft::ui
