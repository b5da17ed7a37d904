// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an empty canvas offers: how layers are added, and a button that adds the first one.

#include "canvas/page/strips.h"

class QLabel;
class QPushButton;

namespace weft::ui {

class OpenDesign;

class EmptyHint : public OverlayStrip {
    Q_OBJECT

public:
    EmptyHint(OpenDesign& design, Look& look, QWidget* parent);
    void fitInto(int width); ///< wraps the text

Q_SIGNALS:
    void inputWanted(); ///< the button was clicked
    void resized();

private:
    void refresh(); ///< shows the hint if the network is empty

    OpenDesign& design_;
    QLabel* text_;
    QPushButton* addInputButton_;
};

} // namespace weft::ui
