// SPDX-License-Identifier: Apache-2.0
#include "shell/notices.h"

#include "theme/style.h"
#include "theme/symbols.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QTimer>
#include <QToolButton>

namespace weft::ui {

namespace {

constexpr int staysFor = 6000;
constexpr qsizetype most = 4;

class Notice : public QWidget {
public:
    Notice(Look& look, const QString& text, bool isFailure, QWidget* parent)
        : QWidget(parent), look_(look), label_(new QLabel(text, this)) {
        const Sizes& sizes = tokens().sizes;
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(sizes.space.l, sizes.space.s, sizes.space.s, sizes.space.s);
        layout->setSpacing(sizes.space.m);
        auto* mark = new QLabel(this);
        const Theme& theme = look.theme();
        mark->setPixmap(
            symbol(isFailure ? QStringLiteral("states/error") : QStringLiteral("states/hint"),
                   sizes.size.icon, isFailure ? theme.semantic.error : theme.semantic.info,
                   devicePixelRatioF()));
        layout->addWidget(mark, 0, Qt::AlignTop);
        label_->setWordWrap(true);
        label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label_->setMinimumWidth(240);
        layout->addWidget(label_, 1);
        auto* close = new QToolButton(this);
        close->setIcon(
            symbolIcon(QStringLiteral("actions/close"), theme.text.secondary, theme.text.disabled));
        close->setAutoRaise(true);
        close->setAccessibleName(tr("Close"));
        connect(close, &QToolButton::clicked, this, &QObject::deleteLater);
        layout->addWidget(close, 0, Qt::AlignTop);
        setAccessibleName(text);
        if (!isFailure) {
            QTimer::singleShot(staysFor, this, &QObject::deleteLater);
        }
    }
    [[nodiscard]] QString text() const { return label_->text(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(look_.theme().line.strong);
        painter.setBrush(look_.theme().surface.overlay);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }

private:
    Look& look_;
    QLabel* label_;
};

} // namespace

Notices::Notices(WindowContext& context, QWidget& over)
    : QWidget(&over), context_(context), over_(over), layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(tokens().sizes.space.s);
    over_.installEventFilter(this);
    connect(&context_, &WindowContext::notice, this, &Notices::add);
    hide();
}

void Notices::add(const QString& text, bool isFailure) {
    if (shown().contains(text)) {
        return;
    }
    auto* notice = new Notice(context_.look, text, isFailure, this);
    connect(notice, &QObject::destroyed, this, &Notices::arrange, Qt::QueuedConnection);
    layout_->addWidget(notice);
    if (layout_->count() > most) {
        layout_->itemAt(0)->widget()->deleteLater();
    }
    show();
    raise();
    arrange();
}

QStringList Notices::shown() const {
    QStringList texts;
    for (int i = 0; i < layout_->count(); ++i) {
        texts << static_cast<Notice*>(layout_->itemAt(i)->widget())->text();
    }
    return texts;
}

void Notices::arrange() {
    if (layout_->count() == 0) {
        hide();
        return;
    }
    constexpr int widest = 460;
    const int margin = tokens().sizes.space.xl;
    const int width = std::min(widest, over_.width() - 2 * margin);
    resize(width, layout_->heightForWidth(width) > 0 ? layout_->heightForWidth(width)
                                                     : layout_->sizeHint().height());
    move(margin, over_.height() - height() - margin);
}

bool Notices::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        arrange();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace weft::ui
