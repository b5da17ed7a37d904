// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/empty_hint.h"

#include "workspace/bench.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace weft::ui {

EmptyHint::EmptyHint(OpenDesign& design, Look& look, QWidget* parent)
    : Strip(look, parent), design_(design), begin_(new QPushButton(this)) {
    setAccessibleName(tr("Empty network"));
    const int rim = tokens().sizes.space.m;
    auto* column = static_cast<QBoxLayout*>(layout());
    column->setDirection(QBoxLayout::TopToBottom);
    column->setContentsMargins(rim, rim, rim, rim);
    column->setSpacing(rim);
    auto* text =
        new QLabel(tr("This network has no layers yet. Press Tab, or choose a layer in the "
                      "palette:\nit is placed below the selected layer and reads its "
                      "output. Or drop a design or data."),
                   this);
    text->setAlignment(Qt::AlignCenter);
    column->addWidget(text);
    begin_->setText(tr("Add an input layer"));
    begin_->setObjectName(QStringLiteral("begin"));
    column->addWidget(begin_, 0, Qt::AlignHCenter);
    connect(begin_, &QPushButton::clicked, this, &EmptyHint::inputWanted);
    connect(&design.document(), &DesignDocument::changed, this, &EmptyHint::refresh);
    connect(&design.selection(), &Selection::pathChanged, this, &EmptyHint::refresh);
    refresh();
}

void EmptyHint::refresh() {
    const Selection& selection = design_.selection();
    setVisible(selection.network().layers.empty());
    begin_->setVisible(selection.path().group.empty()); // a group has ports in place of inputs
    adjustSize();
    emit resized();
}

} // namespace weft::ui
