// SPDX-License-Identifier: Apache-2.0
#include "panels/palette/palette_panel.h"

#include "panels/palette/kind_rail.h"
#include "panels/palette/kind_rows.h"
#include "theme/symbols.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

class KindModel : public QStandardItemModel {
public:
    using QStandardItemModel::QStandardItemModel;
    [[nodiscard]] QStringList mimeTypes() const override { return {QLatin1String(kindMimeType)}; }
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override {
        auto* data = new QMimeData;
        if (!indexes.isEmpty()) {
            data->setData(kindMimeType, indexes.front().data(idRole).toString().toUtf8());
        }
        return data;
    }
};

} // namespace

PalettePanel::PalettePanel(WindowContext& context, QWidget* parent)
    : Panel(context, parent),
      wideForm_(new QWidget(this)),
      iconRail_(new KindRail(context, this)),
      searchField_(new QLineEdit(wideForm_)),
      tree_(new QTreeView(wideForm_)),
      model_(new KindModel(this)) {
    const Sizes& sizes = tokens().sizes;
    iconRail_->hide();
    auto* layout = new QVBoxLayout(wideForm_);
    layout->setContentsMargins(0, sizes.space.m, 0, 0);
    layout->setSpacing(sizes.space.s);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(sizes.space.m, 0, sizes.space.m, 0);
    searchField_->setPlaceholderText(tr("Find a layer"));
    searchField_->setAccessibleName(tr("Find a layer"));
    searchField_->setClearButtonEnabled(true);
    top->addWidget(searchField_);
    layout->addLayout(top);
    tree_->setModel(model_);
    tree_->setHeaderHidden(true);
    tree_->setItemDelegate(makeSearchDelegate(context.look, sizes.size.row, this));
    tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree_->setDragEnabled(true);
    tree_->setIndentation(0); // the rows of headings have a chevron of their own
    tree_->setRootIsDecorated(false);
    tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree_->setAccessibleName(tr("Layer kinds"));
    tree_->setUniformRowHeights(true);
    tree_->setExpandsOnDoubleClick(false);
    layout->addWidget(tree_);
    setFocusProxy(searchField_);
    searchField_->installEventFilter(this);
    connect(searchField_, &QLineEdit::textChanged, this, &PalettePanel::fillTree);
    connect(searchField_, &QLineEdit::returnPressed, this, &PalettePanel::addSelectedKind);
    connect(tree_, &QTreeView::activated, this, &PalettePanel::addSelectedKind);
    connect(tree_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        tree_->setExpanded(index, !tree_->isExpanded(index));
    });
}

QSize PalettePanel::minimumSizeHint() const {
    return {tokens().sizes.size.topBar, tokens().sizes.size.topBar};
}

void PalettePanel::resizeEvent(QResizeEvent*) {
    const bool isNarrow = width() < 2 * tokens().sizes.size.topBar;
    wideForm_->setVisible(!isNarrow);
    iconRail_->setVisible(isNarrow);
    wideForm_->setGeometry(rect());
    iconRail_->setGeometry(rect());
}

void PalettePanel::refresh(unsigned causes) {
    const std::size_t groups =
        design() == nullptr ? 0 : design()->document().design().groups.size();
    if ((causes & (designCause | lookCause)) != 0 || groups != groupCount_) {
        groupCount_ = groups;
        fillTree();
    }
}

void PalettePanel::fillTree() {
    const QString query = searchField_->text();
    const Theme& theme = context().look.theme();
    model_->clear();
    QStandardItem* best = nullptr;
    QHash<QString, QStandardItem*> categories;
    const Design* shown = design() == nullptr ? nullptr : &design()->document().design();
    for (const KindHit& hit : findKinds(*context().kinds, shown, query)) {
        QStandardItem* item = makeSearchItem(rowOf(hit, theme));
        item->setDragEnabled(true);
        item->setToolTip(hit.title);
        best = best == nullptr ? item : best;
        if (!query.isEmpty()) {
            model_->appendRow(item);
            continue;
        }
        QStandardItem*& category = categories[hit.category];
        if (category == nullptr) {
            category = new QStandardItem(categoryTitle(hit.category));
            category->setForeground(theme.text.tertiary);
            category->setSelectable(false);
            category->setDragEnabled(false);
            model_->appendRow(category);
        }
        category->appendRow(item);
    }
    tree_->expandAll();
    if (!query.isEmpty() && best != nullptr) {
        tree_->setCurrentIndex(best->index());
    }
}

QString PalettePanel::chosen() const { return tree_->currentIndex().data(idRole).toString(); }

void PalettePanel::addSelectedKind() {
    if (!chosen().isEmpty()) {
        emit context().placeWanted(chosen());
    }
}

bool PalettePanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const QModelIndex next = key == Qt::Key_Down ? tree_->indexBelow(tree_->currentIndex())
                                                         : tree_->indexAbove(tree_->currentIndex());
            if (next.isValid()) {
                tree_->setCurrentIndex(next);
            }
            return true;
        }
    }
    return Panel::eventFilter(watched, event);
}

} // namespace weft::ui
