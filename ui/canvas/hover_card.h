// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is known of the layer or collective under the pointer, in a card beside it. A problem's fix
// can be clicked on it.

#include "theme/look.h"

#include <QFrame>
#include <QString>
#include <utility>
#include <vector>

namespace weft::ui {

struct CardText {
    QString title;
    QString kind = {};
    std::vector<std::pair<QString, QString>> rows = {}; ///< what, how much
    QString problem = {};
    QString fix = {};
    bool canMend = false; ///< by a click on the fix; else it is a word to the author
};

class HoverCard : public QFrame {
    Q_OBJECT

public:
    HoverCard(Look& look, QWidget& over);
    /// Beside a box of the widget it lies over, where there is room.
    void open(const CardText& text, const QRect& beside);

Q_SIGNALS:
    void fixWanted();

protected:
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void placeBeside(const QRect& beside);

    Look& look_;
};

} // namespace weft::ui
