// SPDX-License-Identifier: Apache-2.0
#pragma once
// The card beside the layer or collective under the pointer. A problem's fix can be clicked on it.

#include "theme/look.h"

#include <QFrame>
#include <QString>
#include <utility>
#include <vector>

namespace weft::ui {

struct CardText {
    QString title;
    QString kind = {};                                  ///< beside the title
    std::vector<std::pair<QString, QString>> rows = {}; ///< pairs of label and value
    QString problem = {};                               ///< text; empty: none
    QString fix = {};                                   ///< text of the problem's fix
    bool canMend = false; ///< a click applies the fix; false: the fix is only a hint
};

class HoverCard : public QFrame {
    Q_OBJECT

public:
    HoverCard(Look& look, QWidget& over);
    /// Opens the card beside a box of the parent widget, where there is room.
    void open(const CardText& text, const QRect& beside);

Q_SIGNALS:
    void fixWanted(); ///< the fix on the card was clicked

protected:
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void placeBeside(const QRect& beside); ///< where there is room

    Look& look_;
};

} // namespace weft::ui
