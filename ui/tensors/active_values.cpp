// SPDX-License-Identifier: Apache-2.0
#include "tensors/active_values.h"

#include "tensors/tensor_picture.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace weft::ui {

ActiveValues::ActiveValues(const Look& look, QWidget* parent)
    : QWidget(parent), facts_(new QLabel), plot_(new HistogramPlot(look)) {
    const Sizes& sizes = Look::sizes();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, sizes.space.xs, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(sizes.space.m, 0, sizes.space.m, 0);
    head->setSpacing(sizes.space.m);
    auto* title = new QLabel(tr("Active values"));
    title->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    title->setToolTip(paragraphs(tr("Histogram of the codes of the observed step that are not 0, "
                                    "over all elements, atoms and positions.")));
    head->addWidget(title);
    setTier(*facts_, Tier::secondary);
    head->addWidget(facts_, 1);
    column->addLayout(head);
    column->addWidget(plot_, 1);
}

void ActiveValues::setShown(const SparseDisplay* shown) {
    facts_->setText(shown == nullptr
                        ? QString()
                        : tr("%1 of %2")
                              .arg(quantity::count(static_cast<double>(shown->activeCodes)),
                                   quantity::count(static_cast<double>(shown->codes))));
    plot_->show(shown == nullptr ? Histogram() : shown->activeValues);
}

} // namespace weft::ui
