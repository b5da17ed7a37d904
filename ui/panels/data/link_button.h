// SPDX-License-Identifier: Apache-2.0
#pragma once
// An underlined text button, used for fixes; accepts keyboard focus.

#include "theme/look.h"

#include <QToolButton>

namespace weft::ui {

[[nodiscard]] inline QToolButton* linkButton(const QString& text, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    QFont font = Look::sans(tokens().sizes.type.small, tokens().sizes.type.semibold);
    font.setUnderline(true);
    button->setFont(font);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

} // namespace weft::ui
