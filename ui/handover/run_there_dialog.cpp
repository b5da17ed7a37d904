// SPDX-License-Identifier: Apache-2.0
#include "handover/run_there_dialog.h"

#include "document/device_slot.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/chips.h"
#include "widgets/padded_delegate.h"
#include "workspace/prediction_words.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int dialogWidth = 560;
constexpr int listHeight = 132;
constexpr int mostRanks = 65536;

/// Columns after the device's name and model.
enum Column : std::uint8_t { takes = 2, of };

QString bytes(Bytes amount) { return quantity::bytes(static_cast<double>(amount.count)); }

QLabel* quietLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    setTier(*label, Tier::secondary);
    return label;
}

QString stateWords(const KnownHost& host) {
    if (host.line == LineState::lost) {
        return RunThereDialog::tr("cannot be reached: %1").arg(host.why);
    }
    if (!host.fault.isEmpty()) {
        return host.fault;
    }
    if (host.report == nullptr) {
        return RunThereDialog::tr("is asked for its devices …");
    }
    return RunThereDialog::tr("answers within %1, Weft %2, %3 free")
        .arg(quantity::time(host.report->roundTrip), QString::fromStdString(host.report->version),
             bytes(host.report->free));
}

} // namespace

RunThereDialog::RunThereDialog(const Look& look, Planner& planner, RunControl& control,
                               RunOrder order, const QString& host, QWidget* parent)
    : QDialog(parent), look_(look), planner_(planner), control_(control), order_(std::move(order)) {
    order_.way = RunWay::host;
    setWindowTitle(tr("Run %1 on a host").arg(order_.name));
    const Sizes& sizes = Look::sizes();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(sizes.space.l, sizes.space.l, sizes.space.l, sizes.space.l);
    column->setSpacing(sizes.space.m);
    makeFields(*column);
    makeData(*column);
    step_ = new QLabel(this);
    step_->setObjectName(QStringLiteral("predicted"));
    step_->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    column->addWidget(step_);
    devices_ = new QTreeWidget(this);
    devices_->setHeaderLabels({tr("device"), tr("model"), tr("needed"), tr("available")});
    devices_->setRootIsDecorated(false);
    devices_->setFixedHeight(listHeight);
    devices_->setSelectionMode(QAbstractItemView::NoSelection);
    devices_->setItemDelegate(new PaddedDelegate(devices_));
    devices_->setAccessibleName(tr("Devices on the host"));
    devices_->header()->setStretchLastSection(false);
    devices_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    devices_->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    for (const int column : {takes, of}) {
        devices_->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    column->addWidget(devices_);
    remarks_ = quietLabel({}, this);
    remarks_->setObjectName(QStringLiteral("remarks"));
    column->addWidget(remarks_);
    makeFoot(*column);
    setMinimumWidth(dialogWidth);
    control_.hosts().read();
    fillHosts(host.isEmpty() ? QSettings().value("runThere/host").toString() : host);
    connect(&control_.hosts(), &Hosts::changed, this, &RunThereDialog::follow);
    connect(hosts_, &QComboBox::currentIndexChanged, this, &RunThereDialog::chooseHost);
    pool_.setMaxThreadCount(1);
    lookForData();
    chooseHost();
}

void RunThereDialog::lookForData() {
    std::vector<std::filesystem::path> folders;
    if (!order_.dataFolder.isEmpty()) {
        folders = {order_.dataFolder.toStdString()};
    }
    pool_.start([this, design = order_.design, folders] {
        Data data;
        try {
            data.files = dataFilesOf(design, folders);
        } catch (const Error& error) {
            data.notFoundHere = tr("Its data is not on this machine: %1")
                                    .arg(QString::fromStdString(error.where().file));
            data.why = QString::fromUtf8(error.what());
        } catch (const std::exception& error) {
            data.notFoundHere = tr("Searching for its data failed");
            data.why = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this,
            [this, data] {
                data_ = data;
                isDataKnown_ = true;
                showData();
                plan();
            },
            Qt::QueuedConnection);
    });
}

RunThereDialog::~RunThereDialog() {
    planner_.forget(this);
    pool_.waitForDone();
}

void RunThereDialog::makeFields(QLayout& into) {
    form_ = new QFormLayout;
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setHorizontalSpacing(Look::sizes().space.l);
    form_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    hosts_ = new QComboBox(this);
    hosts_->setObjectName(QStringLiteral("host"));
    hosts_->setAccessibleName(tr("Host"));
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(hosts_, 1);
    auto* page = new QPushButton(tr("Hosts …"), row);
    page->setToolTip(tr("Opens the panel in which hosts are added and checked"));
    page->setAutoDefault(false);
    connect(page, &QPushButton::clicked, this, [this] {
        Q_EMIT hostsWanted();
        reject();
    });
    line->addWidget(page);
    form_->addRow(tr("Host"), row);
    state_ = quietLabel({}, this);
    state_->setObjectName(QStringLiteral("state"));
    form_->addRow(QString(), state_);
    const auto number = [&](const char* key, const QString& name, int most, const QString& tip) {
        auto* field = new QSpinBox(this);
        field->setObjectName(QLatin1String(key));
        field->setRange(1, most);
        field->setToolTip(tip);
        field->setAccessibleName(name);
        connect(field, &QSpinBox::valueChanged, this, &RunThereDialog::plan);
        form_->addRow(name, field);
        return field;
    };
    const auto devices = static_cast<int>(std::max<std::size_t>(1, order_.design.devices.size()));
    ranks_ = number("ranks", tr("Processes"), devices,
                    tr("Number of processes that share the design's devices"));
    nodes_ = number("nodes", tr("Machines"), mostRanks,
                    tr("Number of machines that share the processes evenly"));
    cores_ =
        number("cores", tr("Cores of each process"), mostRanks, tr("Requested from the queue"));
    minutes_ = number("minutes", tr("Time limit, min"), mostRanks,
                      tr("The queue ends the job at this limit"));
    static_cast<QVBoxLayout&>(into).addLayout(form_);
}

void RunThereDialog::makeData(QLayout& into) {
    dataPart_ = new QWidget(this);
    auto* column = new QVBoxLayout(dataPart_);
    column->setContentsMargins(0, 0, 0, 0);
    dataFacts_ = quietLabel({}, dataPart_);
    column->addWidget(dataFacts_);
    isSent_ = new QRadioButton(tr("Send it"), dataPart_);
    isSent_->setObjectName(QStringLiteral("sends"));
    column->addWidget(isSent_);
    auto* row = new QHBoxLayout;
    liesThere_ = new QRadioButton(tr("It is on the host, in"), dataPart_);
    liesThere_->setObjectName(QStringLiteral("liesThere"));
    row->addWidget(liesThere_);
    folder_ = new QLineEdit(dataPart_);
    folder_->setObjectName(QStringLiteral("dataThere"));
    folder_->setPlaceholderText(tr("/data/mnist: an absolute path on the host"));
    folder_->setAccessibleName(tr("Folder on the host"));
    row->addWidget(folder_, 1);
    column->addLayout(row);
    into.addWidget(dataPart_);
    connect(isSent_, &QRadioButton::toggled, this, &RunThereDialog::plan);
    connect(folder_, &QLineEdit::textEdited, this, [this] { liesThere_->setChecked(true); });
    connect(folder_, &QLineEdit::textChanged, this, &RunThereDialog::plan);
    dataPart_->hide();
}

void RunThereDialog::makeFoot(QLayout& into) {
    auto* foot = new QHBoxLayout;
    auto* copy = new QPushButton(tr("Copy command"), this);
    copy->setToolTip(tr("Copies the command that starts the same run"));
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(RunControl::lineOf(
            RunControl::commandFor(order(), order_.name + QStringLiteral(".weft"), {})));
    });
    foot->addWidget(copy);
    foot->addStretch();
    auto* leave = new QPushButton(tr("Cancel"), this);
    leave->setAutoDefault(false);
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    foot->addWidget(leave);
    run_ = new QPushButton(tr("Run"), this);
    run_->setObjectName(QStringLiteral("run"));
    run_->setDefault(true);
    makePrimary(*run_);
    connect(run_, &QPushButton::clicked, this, &RunThereDialog::run);
    foot->addWidget(run_);
    static_cast<QVBoxLayout&>(into).addLayout(foot);
}

void RunThereDialog::fillHosts(const QString& chosen) {
    const QSignalBlocker quiet(hosts_);
    hosts_->clear();
    for (const KnownHost& host : control_.hosts().all()) {
        hosts_->addItem(host.name());
    }
    hosts_->setCurrentIndex(std::max(0, hosts_->findText(chosen)));
}

const KnownHost* RunThereDialog::host() const {
    return control_.hosts().find(hosts_->currentText());
}

QString RunThereDialog::keyOf(const char* setting) const {
    return QStringLiteral("runThere/%1/%2").arg(hosts_->currentText(), QLatin1String(setting));
}

/// Restores the fields of the last run on the chosen host.
void RunThereDialog::chooseHost() {
    const KnownHost* chosen = host();
    report_.reset();
    planned_.reset();
    if (chosen != nullptr) {
        const bool isQueue = chosen->host.start == JobStart::slurm;
        const auto machines = static_cast<int>(chosen->host.machines.size());
        const QSettings settings;
        const auto remembered = [&](QSpinBox* field, const char* key, int otherwise) {
            const QSignalBlocker quiet(field);
            field->setValue(settings.value(keyOf(key), otherwise).toInt());
        };
        nodes_->setMaximum(isQueue ? mostRanks : std::max(1, machines));
        remembered(ranks_, "ranks", 1);
        remembered(nodes_, "nodes", 1);
        remembered(cores_, "cores", 1);
        remembered(minutes_, "minutes", chosen->host.minutes);
        form_->setRowVisible(ranks_, ranks_->maximum() > 1);
        form_->setRowVisible(nodes_, ranks_->maximum() > 1 && nodes_->maximum() > 1);
        form_->setRowVisible(cores_, isQueue);
        form_->setRowVisible(minutes_, isQueue);
        showData();
        control_.hosts().ask(chosen->name());
    }
    follow();
}

void RunThereDialog::showData() {
    const bool isData = isDataKnown_ && !(data_.files.empty() && data_.notFoundHere.isEmpty());
    dataPart_->setVisible(isData);
    if (!isData) {
        return;
    }
    Bytes all{};
    for (const DataFile& file : data_.files) {
        all += file.bytes;
    }
    const auto count = static_cast<int>(data_.files.size());
    const bool isHere = data_.notFoundHere.isEmpty();
    dataFacts_->setText(
        !isHere ? data_.notFoundHere
        : count == 1
            ? tr("Its data is a file of %1 on this machine").arg(bytes(all))
            : tr("Its data are %1 files on this machine, %2 in total").arg(count).arg(bytes(all)));
    dataFacts_->setToolTip(data_.why);
    isSent_->setText(tr("Send it: %1, each file once").arg(bytes(all)));
    isSent_->setVisible(isHere);
    const QString folder = QSettings().value(keyOf("data/") + order_.name).toString();
    const QSignalBlocker quiet(folder_);
    folder_->setText(folder);
    liesThere_->setChecked(!folder.isEmpty() || !isHere);
    isSent_->setChecked(!liesThere_->isChecked());
}

RunOrder RunThereDialog::order() const {
    RunOrder order = order_;
    order.host = hosts_->currentText();
    const bool isQueue = host() != nullptr && host()->host.start == JobStart::slurm;
    order.job.ranks = ranks_->value();
    order.job.nodes = std::min(nodes_->value(), nodes_->maximum());
    order.job.cores = isQueue ? cores_->value() : 0;
    order.job.minutes = isQueue ? minutes_->value() : 0;
    if (!dataPart_->isHidden()) {
        order.sendsData = isSent_->isChecked();
        order.job.data = order.sendsData ? std::string() : folder_->text().toStdString();
    }
    return order;
}

/// Returns std::nullopt until the host has reported its devices.
std::optional<RemoteJobRequest> RunThereDialog::request() const {
    const KnownHost* chosen = host();
    if (chosen == nullptr || report_ == nullptr) {
        return std::nullopt;
    }
    RemoteJobRequest request = RunControl::requestFor(order(), chosen->host);
    setTarget(request, chosen->host, *report_);
    return request;
}

void RunThereDialog::follow() {
    const KnownHost* chosen = host();
    state_->setText(chosen == nullptr ? tr("No host is known yet: add one in the panel Hosts.")
                                      : stateWords(*chosen));
    const auto report = chosen == nullptr || chosen->isAsked ? nullptr : chosen->report;
    if (report != report_) {
        report_ = report;
        plan();
    }
    tell();
}

void RunThereDialog::plan() {
    refusal_.clear();
    planned_.reset();
    planner_.forget(this);
    try {
        if (const auto wanted = isDataKnown_ ? request() : std::nullopt) {
            requireDevicesThere(*wanted);
            planner_.ask(this, Planner::Urgency::choice, wanted->job.design, previewThere(*wanted),
                         [this](const PlannerAnswer& answer) { take(answer); });
        }
    } catch (const Error& error) {
        refusal_ = QString::fromUtf8(error.what());
    }
    tell();
}

void RunThereDialog::take(const PlannerAnswer& answer) {
    planned_ = answer.preview;
    refusal_ = answer.failure;
    tell();
}

/// Shows the predicted usage on the host, remarks, and whether the design can run.
void RunThereDialog::tell() {
    fault_ = refusal_;
    QStringList remarks;
    devices_->clear();
    step_->clear();
    if (planned_ != nullptr) {
        const auto& problems = planned_->problems;
        const auto error = std::ranges::find(problems, Severity::error, &Diagnostic::severity);
        if (error != problems.end()) {
            fault_ = tr("The design has errors on this host: %1")
                         .arg(QString::fromStdString(error->text));
        }
        if (planned_->step) {
            step_->setText(tr("%1 per step on this host")
                               .arg(quantity::predicted(quantity::time(planned_->step->time))));
        }
        showDevices(*planned_);
        for (const std::string& remark : remarksThere(*request(), *planned_)) {
            remarks << QString::fromStdString(remark);
        }
    }
    if (!dataPart_->isHidden() && liesThere_->isChecked() && folder_->text().isEmpty()) {
        fault_ = data_.notFoundHere.isEmpty()
                     ? tr("Enter the folder of its data on the host, or choose to send it.")
                     : tr("Enter the folder of its data on the host.");
    }
    if (fault_.isEmpty() && host() == nullptr) {
        fault_ = state_->text();
    }
    remarks.prepend(fault_);
    remarks.removeAll(QString());
    remarks_->setText(remarks.join('\n'));
    remarks_->setVisible(!remarks.isEmpty());
    step_->setVisible(!step_->text().isEmpty());
    run_->setText(host() == nullptr ? tr("Run") : tr("Run on %1").arg(hosts_->currentText()));
    run_->setEnabled(fault_.isEmpty() && planned_ != nullptr);
}

void RunThereDialog::showDevices(const Preview& planned) {
    const Theme& theme = look_.theme();
    for (const DevicePreview& device : planned.devices) {
        auto* item = new QTreeWidgetItem(
            devices_, {QString::fromStdString(device.name), QString::fromStdString(device.model),
                       device.run ? bytes(device.run->takes) : quantity::none(),
                       device.available.count > 0 ? bytes(device.available) : quantity::none()});
        item->setIcon(0, chipIcon(slotOf(order_.design, device.name), item->text(0), theme));
        for (const int column : {takes, of}) {
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
            item->setFont(column, Look::mono(tokens().sizes.type.small));
        }
        if (device.overflows()) {
            item->setForeground(takes, theme.semantic.error);
        }
        if (device.run && planned.run) {
            item->setToolTip(takes, memoryWords(device, *planned.run));
        }
    }
}

void RunThereDialog::remember() const {
    QSettings settings;
    settings.setValue("runThere/host", hosts_->currentText());
    settings.setValue(keyOf("ranks"), ranks_->value());
    settings.setValue(keyOf("nodes"), nodes_->value());
    if (host()->host.start == JobStart::slurm) {
        settings.setValue(keyOf("cores"), cores_->value());
        settings.setValue(keyOf("minutes"), minutes_->value());
    }
    if (!dataPart_->isHidden()) {
        settings.setValue(keyOf("data/") + order_.name,
                          liesThere_->isChecked() ? folder_->text() : QString());
    }
}

void RunThereDialog::run() {
    remember();
    Q_EMIT runWanted(order());
    accept();
}

} // namespace weft::ui
