// SPDX-License-Identifier: Apache-2.0
#include "tensors/atom_mosaic.h"

#include "theme/look.h"
#include "theme/quantity.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

namespace weft::ui {

namespace {

constexpr int tile = 38;
constexpr int tileGap = 2;
constexpr int useBar = 3;
constexpr int tilePitch = tile + tileGap;
constexpr int rowPitch = tile + useBar + 2 * tileGap;

} // namespace

AtomMosaic::AtomMosaic(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Atoms of the dictionary"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void AtomMosaic::setAtoms(std::shared_ptr<const DictionaryDisplay> shown, std::vector<double> use) {
    shown_ = std::move(shown);
    use_ = std::move(use);
    largestUse_ = use_.empty() ? 0 : *std::ranges::max_element(use_);
    const std::int64_t last = shown_ ? std::max<std::int64_t>(shown_->atoms() - 1, 0) : 0;
    if (!shown_ || chosen_ > last) {
        follow(-1);
    }
    chosen_ = std::clamp<std::int64_t>(chosen_, 0, last);
}

void AtomMosaic::setOrder(std::vector<std::int64_t> order) {
    order_ = std::move(order);
    setMinimumHeight(heightForWidth(width()));
    updateGeometry();
    update();
}

void AtomMosaic::setFrame(std::size_t frame) {
    frame_ = frame;
    update();
}

void AtomMosaic::follow(std::int64_t atom) {
    const bool isOne = shown_ && atom >= 0 && atom < shown_->atoms();
    if (!isOne && !isFollowed_) {
        return;
    }
    chosen_ = isOne ? atom : chosen_;
    isFollowed_ = isOne;
    update();
    Q_EMIT picked(chosen_);
    Q_EMIT followed(followedAtom());
}

int AtomMosaic::columnsFor(int width) { return std::max(1, (width + tileGap) / tilePitch); }

int AtomMosaic::heightForWidth(int width) const {
    const int count = static_cast<int>(order_.size());
    return (count + columnsFor(width) - 1) / columnsFor(width) * rowPitch;
}

QSize AtomMosaic::sizeHint() const { return {5 * tilePitch, heightForWidth(5 * tilePitch)}; }

QSize AtomMosaic::minimumSizeHint() const { return {tilePitch, tilePitch}; }

void AtomMosaic::resizeEvent(QResizeEvent*) { setMinimumHeight(heightForWidth(width())); }

QRect AtomMosaic::rectOfPosition(std::size_t position) const {
    const int wide = columnsFor(width());
    const int at = static_cast<int>(position);
    return {at % wide * tilePitch, at / wide * rowPitch, tile, tile};
}

QRect AtomMosaic::atomRect(std::int64_t atom) const {
    const auto found = std::ranges::find(order_, atom);
    return found == order_.end() ? QRect()
                                 : rectOfPosition(static_cast<std::size_t>(found - order_.begin()));
}

std::int64_t AtomMosaic::atomAt(QPoint point) const {
    const int column = point.x() / tilePitch;
    if (point.x() < 0 || point.y() < 0 || column >= columnsFor(width())) {
        return -1;
    }
    const auto row = static_cast<std::size_t>(point.y() / rowPitch);
    const std::size_t at =
        row * static_cast<std::size_t>(columnsFor(width())) + static_cast<std::size_t>(column);
    return at < order_.size() ? order_[at] : -1;
}

void AtomMosaic::paintEvent(QPaintEvent* event) {
    const Theme& theme = look_.theme();
    QPainter painter(this);
    painter.fillRect(event->rect(), theme.surface.dock);
    if (!shown_) {
        return;
    }
    for (std::size_t position = 0; position < order_.size(); ++position) {
        const QRect box = rectOfPosition(position);
        if (box.adjusted(-2, -2, 2, useBar + 4).intersects(event->rect())) {
            paintAtom(painter, box, order_[position]);
        }
    }
    if (const QRect box = atomRect(chosen_); !box.isEmpty()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(isFollowed_ ? QPen(theme.accent.ink, 2) : QPen(theme.text.secondary, 1));
        painter.drawRect(isFollowed_ ? box.adjusted(1, 1, -1, -1) : box.adjusted(0, 0, -1, -1));
    }
}

void AtomMosaic::paintAtom(QPainter& painter, const QRect& box, std::int64_t atom) const {
    const Theme& theme = look_.theme();
    const auto at = static_cast<std::size_t>(atom);
    const QImage& image = shown_->pictures[frame_ % shown_->pictures.size()][at];
    const QSize size = image.size().scaled(tile, tile, Qt::KeepAspectRatio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, size.width() < image.width());
    painter.fillRect(box, theme.surface.raised);
    painter.drawImage(
        QRect(box.topLeft() + QPoint((tile - size.width()) / 2, (tile - size.height()) / 2), size),
        image);
    if (at >= use_.size()) {
        return;
    }
    if (use_[at] == 0) {
        const QRect mark(box.right() - 9, box.top() + 2, 7, 7);
        painter.fillRect(mark.adjusted(-1, -1, 2, 2), theme.surface.dock);
        painter.setPen(QPen(theme.text.primary, 1));
        painter.drawLine(mark.topLeft(), mark.bottomRight());
        painter.drawLine(mark.topRight(), mark.bottomLeft());
        return;
    }
    // The bar is proportional to the square root, so that rarely used atoms stay visible.
    const int wide = largestUse_ > 0
                         ? static_cast<int>(std::lround(tile * std::sqrt(use_[at] / largestUse_)))
                         : 0;
    painter.fillRect(box.left(), box.bottom() + 1 + tileGap / 2, std::max(wide, 1), useBar,
                     theme.text.secondary);
}

bool AtomMosaic::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !shown_) {
        return QWidget::event(event);
    }
    const auto* asked = static_cast<QHelpEvent*>(event);
    const std::int64_t atom = atomAt(asked->pos());
    if (atom < 0) {
        QToolTip::hideText();
        return true;
    }
    const auto at = static_cast<std::size_t>(atom);
    QString said = tr("Atom %1, length %2").arg(atom).arg(quantity::number(shown_->norms[at]));
    if (at < use_.size()) {
        said += '\n' + (use_[at] == 0 ? tr("No element of the observed batch uses it (the cross).")
                                      : tr("Used at %1 of all positions of the observed batch. The "
                                           "bar is the square root of that.")
                                            .arg(quantity::percent(use_[at])));
    }
    said +=
        '\n' +
        (atom == followedAtom()
             ? tr("Its code is shown. Click it again or press Escape for the code of all atoms.")
             : tr("Click it to see its code in each element."));
    QToolTip::showText(asked->globalPos(), said, this);
    return true;
}

void AtomMosaic::mousePressEvent(QMouseEvent* event) {
    const std::int64_t atom = atomAt(event->position().toPoint());
    if (atom >= 0) {
        follow(atom == followedAtom() ? -1 : atom);
    }
}

void AtomMosaic::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isFollowed_) {
        follow(-1);
        return;
    }
    const auto found = std::ranges::find(order_, chosen_);
    const int by = event->key() == Qt::Key_Left    ? -1
                   : event->key() == Qt::Key_Right ? 1
                   : event->key() == Qt::Key_Up    ? -columnsFor(width())
                   : event->key() == Qt::Key_Down  ? columnsFor(width())
                                                   : 0;
    if (by == 0 || found == order_.end()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::ptrdiff_t at = found - order_.begin() + by;
    if (at >= 0 && at < static_cast<std::ptrdiff_t>(order_.size())) {
        follow(order_[static_cast<std::size_t>(at)]);
    }
}

} // namespace weft::ui
