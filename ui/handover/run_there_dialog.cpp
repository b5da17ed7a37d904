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

/// Columns after name and model: memory that the run takes, and memory that is available.
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

RunThereDialog::RunThereDialog(const Look& look, PreviewQueue& previewQueue, RunControl& control,
                               LaunchRequest launchRequest, const QString& host, QWidget* parent)
    : QDialog(parent),
      look_(look),
      previewQueue_(previewQueue),
      control_(control),
      request_(std::move(launchRequest)) {
    request_.way = RunWay::host;
    setWindowTitle(tr("Run %1 on a host").arg(request_.name));
    const Sizes& sizes = Look::sizes();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(sizes.space.l, sizes.space.l, sizes.space.l, sizes.space.l);
    column->setSpacing(sizes.space.m);
    makeFields(*column);
    makeData(*column);
    stepTime_ = new QLabel(this);
    stepTime_->setObjectName(QStringLiteral("predicted"));
    stepTime_->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    column->addWidget(stepTime_);
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
    makeButtons(*column);
    setMinimumWidth(dialogWidth);
    control_.hosts().readSettings();
    fillHosts(host.isEmpty() ? QSettings().value("runThere/host").toString() : host);
    connect(&control_.hosts(), &Hosts::changed, this, &RunThereDialog::showHostState);
    connect(hostBox_, &QComboBox::currentIndexChanged, this, &RunThereDialog::chooseHost);
    pool_.setMaxThreadCount(1);
    lookForData();
    chooseHost();
}

void RunThereDialog::lookForData() {
    std::vector<std::filesystem::path> folders;
    if (!request_.dataFolder.isEmpty()) {
        folders = {request_.dataFolder.toStdString()};
    }
    pool_.start([this, design = request_.design, folders] {
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
                requestPlan();
            },
            Qt::QueuedConnection);
    });
}

RunThereDialog::~RunThereDialog() {
    previewQueue_.forget(this);
    pool_.waitForDone();
}

void RunThereDialog::makeFields(QLayout& layout) {
    form_ = new QFormLayout;
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setHorizontalSpacing(Look::sizes().space.l);
    form_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    hostBox_ = new QComboBox(this);
    hostBox_->setObjectName(QStringLiteral("host"));
    hostBox_->setAccessibleName(tr("Host"));
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(hostBox_, 1);
    auto* page = new QPushButton(tr("Hosts …"), row);
    page->setToolTip(tr("Opens the panel in which hosts are added and checked"));
    page->setAutoDefault(false);
    connect(page, &QPushButton::clicked, this, [this] {
        Q_EMIT hostsWanted();
        reject();
    });
    line->addWidget(page);
    form_->addRow(tr("Host"), row);
    hostState_ = quietLabel({}, this);
    hostState_->setObjectName(QStringLiteral("state"));
    form_->addRow(QString(), hostState_);
    const auto number = [&](const char* key, const QString& name, int most, const QString& tip) {
        auto* field = new QSpinBox(this);
        field->setObjectName(QLatin1String(key));
        field->setRange(1, most);
        field->setToolTip(tip);
        field->setAccessibleName(name);
        connect(field, &QSpinBox::valueChanged, this, &RunThereDialog::requestPlan);
        form_->addRow(name, field);
        return field;
    };
    const auto devices = static_cast<int>(std::max<std::size_t>(1, request_.design.devices.size()));
    ranks_ = number("ranks", tr("Processes"), devices,
                    tr("Number of processes that share the design's devices"));
    nodes_ = number("nodes", tr("Machines"), mostRanks,
                    tr("Number of machines that share the processes evenly"));
    cores_ =
        number("cores", tr("Cores of each process"), mostRanks, tr("Requested from the queue"));
    minutes_ = number("minutes", tr("Time limit, min"), mostRanks,
                      tr("The queue ends the job at this limit"));
    static_cast<QVBoxLayout&>(layout).addLayout(form_);
}

void RunThereDialog::makeData(QLayout& layout) {
    dataWidget_ = new QWidget(this);
    auto* column = new QVBoxLayout(dataWidget_);
    column->setContentsMargins(0, 0, 0, 0);
    dataFacts_ = quietLabel({}, dataWidget_);
    column->addWidget(dataFacts_);
    isSentButton_ = new QRadioButton(tr("Send it"), dataWidget_);
    isSentButton_->setObjectName(QStringLiteral("sends"));
    column->addWidget(isSentButton_);
    auto* row = new QHBoxLayout;
    isOnHostButton_ = new QRadioButton(tr("It is on the host, in"), dataWidget_);
    isOnHostButton_->setObjectName(QStringLiteral("liesThere"));
    row->addWidget(isOnHostButton_);
    folder_ = new QLineEdit(dataWidget_);
    folder_->setObjectName(QStringLiteral("dataThere"));
    folder_->setPlaceholderText(tr("/data/mnist: an absolute path on the host"));
    folder_->setAccessibleName(tr("Folder on the host"));
    row->addWidget(folder_, 1);
    column->addLayout(row);
    layout.addWidget(dataWidget_);
    connect(isSentButton_, &QRadioButton::toggled, this, &RunThereDialog::requestPlan);
    connect(folder_, &QLineEdit::textEdited, this, [this] { isOnHostButton_->setChecked(true); });
    connect(folder_, &QLineEdit::textChanged, this, &RunThereDialog::requestPlan);
    dataWidget_->hide();
}

void RunThereDialog::makeButtons(QLayout& layout) {
    auto* foot = new QHBoxLayout;
    auto* copy = new QPushButton(tr("Copy command"), this);
    copy->setToolTip(tr("Copies the command that starts the same run"));
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(RunControl::lineOf(
            RunControl::commandFor(launchRequest(), request_.name + QStringLiteral(".weft"), {})));
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
    static_cast<QVBoxLayout&>(layout).addLayout(foot);
}

void RunThereDialog::fillHosts(const QString& chosen) {
    const QSignalBlocker quiet(hostBox_);
    hostBox_->clear();
    for (const KnownHost& host : control_.hosts().all()) {
        hostBox_->addItem(host.name());
    }
    hostBox_->setCurrentIndex(std::max(0, hostBox_->findText(chosen)));
}

const KnownHost* RunThereDialog::host() const {
    return control_.hosts().find(hostBox_->currentText());
}

QString RunThereDialog::settingKey(const char* setting) const {
    return QStringLiteral("runThere/%1/%2").arg(hostBox_->currentText(), QLatin1String(setting));
}

/// Restores the fields of the last run on the chosen host, and requests the host's report.
void RunThereDialog::chooseHost() {
    const KnownHost* chosen = host();
    report_.reset();
    preview_.reset();
    if (chosen != nullptr) {
        const bool isQueue = chosen->host.start == JobStart::slurm;
        const auto machines = static_cast<int>(chosen->host.machines.size());
        const QSettings settings;
        const auto remembered = [&](QSpinBox* field, const char* key, int otherwise) {
            const QSignalBlocker quiet(field);
            field->setValue(settings.value(settingKey(key), otherwise).toInt());
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
        control_.hosts().requestReport(chosen->name());
    }
    showHostState();
}

void RunThereDialog::showData() {
    const bool isData = isDataKnown_ && !(data_.files.empty() && data_.notFoundHere.isEmpty());
    dataWidget_->setVisible(isData);
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
    isSentButton_->setText(tr("Send it: %1, each file once").arg(bytes(all)));
    isSentButton_->setVisible(isHere);
    const QString folder = QSettings().value(settingKey("data/") + request_.name).toString();
    const QSignalBlocker quiet(folder_);
    folder_->setText(folder);
    isOnHostButton_->setChecked(!folder.isEmpty() || !isHere);
    isSentButton_->setChecked(!isOnHostButton_->isChecked());
}

LaunchRequest RunThereDialog::launchRequest() const {
    LaunchRequest launchRequest = request_;
    launchRequest.host = hostBox_->currentText();
    const bool isQueue = host() != nullptr && host()->host.start == JobStart::slurm;
    launchRequest.job.ranks = ranks_->value();
    launchRequest.job.nodes = std::min(nodes_->value(), nodes_->maximum());
    launchRequest.job.cores = isQueue ? cores_->value() : 0;
    launchRequest.job.minutes = isQueue ? minutes_->value() : 0;
    if (!dataWidget_->isHidden()) {
        launchRequest.sendsData = isSentButton_->isChecked();
        launchRequest.job.data =
            launchRequest.sendsData ? std::string() : folder_->text().toStdString();
    }
    return launchRequest;
}

/// Returns std::nullopt until the host has reported its devices.
std::optional<RemoteJobRequest> RunThereDialog::jobRequest() const {
    const KnownHost* chosen = host();
    if (chosen == nullptr || report_ == nullptr) {
        return std::nullopt;
    }
    RemoteJobRequest jobRequest = RunControl::requestFor(launchRequest(), chosen->host);
    setTarget(jobRequest, chosen->host, *report_);
    return jobRequest;
}

void RunThereDialog::showHostState() {
    const KnownHost* chosen = host();
    hostState_->setText(chosen == nullptr ? tr("No host is known yet: add one in the panel Hosts.")
                                          : stateWords(*chosen));
    const auto report = chosen == nullptr || chosen->isReportRequested ? nullptr : chosen->report;
    if (report != report_) {
        report_ = report;
        requestPlan();
    }
    showPlan();
}

void RunThereDialog::requestPlan() {
    refusal_.clear();
    preview_.reset();
    previewQueue_.forget(this);
    try {
        if (const auto wanted = isDataKnown_ ? jobRequest() : std::nullopt) {
            requireDevicesThere(*wanted);
            previewQueue_.ask(this, PreviewQueue::Urgency::choice, wanted->job.design,
                              previewThere(*wanted),
                              [this](const PreviewAnswer& answer) { takePlan(answer); });
        }
    } catch (const Error& error) {
        refusal_ = QString::fromUtf8(error.what());
    }
    showPlan();
}

void RunThereDialog::takePlan(const PreviewAnswer& answer) {
    preview_ = answer.preview;
    refusal_ = answer.failure;
    showPlan();
}

/// Shows the predicted usage on the host, remarks, and whether the design can run.
void RunThereDialog::showPlan() {
    fault_ = refusal_;
    QStringList remarks;
    devices_->clear();
    stepTime_->clear();
    if (preview_ != nullptr) {
        const auto& problems = preview_->problems;
        const auto error = std::ranges::find(problems, Severity::error, &Diagnostic::severity);
        if (error != problems.end()) {
            fault_ = tr("The design has errors on this host: %1")
                         .arg(QString::fromStdString(error->text));
        }
        if (preview_->step) {
            stepTime_->setText(tr("%1 per step on this host")
                                   .arg(quantity::predicted(quantity::time(preview_->step->time))));
        }
        showDevices(*preview_);
        for (const std::string& remark : remarksThere(*jobRequest(), *preview_)) {
            remarks << QString::fromStdString(remark);
        }
    }
    if (!dataWidget_->isHidden() && isOnHostButton_->isChecked() && folder_->text().isEmpty()) {
        fault_ = data_.notFoundHere.isEmpty()
                     ? tr("Enter the folder of its data on the host, or choose to send it.")
                     : tr("Enter the folder of its data on the host.");
    }
    if (fault_.isEmpty() && host() == nullptr) {
        fault_ = hostState_->text();
    }
    remarks.prepend(fault_);
    remarks.removeAll(QString());
    remarks_->setText(remarks.join('\n'));
    remarks_->setVisible(!remarks.isEmpty());
    stepTime_->setVisible(!stepTime_->text().isEmpty());
    run_->setText(host() == nullptr ? tr("Run") : tr("Run on %1").arg(hostBox_->currentText()));
    run_->setEnabled(fault_.isEmpty() && preview_ != nullptr);
}

void RunThereDialog::showDevices(const Preview& planned) {
    const Theme& theme = look_.theme();
    for (const DevicePreview& device : planned.devices) {
        auto* item = new QTreeWidgetItem(
            devices_, {QString::fromStdString(device.name), QString::fromStdString(device.model),
                       device.run ? bytes(device.run->takes) : quantity::none(),
                       device.available.count > 0 ? bytes(device.available) : quantity::none()});
        item->setIcon(0,
                      chipIcon(paletteIndexOf(request_.design, device.name), item->text(0), theme));
        for (const int column : {takes, of}) {
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
            item->setFont(column, Look::mono(tokens().sizes.type.small));
        }
        if (device.overflows()) {
            item->setForeground(takes, theme.semantic.error);
        }
        if (device.run && planned.run) {
            item->setToolTip(takes, memoryText(device, *planned.run));
        }
    }
}

void RunThereDialog::saveFields() const {
    QSettings settings;
    settings.setValue("runThere/host", hostBox_->currentText());
    settings.setValue(settingKey("ranks"), ranks_->value());
    settings.setValue(settingKey("nodes"), nodes_->value());
    if (host()->host.start == JobStart::slurm) {
        settings.setValue(settingKey("cores"), cores_->value());
        settings.setValue(settingKey("minutes"), minutes_->value());
    }
    if (!dataWidget_->isHidden()) {
        settings.setValue(settingKey("data/") + request_.name,
                          isOnHostButton_->isChecked() ? folder_->text() : QString());
    }
}

void RunThereDialog::run() {
    saveFields();
    Q_EMIT runWanted(launchRequest());
    accept();
}

} // namespace weft::ui
