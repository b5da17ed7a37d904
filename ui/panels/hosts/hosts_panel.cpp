// SPDX-License-Identifier: Apache-2.0
#include "panels/hosts/hosts_panel.h"

#include "panels/hosts/host_form.h"
#include "panels/hosts/host_report_view.h"
#include "panels/hosts/host_words.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "widgets/empty_state.h"
#include "widgets/padded_delegate.h"

#include <QAction>
#include <QFrame>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <utility>

namespace weft::ui {

namespace {

constexpr int listWidth = 268;
constexpr int formWidth = 316;
constexpr int leastHeight = 196; ///< height of each part

QPushButton* button(const QString& text, const QString& help, QLayout& into) {
    auto* made = new QPushButton(text);
    made->setToolTip(paragraphs(help));
    into.addWidget(made);
    return made;
}

} // namespace

HostsPanel::HostsPanel(WindowContext& context, QWidget* parent)
    : Panel(context, parent),
      columns_(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      list_(new QTreeWidget(this)),
      rightStack_(new QStackedLayout),
      form_(new HostForm(context)),
      report_(new HostReportView(context.look)) {
    columns_->setContentsMargins(0, 0, 0, 0);
    columns_->setSpacing(0);
    columns_->addWidget(makeList());
    columns_->addWidget(makeSeparator());
    auto* fields = new QScrollArea(this);
    fields->setWidgetResizable(true);
    fields->setFrameShape(QFrame::NoFrame);
    fields->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fields->setMinimumSize(formWidth, leastHeight);
    fields->setWidget(form_);
    hostWidgets_ = makeReport();
    auto* pair = new QWidget(this);
    formAndReport_ = new QBoxLayout(QBoxLayout::LeftToRight, pair);
    formAndReport_->setContentsMargins(0, 0, 0, 0);
    formAndReport_->setSpacing(0);
    formAndReport_->addWidget(fields, 2);
    formAndReport_->addWidget(makeSeparator());
    formAndReport_->addWidget(hostWidgets_, 3);
    auto* add = new QAction(tr("Add host"), this);
    connect(add, &QAction::triggered, this, &HostsPanel::startNewHost);
    rightStack_->addWidget(new EmptyState(
        context.look, {}, tr("No host yet"),
        tr("Runs can be sent to any machine that ssh reaches, and followed here."), add, this));
    rightStack_->addWidget(pair);
    columns_->addLayout(rightStack_, 1);
    connect(form_, &HostForm::added, this, [this](const QString& name) {
        isAdding_ = false;
        selectedName_ = name;
        hear(machineCause);
    });
    connect(&context.control.hosts(), &Hosts::changed, this, [this] { hear(machineCause); });
    setFocusProxy(list_);
}

/// Makes a separator between adjacent parts.
QWidget* HostsPanel::makeSeparator() {
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::VLine);
    line->setFixedWidth(1);
    separators_.push_back(line);
    return line;
}

QWidget* HostsPanel::makeList() {
    const Sizes& sizes = tokens().sizes;
    auto* side = new QWidget(this);
    side->setMinimumSize(listWidth, leastHeight);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, sizes.space.xs, 0, sizes.space.s);
    column->setSpacing(sizes.space.xs);
    list_->setColumnCount(2);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setItemDelegate(new PaddedDelegate(list_));
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setAccessibleName(tr("Hosts"));
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(list_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item != nullptr) {
            isAdding_ = false;
            selectedName_ = item->text(0);
            showSelected();
        }
    });
    column->addWidget(list_, 1);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(sizes.space.l, 0, sizes.space.l, 0);
    row->setSpacing(sizes.space.s);
    connect(button(tr("Add"), tr("Adds a host"), *row), &QPushButton::clicked, this,
            &HostsPanel::startNewHost);
    removeButton_ = button(tr("Remove"), tr("Removes the host from this list"), *row);
    connect(removeButton_, &QPushButton::clicked, this, &HostsPanel::removeSelected);
    row->addStretch();
    auto* help = new QToolButton(side);
    help->setText(QStringLiteral("?"));
    help->setObjectName(QStringLiteral("help on hosts"));
    help->setAutoRaise(true);
    help->setFocusPolicy(Qt::StrongFocus);
    help->setFixedSize(sizes.size.hitMinimum, sizes.size.hitMinimum);
    help->setToolTip(tr("Shows what is sent to hosts, and what is never sent"));
    help->setAccessibleName(help->toolTip());
    connect(help, &QToolButton::clicked, this,
            [this] { Q_EMIT context().helpWanted(QStringLiteral("page:hosts")); });
    row->addWidget(help);
    column->addLayout(row);
    return side;
}

QWidget* HostsPanel::makeReport() {
    const Sizes& sizes = tokens().sizes;
    auto* side = new QWidget(this);
    side->setMinimumSize(formWidth, leastHeight);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, sizes.space.s, 0, 0);
    column->setSpacing(sizes.space.xs);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(sizes.space.l, 0, sizes.space.l, 0);
    row->setSpacing(sizes.space.s);
    Hosts& hosts = context().control.hosts();
    checkButton_ =
        button(tr("Check"), tr("Asks the host for its devices, over its connection."), *row);
    makePrimary(*checkButton_);
    connect(checkButton_, &QPushButton::clicked, this,
            [this, &hosts] { hosts.requestReport(selectedName_); });
    connectButton_ = button(tr("Connect …"), {}, *row);
    connect(connectButton_, &QPushButton::clicked, this,
            [this, &hosts] { hosts.requestReport(selectedName_, true); });
    installButton_ =
        button(tr("Install"), tr("Installs an engine in ~/weft on the host, without root."), *row);
    auto* ways = new QMenu(installButton_);
    ways->setToolTipsVisible(true);
    ways->addAction(tr("Copy this engine with its libraries"), this,
                    [this, &hosts] { hosts.install(selectedName_, false); })
        ->setToolTip(tr("Sends the engine of this machine to the host, which takes about a minute. "
                        "MPI is not sent, so that runs have a single rank."));
    ways->addAction(tr("Build it on the host"), this,
                    [this, &hosts] { hosts.install(selectedName_, true); })
        ->setToolTip(tr("Compiles the engine on the host, which takes long. The result uses the "
                        "MPI and CUDA of the host."));
    installButton_->setMenu(ways);
    queryNodesButton_ =
        button(tr("Query nodes"),
               tr("A one-minute job in the partition reports the devices of a node; runs on "
                  "the host are then planned for them."),
               *row);
    connect(queryNodesButton_, &QPushButton::clicked, this,
            [this, &hosts] { hosts.askNodes(selectedName_); });
    stopButton_ =
        button(tr("Stop"),
               tr("Cancels the operation on the host; what was installed before stays."), *row);
    connect(stopButton_, &QPushButton::clicked, this,
            [this, &hosts] { hosts.cancelOperation(selectedName_); });
    disconnectButton_ = button(
        tr("Close connection"),
        tr("Closes the connection that all your programs share. Runs on the host continue."), *row);
    connect(disconnectButton_, &QPushButton::clicked, this,
            [this, &hosts] { hosts.close(selectedName_); });
    connect(list_, &QTreeWidget::itemActivated, checkButton_, &QPushButton::click);
    row->addStretch();
    column->addLayout(row);
    column->addWidget(report_, 1);
    QSizePolicy policy = side->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // keeps the fields of a new host in the same place
    side->setSizePolicy(policy);
    return side;
}

const KnownHost* HostsPanel::selectedHost() const {
    return isAdding_ ? nullptr : context().control.hosts().find(selectedName_);
}

void HostsPanel::refresh(unsigned) {
    fillList();
    showSelected();
}

void HostsPanel::showEvent(QShowEvent* event) {
    context().control.hosts().readSettings(); // the command line changes the hosts too
    Panel::showEvent(event);
}

void HostsPanel::fillList() {
    const QSignalBlocker quiet(list_);
    const Theme& theme = context().look.theme();
    const std::vector<KnownHost>& hosts = context().control.hosts().all();
    if (!isAdding_ && selectedHost() == nullptr) {
        selectedName_ = hosts.empty() ? QString() : hosts.front().name();
    }
    while (list_->topLevelItemCount() > static_cast<int>(hosts.size())) {
        delete list_->takeTopLevelItem(0);
    }
    while (list_->topLevelItemCount() < static_cast<int>(hosts.size())) {
        new QTreeWidgetItem(list_);
    }
    list_->setCurrentItem(nullptr);
    for (int row = 0; row < list_->topLevelItemCount(); ++row) {
        const KnownHost& host = hosts[static_cast<std::size_t>(row)];
        const HostState state = stateOf(host, theme);
        QTreeWidgetItem& item = *list_->topLevelItem(row);
        item.setText(0, host.name());
        item.setIcon(0, symbolIcon(state.icon, state.tint, state.tint));
        item.setText(1, state.text);
        item.setForeground(1, theme.text.secondary);
        const QString fault = faultOf(host);
        item.setToolTip(0, QString::fromStdString(host.host.via));
        item.setToolTip(1, fault.isEmpty() ? QString() : paragraphs(fault));
        item.setData(0, Qt::AccessibleTextRole, host.name() + ", " + state.text);
        if (!isAdding_ && host.name() == selectedName_) {
            list_->setCurrentItem(&item);
        }
    }
}

void HostsPanel::showSelected() {
    const KnownHost* host = selectedHost();
    rightStack_->setCurrentIndex(host == nullptr && !isAdding_ ? 0 : 1);
    hostWidgets_->setVisible(host != nullptr);
    removeButton_->setEnabled(host != nullptr);
    if (host == nullptr) {
        return;
    }
    form_->showHost(host->host);
    report_->showHost(*host);
    checkButton_->setEnabled(!host->isReportRequested);
    const bool canAsk = Hosts::canSshAskForPassword();
    connectButton_->setEnabled(canAsk && host->line != LineState::up);
    connectButton_->setToolTip(paragraphs(
        canAsk
            ? tr("Lets ssh ask for a password or a code, in its own window (SSH_ASKPASS) or on the "
                 "terminal from which the workbench was started. Only ssh receives what you type.")
            : tr("This machine has no program with which ssh could ask (ssh-askpass). Type weft "
                 "host check %1 in a terminal instead.")
                  .arg(selectedName_)));
    disconnectButton_->setEnabled(host->line.has_value());
    const bool isDoing = !host->operation.isEmpty();
    installButton_->setVisible(!isDoing);
    queryNodesButton_->setVisible(!isDoing && host->host.start == JobStart::slurm);
    stopButton_->setVisible(isDoing);
}

void HostsPanel::startNewHost() {
    isAdding_ = true;
    selectedName_.clear();
    form_->showNew();
    fillList();
    showSelected();
    form_->setFocus(Qt::OtherFocusReason);
}

void HostsPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isAdding_) {
        isAdding_ = false;
        refresh(0);
        list_->setFocus(Qt::OtherFocusReason);
        return;
    }
    Panel::keyPressEvent(event);
}

void HostsPanel::removeSelected() {
    const QString name = selectedName_;
    QMessageBox box(QMessageBox::NoIcon, tr("Remove host"),
                    tr("Remove %1 from your hosts?").arg(name), QMessageBox::NoButton, this);
    box.setInformativeText(
        tr("Its runs stay on the host and continue; their local copies stay too."));
    const QAbstractButton* yes = box.addButton(tr("Remove"), QMessageBox::AcceptRole);
    box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    box.exec();
    if (box.clickedButton() == yes) {
        context().control.hosts().forget(name);
    }
}

void HostsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    const auto along = [this](QBoxLayout& layout, QWidget& line, int least) {
        const bool isBeside = width() >= least;
        layout.setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        line.setVisible(isBeside);
        return isBeside;
    };
    const int count = (along(*columns_, *separators_.front(), listWidth + 2 * formWidth) ? 1 : 0) +
                      (along(*formAndReport_, *separators_.back(), 2 * formWidth) ? 1 : 0);
    if (std::exchange(visibleSeparators_, count) != count) {
        columns_->invalidate(); // hidden children do not invalidate the layout
    }
}

QSize HostsPanel::minimumSizeHint() const {
    // Minimum width that still shows the form beside the list.
    return {formWidth, columns_->minimumSize().height()};
}

} // namespace weft::ui
