// SPDX-License-Identifier: Apache-2.0
#include "monitor/log_view.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/symbols.h"
#include "widgets/padded_delegate.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

/// Returns the alignment of a cell and its header.
int alignmentOf(int column) {
    return int(Qt::AlignVCenter | (column == LogModel::text ? Qt::AlignLeft : Qt::AlignRight));
}

} // namespace

LogModel::LogModel(const Look& look, const RunHub& hub, QObject* parent)
    : QAbstractTableModel(parent),
      look_(look),
      hub_(hub),
      rows_(static_cast<int>(hub.story().size())) {
    connect(&hub_, &RunHub::grown, this, &LogModel::grow);
}

void LogModel::grow(const RunGrowth& growth) {
    const auto count = static_cast<int>(hub_.story().size());
    if (growth.isNew || count < rows_) {
        beginResetModel();
        rows_ = count;
        endResetModel();
    } else if (count > rows_) {
        beginInsertRows({}, rows_, count - 1);
        rows_ = count;
        endInsertRows();
    }
}

int LogModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int LogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rows_) {
        return {};
    }
    const RunMessage& message = hub_.story()[static_cast<std::size_t>(index.row())];
    const Theme& theme = look_.theme();
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case time: return quantity::time(static_cast<double>(message.time) * 1e-9);
        case rank: return message.rank;
        case step: return qlonglong(message.step);
        case text: return QString::fromStdString(message.text);
        default: return {};
        }
    case Qt::DecorationRole: {
        if (index.column() != level || message.level == 0) {
            return {};
        }
        const bool isError = message.level > 1;
        const QColor tint = isError ? theme.semantic.error : theme.semantic.warning;
        return symbolIcon(isError ? QStringLiteral("states/error")
                                  : QStringLiteral("states/warning"),
                          tint, tint);
    }
    case Qt::AccessibleTextRole:
        return index.column() == level ? QVariant(message.level > 1    ? tr("error")
                                                  : message.level == 1 ? tr("warning")
                                                                       : tr("note"))
                                       : data(index, Qt::DisplayRole);
    case Qt::ToolTipRole: return QString::fromStdString(message.text);
    case Qt::FontRole: return Look::mono(Look::sizes().type.small);
    case Qt::TextAlignmentRole: return alignmentOf(index.column());
    default: return {};
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole) {
        return alignmentOf(section);
    }
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case time: return tr("time");
    case rank: return tr("rank");
    case step: return tr("step");
    case text: return tr("message");
    default: return {};
    }
}

LogView::LogView(const Look& look, const RunHub& hub, QWidget* parent)
    : QWidget(parent),
      hub_(hub),
      model_(new LogModel(look, hub, this)),
      table_(new QTableView),
      failureLabel_(new QLabel) {
    const Sizes& sizes = Look::sizes();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    table_->setModel(model_);
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setItemDelegate(new PaddedDelegate(table_));
    table_->setAccessibleName(tr("Messages of the run"));
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(sizes.size.rowTable);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setColumnWidth(LogModel::level, 2 * sizes.size.icon);
    table_->setColumnWidth(LogModel::time, 96);
    table_->setColumnWidth(LogModel::rank, 56);
    table_->setColumnWidth(LogModel::step, 80);
    column->addWidget(table_, 1);
    failureLabel_->setWordWrap(true);
    failureLabel_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    failureLabel_->setMargin(sizes.space.m);
    const auto applyLook = [this, &look] {
        QPalette palette = failureLabel_->palette();
        palette.setColor(QPalette::WindowText, look.theme().semantic.error);
        failureLabel_->setPalette(palette);
    };
    column->addWidget(failureLabel_);
    connect(&look, &Look::changed, this, applyLook);
    connect(&hub_, &RunHub::grown, this, &LogView::grow);
    applyLook();
    grow();
}

QString LogView::failure() const { return failureLabel_->text(); }

void LogView::grow() {
    const QScrollBar* bar = table_->verticalScrollBar();
    if (bar->value() >= bar->maximum() - 1) {
        table_->scrollToBottom();
    }
    failureLabel_->setText(hub_.failureText());
    failureLabel_->setVisible(!failureLabel_->text().isEmpty());
}

} // namespace weft::ui
