// SPDX-License-Identifier: Apache-2.0
#include "widgets/empty_state.h"

#include "theme/style.h"
#include "theme/symbols.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace weft::ui {

EmptyState::EmptyState(Look& look, const QString& icon, const QString& title, const QString& text,
                       QAction* action, QWidget* parent)
    : QWidget(parent),
      look_(look),
      icon_(icon),
      picture_(new QLabel(this)),
      title_(new QLabel(title, this)),
      text_(new QLabel(text, this)) {
    const Sizes& sizes = tokens().sizes;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(sizes.space.xl, sizes.space.xl, sizes.space.xl, sizes.space.xl);
    layout->setSpacing(sizes.space.xs);
    layout->addStretch();
    picture_->setAlignment(Qt::AlignCenter);
    picture_->setVisible(!icon.isEmpty());
    layout->addWidget(picture_);
    title_->setAlignment(Qt::AlignCenter);
    title_->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    title_->setWordWrap(true);
    layout->addWidget(title_);
    text_->setAlignment(Qt::AlignCenter);
    text_->setWordWrap(true);
    setTier(*text_, Tier::tertiary);
    layout->addWidget(text_);
    if (action != nullptr) {
        auto* button = new QPushButton(action->text(), this);
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        layout->addSpacing(sizes.space.s);
        layout->addWidget(button, 0, Qt::AlignHCenter);
    }
    layout->addStretch();
    connect(&look_, &Look::changed, this, &EmptyState::applyLook);
    applyLook();
}

void EmptyState::setTexts(const QString& title, const QString& text) {
    title_->setText(title);
    text_->setText(text);
}

void EmptyState::applyLook() {
    picture_->setPixmap(symbol(icon_, tokens().sizes.size.iconLarge, look_.theme().text.tertiary,
                               devicePixelRatioF()));
}

} // namespace weft::ui
