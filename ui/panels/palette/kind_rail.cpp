// SPDX-License-Identifier: Apache-2.0
#include "panels/palette/kind_rail.h"

#include "panels/palette/kind_rows.h"
#include "theme/symbols.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

constexpr int popupWidth = 300;

} // namespace

KindRail::KindRail(WindowContext& context, QWidget* parent) : QWidget(parent), context_(context) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, tokens().sizes.space.xs, 0, 0);
    layout->setSpacing(tokens().sizes.space.xxs);
    build();
    connect(&context_.look, &Look::changed, this, &KindRail::build);
}

void KindRail::build() {
    qDeleteAll(findChildren<QToolButton*>());
    delete layout()->takeAt(layout()->count() - 1); // removes the stretch
    const Theme& theme = context_.look.theme();
    const auto add = [&](const QString& category, const QString& name, const QString& icon,
                         const QColor& tint) {
        auto* button = new QToolButton(this);
        button->setIcon(symbolIcon(icon, tint, theme.text.disabled));
        button->setAutoRaise(true);
        button->setToolTip(name);
        button->setAccessibleName(name);
        button->setFocusPolicy(Qt::TabFocus);
        button->setFixedSize(tokens().sizes.size.dockTitle, tokens().sizes.size.dockTitle);
        connect(button, &QToolButton::clicked, this,
                [this, category, button] { openCategory(category, *button); });
        layout()->addWidget(button);
        layout()->setAlignment(button, Qt::AlignHCenter);
    };
    add({}, tr("Find a layer"), QStringLiteral("actions/search"), theme.text.secondary);
    QStringList known;
    for (const KindHit& hit : findKinds(*context_.kinds, nullptr, {})) {
        if (!known.contains(hit.category)) {
            known << hit.category;
            add(hit.category, categoryTitle(hit.category), hit.icon,
                theme.ofCategory(hit.category));
        }
    }
    static_cast<QVBoxLayout*>(layout())->addStretch();
}

void KindRail::openCategory(const QString& category, const QWidget& beside) {
    if (popup_ == nullptr) {
        popup_ = new SearchPopup(context_.look, *window());
    }
    const QPoint at = beside.mapTo(window(), QPoint(beside.width() + tokens().sizes.space.xs, 0));
    popup_->open(
        at, popupWidth, category.isEmpty() ? tr("Find a layer") : categoryTitle(category),
        [this, category](const QString& query) {
            const OpenDesign* design = context_.designs.current();
            std::vector<SearchRow> rows;
            for (const KindHit& hit :
                 findKinds(*context_.kinds,
                           design == nullptr ? nullptr : &design->document().design(), query)) {
                if (category.isEmpty() || hit.category == category) {
                    rows.push_back(rowOf(hit, context_.look.theme()));
                }
            }
            return rows;
        },
        [this](const QString& kind) { Q_EMIT context_.placeWanted(kind); });
}

} // namespace weft::ui
