// SPDX-License-Identifier: Apache-2.0
#pragma once
// Since when the rates are known from which everything is predicted, and the button that measures
// this machine again; while it does, how far it is. In one line the button alone.

#include "session/bench.h"

#include <QWidget>

class QToolButton;

namespace weft::ui {

class RatesCorner : public QWidget {
    Q_OBJECT

public:
    explicit RatesCorner(Bench& bench, QWidget* parent = nullptr);
    void setLine(bool isLine);
    [[nodiscard]] QSize sizeHint() const override;
    /// "Rates of 9 November", "Measuring, 40 %"
    [[nodiscard]] QString note() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showState();
    void place();

    Bench& bench_;
    QToolButton* button_;
    bool isLine_ = false;
};

} // namespace weft::ui
