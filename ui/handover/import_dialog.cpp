// SPDX-License-Identifier: Apache-2.0
#include "handover/import_dialog.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/padded_delegate.h"
#include "workspace/aside.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int dialogWidth = 820;
constexpr int dialogHeight = 560;
constexpr int outcomeWidth = 104;
constexpr int nodeWidth = 300;
constexpr int endRole = Qt::UserRole; ///< the name that ends the import after this node

QString titleOf(ImportOutcome outcome) {
    switch (outcome) {
    case ImportOutcome::converted: return ImportDialog::tr("converted");
    case ImportOutcome::recognised: return ImportDialog::tr("recognised");
    case ImportOutcome::folded: return ImportDialog::tr("folded");
    case ImportOutcome::leftOut: return ImportDialog::tr("left out");
    case ImportOutcome::remark: return ImportDialog::tr("remark");
    case ImportOutcome::refused: return ImportDialog::tr("refused");
    }
    return {};
}

/// Returns the sort key of a line: refusals first, then remarks, then all others.
int rankOf(const ImportLine* line) {
    return line->outcome == ImportOutcome::refused  ? 0
           : line->outcome == ImportOutcome::remark ? 1
                                                    : 2;
}

/// Returns the result of `work`, or the message of the exception that it throws.
template <class Outcome, class Work>
Outcome outcomeOf(Work work) {
    Outcome outcome;
    try {
        outcome.value = work();
    } catch (const std::exception& error) {
        outcome.failure = QString::fromUtf8(error.what());
    }
    return outcome;
}

} // namespace

ImportDialog::ImportDialog(const Look& look, const QString& file, QWidget* parent)
    : QDialog(parent), look_(look), file_(file), status_(new QLabel), progress_(new QProgressBar) {
    const Sizes& sizes = Look::sizes();
    const QFileInfo info(file);
    setWindowTitle(tr("Import %1").arg(info.fileName()));
    resize(dialogWidth, dialogHeight);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(sizes.space.l, sizes.space.l, sizes.space.l, sizes.space.l);
    column->setSpacing(sizes.space.m);
    status_->setWordWrap(true);
    status_->setTextFormat(Qt::PlainText);
    column->addWidget(status_);
    progress_->setRange(0, 0); // the duration is unknown
    progress_->setAccessibleName(tr("Progress"));
    column->addWidget(progress_);
    makeNodeList(*column);
    makeButtons(*column);
    setFolder(info.absolutePath() + '/' + info.completeBaseName());
    readModel({});
}

void ImportDialog::makeNodeList(QLayout& layout) {
    nodeList_ = new QTreeWidget;
    nodeList_->setHeaderLabels({tr("Outcome"), tr("Node"), tr("What it became")});
    nodeList_->setRootIsDecorated(false);
    nodeList_->setUniformRowHeights(true);
    nodeList_->setItemDelegate(new PaddedDelegate(nodeList_));
    nodeList_->setAccessibleName(tr("What became of each node"));
    nodeList_->header()->resizeSection(0, outcomeWidth);
    nodeList_->header()->resizeSection(1, nodeWidth);
    connect(nodeList_, &QTreeWidget::itemSelectionChanged, this, &ImportDialog::enableButtons);
    layout.addWidget(nodeList_);
}

void ImportDialog::makeButtons(QLayout& layout) {
    auto* place = new QHBoxLayout;
    auto* label = new QLabel(tr("Folder"));
    setTier(*label, Tier::secondary);
    place->addWidget(label);
    folder_ = new QLineEdit;
    folder_->setAccessibleName(tr("Folder for design and weights, new or empty"));
    folder_->setToolTip(folder_->accessibleName());
    label->setBuddy(folder_);
    connect(folder_, &QLineEdit::textChanged, this, &ImportDialog::enableButtons);
    place->addWidget(folder_, 1);
    auto* browse = new QPushButton(tr("Browse …"));
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder"), folder());
        if (!chosen.isEmpty()) {
            setFolder(chosen);
        }
    });
    place->addWidget(browse);
    auto* foot = new QHBoxLayout;
    endHere_ = new QPushButton(tr("End here"));
    endHere_->setToolTip(
        tr("Reads the model again and ends the import after the selected node, or before "
           "it if it is refused"));
    connect(endHere_, &QPushButton::clicked, this, [this] { readModel(selectedEnd()); });
    foot->addWidget(endHere_);
    foot->addStretch();
    auto* close = new QPushButton(tr("Cancel"));
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    foot->addWidget(close);
    importButton_ = new QPushButton(tr("Import"));
    makePrimary(*importButton_);
    connect(importButton_, &QPushButton::clicked, this, &ImportDialog::writeDesign);
    foot->addWidget(importButton_);
    auto* both = static_cast<QVBoxLayout*>(&layout);
    both->addLayout(place);
    both->addLayout(foot);
}

QString ImportDialog::folder() const { return folder_->text(); }

void ImportDialog::setFolder(const QString& folder) { folder_->setText(folder); }

void ImportDialog::readModel(const std::string& lastNode) {
    setBusy(true, tr("Reading %1 …").arg(file_));
    runInBackground(
        this,
        [request = ImportRequest{.file = file_.toStdString(), .until = lastNode}] {
            return outcomeOf<ReadModel>(
                [&] { return std::make_shared<const Import>(importOnnx(request)); });
        },
        [this](const ReadModel& model) { showModel(model); });
}

void ImportDialog::showModel(const ReadModel& model) {
    if (model.value != nullptr) {
        import_ = model.value;
        fillNodeList();
    }
    const auto refused = import_ == nullptr ? 0 : import_->linesWith(ImportOutcome::refused).size();
    setBusy(false,
            !model.failure.isEmpty() ? model.failure
            : refused == 0
                ? tr("The model becomes %1.")
                      .arg(quantity::counted(import_->design.network.layers.size(), tr("layer"),
                                             tr("layers")))
                : tr("%1 cannot be imported. To import the part before a node, select it and "
                     "press End here.")
                      .arg(quantity::counted(refused, tr("node"), tr("nodes"))));
}

void ImportDialog::fillNodeList() {
    std::vector<const ImportLine*> lines;
    for (const ImportLine& line : import_->lines) {
        lines.push_back(&line);
    }
    std::ranges::stable_sort(lines, {}, rankOf);
    nodeList_->clear();
    QList<QTreeWidgetItem*> items;
    for (const ImportLine* line : lines) {
        auto* item =
            new QTreeWidgetItem({titleOf(line->outcome), QString::fromStdString(line->subject),
                                 QString::fromStdString(line->text)});
        item->setData(0, endRole, QString::fromStdString(line->end));
        item->setToolTip(1, item->text(1));
        item->setToolTip(2, item->text(2));
        if (line->outcome == ImportOutcome::refused) {
            item->setForeground(0, look_.theme().semantic.error);
        }
        items << item;
    }
    nodeList_->addTopLevelItems(items);
}

std::string ImportDialog::selectedEnd() const {
    const QList<QTreeWidgetItem*> chosen = nodeList_->selectedItems();
    return chosen.isEmpty() ? std::string()
                            : chosen.front()->data(0, endRole).toString().toStdString();
}

void ImportDialog::writeDesign() {
    setBusy(true, tr("Writing to %1 …").arg(folder()));
    using Written = Outcome<QString>;
    runInBackground(
        this,
        [import = import_, folder = folder().toStdString()] {
            return outcomeOf<Written>(
                [&] { return QString::fromStdString(writeImport(*import, folder).string()); });
        },
        [this](const Written& written) {
            setBusy(false, written.failure);
            if (written.failure.isEmpty()) {
                emit imported(written.value);
                accept();
            }
        });
}

void ImportDialog::setBusy(bool isBusy, const QString& text) {
    isBusy_ = isBusy;
    status_->setText(text);
    progress_->setVisible(isBusy);
    enableButtons();
}

void ImportDialog::enableButtons() {
    const bool isWhole = import_ != nullptr && import_->linesWith(ImportOutcome::refused).empty();
    endHere_->setEnabled(!isBusy_ && !selectedEnd().empty());
    importButton_->setEnabled(!isBusy_ && isWhole && !folder().trimmed().isEmpty());
}

} // namespace weft::ui
