// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/strips.h"

#include "canvas/page/live_feed.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "widgets/assignment_glyph.h"
#include "workspace/prediction_words.h"
#include "workspace/window_context.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace weft::ui {

namespace {

constexpr AxisWord words[] = {AxisWord::data,      AxisWord::batch,     AxisWord::modelStack,
                              AxisWord::modelAdd,  AxisWord::spaceRows, AxisWord::spaceColumns,
                              AxisWord::replicate, AxisWord::follow};

QToolButton* addButton(OverlayStrip& strip, const QString& text) {
    auto* button = new QToolButton(&strip);
    button->setText(text);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setFixedHeight(tokens().sizes.size.control);
    strip.layout()->addWidget(button);
    return button;
}

} // namespace

OverlayStrip::OverlayStrip(Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    auto* layout = new QHBoxLayout(this);
    const int rim = tokens().sizes.space.xs;
    layout->setContentsMargins(rim, rim, rim, rim);
    layout->setSpacing(tokens().sizes.space.xxs);
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
}

void OverlayStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(look_.theme().line.normal);
    painter.setBrush(look_.theme().surface.dock);
    const int radius = tokens().sizes.radius.node;
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

BrushStrip::BrushStrip(CanvasView& view, Look& look, QWidget* parent)
    : OverlayStrip(look, parent), view_(view) {
    setAccessibleName(tr("Brush"));
    buildButtons();
    hide();
    connect(&view, &CanvasView::brushChanged, this, [this] {
        setVisible(view_.brush().has_value());
        for (QToolButton* button : findChildren<QToolButton*>()) {
            button->setChecked(view_.brush() && view_.brush()->name == button->text());
        }
    });
    connect(&look, &Look::changed, this, [this] {
        qDeleteAll(findChildren<QToolButton*>());
        buildButtons();
    });
}

Brush BrushStrip::brushOf(AxisWord word) {
    Brush brush{QString::fromStdString(std::string(nameOf(word))), word, {}};
    if (word != AxisWord::follow) {
        brush.assignment = Assignment{{}, {}, {word}};
    }
    return brush;
}

void BrushStrip::buildButtons() {
    for (const AxisWord word : words) {
        const Brush brush = brushOf(word);
        QToolButton* button = addButton(*this, brush.name);
        button->setCheckable(true);
        button->setChecked(view_.brush() && view_.brush()->name == brush.name);
        button->setToolTip(tr("Assigns %1 to the layers that you drag over").arg(brush.name));
        const QString glyph = glyphOf({word}, 2);
        if (!glyph.isEmpty()) {
            const Theme& theme = look().theme();
            button->setIcon(symbolIcon(glyph, theme.text.secondary, theme.text.disabled));
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        }
        connect(button, &QToolButton::clicked, &view_, [this, brush] { view_.setBrush(brush); });
    }
}

RankStrip::RankStrip(CanvasView& view, LiveCheck& check, Look& look, QWidget* parent)
    : OverlayStrip(look, parent), view_(view), check_(check) {
    setAccessibleName(tr("The view of one device"));
    QToolButton* before = addButton(*this, QStringLiteral("‹"));
    before->setToolTip(tr("Shows the previous device"));
    text_ = new QLabel(this);
    text_->setFont(Look::mono(tokens().sizes.type.small));
    layout()->addWidget(text_);
    QToolButton* after = addButton(*this, QStringLiteral("›"));
    after->setToolTip(tr("Shows the next device"));
    const auto step = [this](int by) {
        const int count = static_cast<int>(check_.answer()->preview->devices.size());
        if (count > 0) {
            view_.setRank((view_.rank() + by + count) % count);
        }
    };
    connect(before, &QToolButton::clicked, this, [step] { step(-1); });
    connect(after, &QToolButton::clicked, this, [step] { step(1); });
    connect(&view, &CanvasView::rankChanged, this, &RankStrip::showText);
    connect(&check, &LiveCheck::checked, this, &RankStrip::showText);
    hide();
}

void RankStrip::showText() {
    const auto known = check_.answer();
    const std::vector<DevicePreview>& devices = known->preview->devices;
    const int rank = view_.rank();
    setVisible(rank >= 0 && rank < static_cast<int>(devices.size()));
    if (isHidden()) {
        return;
    }
    const DevicePreview& device = devices[static_cast<std::size_t>(rank)];
    const DevicePreview* step = findDevice(known->withStep.get(), device.name);
    const auto bytes = [&](Bytes DeviceStep::*amount) {
        return step == nullptr ? quantity::none()
                               : quantity::bytes(static_cast<double>((*step->step.*amount).count));
    };
    text_->setText(tr("%1 of %2: %3 · persistent %4 · working %5")
                       .arg(rank)
                       .arg(devices.size())
                       .arg(QString::fromStdString(device.name), bytes(&DeviceStep::kept),
                            bytes(&DeviceStep::work)));
    text_->setToolTip(memoryText(*known, device.name));
    setTier(*text_, known->isStepOlder() ? Tier::tertiary : Tier::primary);
    adjustSize();
}

LensStrip::LensStrip(WindowContext& context, CanvasView& view, QWidget* parent)
    : OverlayStrip(context.look, parent), view_(view), text_(new QLabel(this)) {
    setObjectName(QStringLiteral("differences"));
    text_->setFont(Look::sans(tokens().sizes.type.small));
    text_->setTextFormat(Qt::PlainText);
    layout()->addWidget(text_);
    connect(&context, &WindowContext::lensChanged, this, &LensStrip::showText);
    hide();
}

void LensStrip::showText() {
    constexpr qsizetype most = 8;
    const QStringList words = view_.live().lens().captionLines();
    QStringList lines = words.first(std::min(most, words.size()));
    if (words.size() > most) {
        lines << tr("and %1 more").arg(words.size() - most);
    }
    setVisible(!words.isEmpty());
    setAccessibleName(view_.live().lens().info.title);
    text_->setText(lines.join('\n'));
    text_->setToolTip(words.join('\n'));
    adjustSize();
    Q_EMIT resized();
}

} // namespace weft::ui
