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
    /// Wraps the text so that the hint is at most as wide.
    void fitInto(int width);

Q_SIGNALS:
    void inputWanted();
    void resized();

private:
    void refresh();

    OpenDesign& design_;
    QLabel* text_;
    QPushButton* addInputButton_;
};

} // namespace weft::ui
