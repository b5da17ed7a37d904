// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/empty_hint.h"

#include "workspace/window_context.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

namespace weft::ui {

EmptyHint::EmptyHint(OpenDesign& design, Look& look, QWidget* parent)
    : OverlayStrip(look, parent),
      design_(design),
      text_(new QLabel(this)),
      addInputButton_(new QPushButton(this)) {
    setAccessibleName(tr("Empty network"));
    const int rim = tokens().sizes.space.m;
    auto* column = static_cast<QBoxLayout*>(layout());
    column->setDirection(QBoxLayout::TopToBottom);
    column->setContentsMargins(rim, rim, rim, rim);
    column->setSpacing(rim);
    text_->setText(
        tr("This network has no layers yet.\nPress Tab or choose a layer in the palette: it goes "
           "below the selected layer and reads its output. Or drop a design or data."));
    text_->setAlignment(Qt::AlignCenter);
    text_->setWordWrap(true);
    column->addWidget(text_);
    addInputButton_->setText(tr("Add an input layer"));
    addInputButton_->setObjectName(QStringLiteral("begin"));
    column->addWidget(addInputButton_, 0, Qt::AlignHCenter);
    connect(addInputButton_, &QPushButton::clicked, this, &EmptyHint::inputWanted);
    connect(&design.document(), &DesignDocument::changed, this, &EmptyHint::refresh);
    connect(&design.selection(), &Selection::pathChanged, this, &EmptyHint::refresh);
    refresh();
}

void EmptyHint::fitInto(int width) {
    constexpr int widest = 440;
    text_->setFixedWidth(std::clamp(width - 4 * tokens().sizes.space.m, 1, widest));
    adjustSize();
}

void EmptyHint::refresh() {
    const Selection& selection = design_.selection();
    setVisible(selection.network().layers.empty());
    addInputButton_->setVisible(
        selection.path().group.empty()); // a group has ports in place of inputs
    emit resized();
}

} // namespace weft::ui
