// SPDX-License-Identifier: Apache-2.0
#include "history/history_view.h"

#include "history/waiting_runs.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/padded_delegate.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace weft::ui {

namespace {

constexpr int everyMilliseconds = 2000;
/// Hosts are asked less often, since that uses the network.
constexpr int hostsEveryMilliseconds = 15'000;
/// Number of runs that the question before a deletion lists by name; it counts all others.
constexpr qsizetype mostNamed = 10;

} // namespace

HistoryView::HistoryView(const Look& look, RunControl& control, QWidget* parent)
    : QWidget(parent), look_(look), control_(control) {
    const Sizes& sizes = Look::sizes();
    pool_.setMaxThreadCount(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    search_ = new QLineEdit;
    search_->setPlaceholderText(tr("Search runs, designs and notes"));
    search_->setClearButtonEnabled(true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(sizes.space.m, sizes.space.xs, sizes.space.m, sizes.space.xs);
    head->addWidget(search_);
    column->addLayout(head);
    column->addWidget(new WaitingRuns(control_));
    makeTable();
    column->addWidget(table_, 1);
    noRunsLabel_ = new QLabel(tr("No run yet."));
    noRunsLabel_->setAlignment(Qt::AlignCenter);
    setTier(*noRunsLabel_, Tier::secondary);
    column->addWidget(noRunsLabel_, 1);
    makeButtons(*column);
    connect(search_, &QLineEdit::textChanged, sortedModel_,
            &QSortFilterProxyModel::setFilterFixedString);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &HistoryView::enableButtons);
    connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() != RunModel::note) {
            openChosen();
        }
    });
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == RunModel::star) {
            sortedModel_->setData(index, !index.data(Qt::EditRole).toBool(), Qt::EditRole);
        }
    });
    connect(model_, &RunModel::failed, this, &HistoryView::failed);
    connect(&control_, &RunControl::changed, this, &HistoryView::refresh);
    connect(&control_.hosts(), &Hosts::changed, this, &HistoryView::refresh);
    reloadTimer_.setInterval(everyMilliseconds);
    connect(&reloadTimer_, &QTimer::timeout, this, &HistoryView::refresh);
    hostsTimer_.setInterval(hostsEveryMilliseconds);
    connect(&hostsTimer_, &QTimer::timeout, &control_.hosts(), &Hosts::requestRuns);
    enableButtons();
}

void HistoryView::makeTable() {
    const Sizes& sizes = Look::sizes();
    model_ = new RunModel(this);
    sortedModel_ = new QSortFilterProxyModel(this);
    sortedModel_->setSourceModel(model_);
    sortedModel_->setSortRole(RunModel::sortRole);
    sortedModel_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    sortedModel_->setFilterKeyColumn(-1);
    table_ = new QTableView;
    table_->setModel(sortedModel_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(RunModel::begun, Qt::DescendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setItemDelegate(new PaddedDelegate(table_));
    table_->setAccessibleName(tr("Runs"));
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(sizes.size.rowTable);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    table_->horizontalHeader()->setStretchLastSection(true);
    const std::pair<int, int> widths[] = {
        {RunModel::star, 32},     {RunModel::run, 176},     {RunModel::note, 110},
        {RunModel::design, 110},  {RunModel::state, 72},    {RunModel::step, 70},
        {RunModel::bestLoss, 80}, {RunModel::stepTime, 80}, {RunModel::devices, 92},
        {RunModel::size, 76},     {RunModel::begun, 132}};
    for (const auto& [section, width] : widths) {
        table_->setColumnWidth(section, width);
    }
}

HistoryView::~HistoryView() { pool_.waitForDone(); }

void HistoryView::makeButtons(QLayout& column) {
    const Sizes& sizes = Look::sizes();
    auto* foot = new QWidget;
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(sizes.space.m, sizes.space.s, sizes.space.m, sizes.space.s);
    const auto add = [&](const QString& text, auto run) {
        auto* button = new QPushButton(text);
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, run);
        return button;
    };
    open_ = add(tr("Open"), [this] { openChosen(); });
    makePrimary(*open_);
    curves_ = add(tr("Compare curves"), [this] { showCurves(); });
    difference_ = add(tr("Difference"), [this] { showDifference(); });
    design_ = add(tr("Open design"), [this] { Q_EMIT designWanted(chosen().front()); });
    resume_ = add(tr("Resume"), [this] { resumeChosen(); });
    remoteResumeMenu_ = new QMenu(resume_);
    remoteResumeMenu_->setToolTipsVisible(true);
    resumeOnHost_ = remoteResumeMenu_->addAction({}, this, [this] { resumeChosen(); });
    resumeHere_ = remoteResumeMenu_->addAction(tr("Here, as a new run"), this,
                                               [this] { resumeChosenHere(); });
    resumeHere_->setToolTip(tr("Copies its newest checkpoint and starts a new run from it; the run "
                               "on the host stays unchanged"));
    copy_ = add(tr("Copy command"), [this] { copyCommand(); });
    row->addStretch();
    delete_ = add(tr("Delete"), [this] { deleteChosen(); });
    column.addWidget(foot);
}

void HistoryView::setPlaces(std::vector<RunPlace> places) {
    for (RunPlace& place : places) {
        place.folder = QDir(place.folder).absolutePath();
    }
    places_ = std::move(places);
    refresh();
}

QString HistoryView::folder() const { return places_.empty() ? QString() : places_.front().folder; }

void HistoryView::setConfirmation(std::function<bool(const QStringList&)> confirm) {
    askDeletion_ = std::move(confirm);
}

void HistoryView::showEvent(QShowEvent*) {
    control_.hosts().requestRuns();
    refresh();
    reloadTimer_.start();
    hostsTimer_.start();
}

void HistoryView::hideEvent(QHideEvent*) {
    reloadTimer_.stop();
    hostsTimer_.stop();
}

void HistoryView::refresh() {
    if (places_.empty() || isReading_) {
        return;
    }
    isReading_ = true;
    const int number = ++requestNumber_;
    std::vector<HostRuns> hosts;
    for (const KnownHost& host : control_.hosts().all()) {
        hosts.push_back({host.host.name, host.line == LineState::up, host.runs});
    }
    pool_.start([this, number, editCount = model_->editCount(), places = places_, hosts,
                 known = model_->runs()] {
        std::vector<ListedRun> runs = readRuns(places, hosts, known);
        QMetaObject::invokeMethod(
            this,
            [this, number, editCount, places, runs]() mutable {
                isReading_ = false;
                if (places == places_) {
                    takeRuns(number, editCount, std::move(runs));
                } else {
                    refresh(); // other places were chosen meanwhile
                }
            },
            Qt::QueuedConnection);
    });
}

void HistoryView::takeRuns(int number, int editCount, std::vector<ListedRun> runs) {
    if (number != requestNumber_) {
        return;
    }
    if (editCount != model_->editCount()) {
        refresh(); // the runs may have been read before the edit
        return;
    }
    model_->setRuns(std::move(runs));
    table_->setVisible(model_->rowCount() > 0);
    noRunsLabel_->setVisible(model_->rowCount() == 0);
    enableButtons();
}

QStringList HistoryView::chosen() const {
    QStringList folders;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
        folders << index.data(RunModel::folderRole).toString();
    }
    return folders;
}

void HistoryView::choose(const QStringList& folders) {
    table_->clearSelection();
    for (int row = 0; row < sortedModel_->rowCount(); ++row) {
        const QModelIndex index = sortedModel_->index(row, 0);
        if (folders.contains(index.data(RunModel::folderRole).toString())) {
            table_->selectionModel()->select(index, QItemSelectionModel::Select |
                                                        QItemSelectionModel::Rows);
        }
    }
}

void HistoryView::enableButtons() {
    const QStringList runs = chosen();
    const ListedRun* one = runs.size() == 1 ? model_->find(runs.front()) : nullptr;
    const bool areHere = std::ranges::all_of(runs, [this](const QString& folder) {
        const ListedRun* run = model_->find(folder);
        return run != nullptr && run->isHere;
    });
    const bool isLiving = one != nullptr && (one->summary.state == RunState::living ||
                                             one->summary.state == RunState::waiting);
    const QString whyNotHere = areHere ? QString() : tr("It has no local copy yet: open it first.");
    open_->setEnabled(one != nullptr);
    curves_->setEnabled(!runs.isEmpty() && areHere);
    difference_->setEnabled(runs.size() == 2 && areHere);
    design_->setEnabled(one != nullptr && areHere);
    for (QPushButton* button : {curves_, difference_, design_}) {
        button->setToolTip(whyNotHere);
    }
    copy_->setEnabled(one != nullptr);
    const QString host = one == nullptr ? QString() : QString::fromStdString(one->summary.host);
    resume_->setMenu(host.isEmpty() ? nullptr : remoteResumeMenu_);
    resumeOnHost_->setText(tr("On %1").arg(host));
    resumeOnHost_->setEnabled(!isLiving);
    resumeHere_->setEnabled(one != nullptr && one->summary.state != RunState::waiting);
    resume_->setEnabled(one != nullptr &&
                        (!isLiving || (!host.isEmpty() && resumeHere_->isEnabled())));
    const QString why = whyNotDeleted(runs);
    delete_->setEnabled(!runs.isEmpty() && why.isEmpty());
    delete_->setToolTip(why);
}

QString HistoryView::whyNotDeleted(const QStringList& runs) const {
    if (!runs.isEmpty() && filterByStar(runs, false).isEmpty()) {
        return tr("A starred run cannot be deleted: remove its star first.");
    }
    for (const QString& folder : runs) {
        const ListedRun* run = model_->find(folder);
        if (run == nullptr) {
            continue;
        }
        const RunState state = run->summary.state;
        const QString host = QString::fromStdString(run->summary.host);
        if (!run->isHere) {
            return tr("%1 is on %2 and has no local copy.").arg(folder.section('/', -1), host);
        }
        if (!host.isEmpty() && (state == RunState::living || state == RunState::waiting)) {
            return tr("%1 is still live on %2: its copy can be deleted once it has ended.")
                .arg(folder.section('/', -1), host);
        }
        if (state == RunState::living) {
            return tr("A live run cannot be deleted: stop it first.");
        }
    }
    return {};
}

void HistoryView::withCopy(const QString& folder, const std::function<void(const QString&)>& run) {
    const ListedRun* listed = model_->find(folder);
    if (listed == nullptr || listed->isHere) {
        run(folder);
        return;
    }
    control_.hosts().follow({listed->summary.host, listed->summary.name}, run);
}

void HistoryView::openChosen() {
    if (const QStringList runs = chosen(); !runs.isEmpty()) {
        withCopy(runs.front(), [this](const QString& folder) { Q_EMIT runWanted(folder); });
    }
}

void HistoryView::showCurves() {
    for (const QString& folder : chosen()) {
        control_.hosts().follow(folder);
    }
    Q_EMIT curvesWanted(chosen());
}

void HistoryView::resumeChosen() {
    const QStringList runs = chosen();
    if (runs.size() != 1) {
        return;
    }
    withCopy(runs.front(), [this, runsFolder = folder()](const QString& folder) {
        LaunchRequest order;
        order.name = QDir(folder).dirName();
        order.resume = folder;
        order.runs = runsFolder;
        control_.start(std::move(order));
    });
}

void HistoryView::resumeChosenHere() {
    const QStringList runs = chosen();
    const ListedRun* run = runs.size() == 1 ? model_->find(runs.front()) : nullptr;
    if (run == nullptr) {
        return;
    }
    LaunchRequest order;
    order.name = QString::fromStdString(run->summary.design.empty() ? run->summary.name
                                                                    : run->summary.design);
    order.from = QString::fromStdString(run->summary.host + ':' + run->summary.name);
    order.runs = folder();
    control_.start(std::move(order));
}

void HistoryView::copyCommand() {
    const QStringList runs = chosen();
    if (runs.size() != 1) {
        return;
    }
    LaunchRequest order;
    const ListedRun* run = model_->find(runs.front());
    if (run != nullptr && !run->summary.host.empty()) {
        QGuiApplication::clipboard()->setText(RunControl::lineOf(
            {QStringLiteral("weft"), QStringLiteral("attach"),
             QString::fromStdString(run->summary.host + ':' + run->summary.name)}));
        return;
    }
    order.devices = run == nullptr ? QStringList() : devicesOf(*run);
    QGuiApplication::clipboard()->setText(RunControl::lineOf(
        RunControl::commandFor(order, runs.front() + QStringLiteral("/design.weft"), {})));
}

/// Shows the design changes from the run that began first to the other one, whatever the order of
/// selection.
void HistoryView::showDifference() {
    const QStringList two = chosen();
    const ListedRun* first = two.size() == 2 ? model_->find(two.front()) : nullptr;
    const ListedRun* second = two.size() == 2 ? model_->find(two.back()) : nullptr;
    if (first == nullptr || second == nullptr) {
        return;
    }
    const auto whenOf = [](const ListedRun& run) {
        return std::pair(run.summary.begun, run.summary.name); // names begin with the date
    };
    const bool isInOrder = whenOf(*first) <= whenOf(*second);
    Q_EMIT differenceWanted(isInOrder ? two.front() : two.back(),
                            isInOrder ? two.back() : two.front());
}

QStringList HistoryView::filterByStar(const QStringList& runs, bool isStarred) const {
    QStringList found;
    for (const QString& folder : runs) {
        const ListedRun* run = model_->find(folder);
        if (run != nullptr && run->marks.isStarred == isStarred) {
            found << folder;
        }
    }
    return found;
}

bool HistoryView::confirmDeletion(const QStringList& runs, const QStringList& kept) {
    if (askDeletion_) {
        return askDeletion_(runs);
    }
    const auto namesOf = [](const QStringList& folders) {
        QStringList names;
        for (const QString& folder : folders.first(std::min(mostNamed, folders.size()))) {
            names << folder.section('/', -1);
        }
        if (folders.size() > mostNamed) {
            names << tr("and %1 more").arg(folders.size() - mostNamed);
        }
        return names.join('\n');
    };
    double bytes = 0;
    bool hasCopies = false;
    for (const QString& folder : runs) {
        const ListedRun* run = model_->find(folder);
        bytes += static_cast<double>(run->summary.size.count);
        hasCopies = hasCopies || !run->summary.host.empty();
    }
    QStringList words{namesOf(runs),
                      tr("%1 on disk. Their designs, curves and weights are deleted permanently.")
                          .arg(quantity::bytes(bytes))};
    if (hasCopies) {
        words << tr(
            "For a run on another host, only the local copy is deleted, with its note and star.");
    }
    if (!kept.isEmpty()) {
        words << tr("Starred runs are kept:") + '\n' + namesOf(kept);
    }
    QMessageBox question(QMessageBox::NoIcon, tr("Delete runs"),
                         runs.size() == 1 ? tr("Delete this run?")
                                          : tr("Delete these %1 runs?").arg(runs.size()),
                         QMessageBox::Cancel, this);
    question.setInformativeText(words.join(QStringLiteral("\n\n")));
    const QPushButton* wanted = question.addButton(tr("Delete"), QMessageBox::DestructiveRole);
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    return question.clickedButton() == wanted;
}

void HistoryView::deleteChosen() {
    const QStringList all = chosen();
    const QStringList runs = filterByStar(all, false);
    if (runs.isEmpty() || !whyNotDeleted(all).isEmpty() ||
        !confirmDeletion(runs, filterByStar(all, true))) {
        return;
    }
    for (const QString& folder : runs) {
        const ListedRun* run = model_->find(folder); // the list may have been reloaded meanwhile
        if (run != nullptr && !run->marks.isStarred && whyNotDeleted({folder}).isEmpty()) {
            deleteRun(*run);
        }
    }
    refresh();
}

void HistoryView::deleteRun(const ListedRun& run) {
    const QString folder = QString::fromStdString(run.summary.folder.string());
    if (const auto copy = copyOf(run.summary.folder)) {
        control_.hosts().leave(*copy);
        if (const auto now = copyOf(run.summary.folder); now && now->isUp) {
            Q_EMIT failed(
                tr("%1: another program follows the run and updates the copy").arg(folder));
            return;
        }
    }
    if (!QDir(folder).removeRecursively()) {
        Q_EMIT failed(
            tr("%1: could not be deleted completely: check who owns its files").arg(folder));
    }
}

} // namespace weft::ui
