// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an empty canvas offers: how layers are added, and a button that adds the first one.

#include "canvas/page/strips.h"

class QPushButton;

namespace weft::ui {

class EmptyHint : public Strip {
    Q_OBJECT

public:
    EmptyHint(OpenDesign& design, Look& look, QWidget* parent);

Q_SIGNALS:
    void inputWanted();
    void resized();

private:
    void refresh();

    OpenDesign& design_;
    QPushButton* begin_;
};

} // namespace weft::ui
