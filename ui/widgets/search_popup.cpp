// SPDX-License-Identifier: Apache-2.0
#include "widgets/search_popup.h"

#include "theme/symbols.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

constexpr int fieldHeight = 36;
constexpr int rowHeight = 28;
constexpr int mostRows = 10;

} // namespace

SearchPopup::SearchPopup(Look& look, QWidget& window)
    : QFrame(&window),
      look_(look),
      field_(new QLineEdit(this)),
      list_(new QListView(this)),
      model_(new QStandardItemModel(this)) {
    hide();
    setObjectName(QStringLiteral("searchPopup"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 5);
    layout->setSpacing(0);
    field_->setFrame(false);
    field_->setFixedHeight(fieldHeight);
    searchIcon_ = field_->addAction(QIcon(), QLineEdit::LeadingPosition);
    field_->setTextMargins(4, 0, 8, 0);
    layout->addWidget(field_);
    list_->setModel(model_);
    list_->setItemDelegate(makeSearchDelegate(look, rowHeight, this));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setMouseTracking(true);
    list_->viewport()->setAutoFillBackground(false);
    list_->setAccessibleName(tr("Matches"));
    layout->addWidget(list_);
    field_->installEventFilter(this);
    connect(field_, &QLineEdit::textChanged, this, &SearchPopup::fill);
    connect(list_, &QListView::clicked, this, &SearchPopup::choose);
}

void SearchPopup::open(QPoint at, int width, const QString& hint, Find find, Take take,
                       TakeAll takeAll) {
    find_ = std::move(find);
    take_ = std::move(take);
    takeAll_ = std::move(takeAll);
    focusBefore_ = QApplication::focusWidget();
    const Theme& theme = look_.theme();
    searchIcon_->setIcon(
        symbolIcon(QStringLiteral("actions/search"), theme.text.tertiary, theme.text.disabled));
    field_->setPlaceholderText(hint);
    field_->setAccessibleName(hint);
    setAccessibleName(hint);
    setFixedWidth(width);
    const QSignalBlocker quiet(field_);
    field_->clear();
    fill();
    const QRect room = parentWidget()->rect().adjusted(8, 8, -8, -8);
    // Reserves the full height, so that the popup doesn't move while the user types.
    const int tallest = fieldHeight + mostRows * rowHeight + 6;
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width)));
    at.setY(std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - tallest)));
    move(at);
    show();
    raise();
    field_->setFocus(Qt::PopupFocusReason);
}

void SearchPopup::fill() {
    model_->clear();
    for (const SearchRow& row : find_(field_->text())) {
        model_->appendRow(makeSearchItem(row));
    }
    const int rows = std::min(model_->rowCount(), mostRows);
    list_->setFixedHeight(rows * rowHeight);
    adjustSize();
    resize(width(), fieldHeight + rows * rowHeight + 6);
    list_->setCurrentIndex(model_->index(0, 0));
}

void SearchPopup::choose() {
    const QModelIndex index = list_->currentIndex();
    if (!index.isValid() || (index.flags() & Qt::ItemIsEnabled) == 0) {
        return;
    }
    const QString id = index.data(idRole).toString();
    returnFocus();
    // Copies the callback, because it may open the popup again.
    const auto take = take_;
    take(id);
}

void SearchPopup::chooseAll() {
    QStringList ids;
    for (int row = 0; row < model_->rowCount(); ++row) {
        ids << model_->index(row, 0).data(idRole).toString();
    }
    returnFocus();
    const auto takeAll = takeAll_;
    takeAll(ids);
}

void SearchPopup::returnFocus() {
    hide();
    if (focusBefore_ != nullptr) {
        focusBefore_->setFocus();
    }
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut && isVisible()) {
        hide();
    }
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int row = list_->currentIndex().row();
        const bool isPress = event->type() == QEvent::KeyPress;
        const auto go = [&](int to) {
            if (isPress && model_->rowCount() > 0) {
                list_->setCurrentIndex(model_->index(std::clamp(to, 0, model_->rowCount() - 1), 0));
            }
        };
        switch (key->key()) {
        case Qt::Key_Up: go(row - 1); break;
        case Qt::Key_Down:
        case Qt::Key_Tab: go(row + 1); break;
        case Qt::Key_PageUp: go(row - mostRows); break;
        case Qt::Key_PageDown: go(row + mostRows); break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (isPress && takeAll_ && (key->modifiers() & Qt::ControlModifier) != 0) {
                chooseAll();
            } else if (isPress) {
                choose();
            }
            break;
        case Qt::Key_Escape:
            if (isPress) {
                returnFocus();
            }
            break;
        default: return QFrame::eventFilter(watched, event);
        }
        event->accept();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void SearchPopup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = look_.theme();
    painter.fillRect(rect(), theme.surface.overlay);
    painter.setPen(theme.line.strong);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.fillRect(1, fieldHeight, width() - 2, 1, theme.line.subtle);
}

} // namespace weft::ui
