// SPDX-License-Identifier: Apache-2.0
#include "panels/devices/devices_panel.h"

#include "document/device_slot.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/chips.h"
#include "widgets/padded_delegate.h"
#include "widgets/wheel_filter.h"
#include "workspace/prediction_words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int mostDeclared = 1024;

/// Columns after name and model.
enum Column : std::uint8_t { takes = 2, of, sent, busy, largest, remark };

QString bytesOf(Bytes amount) { return quantity::bytes(static_cast<double>(amount.count)); }

/// Names of devices that this machine could have, why they are missing, and how to enable them.
struct Missing {
    QStringList names;
    QStringList reasons;
};

Missing missingOf(const MachineReport& machine) {
    Missing missing;
    for (const Feature& feature : machine.features) {
        if (!feature.isFound) {
            missing.names << QString::fromStdString(feature.name);
            missing.reasons << QString::fromStdString(feature.name + ": " + feature.detail + ". " +
                                                      feature.remedy);
        }
    }
    return missing;
}

/// Returns the data sheet of a device, or an empty text if it has none.
QString sheetOf(const std::string& device, const Design& design) {
    const auto declared = std::ranges::find(design.devices, device, &DeviceDeclaration::name);
    return declared == design.devices.end() ? QString() : QString::fromStdString(declared->sheet);
}

std::string chipOf(const std::string& device) { return device.substr(0, device.find('/')); }

/// A missing device is assumed to be like the machine's first; workers on one chip share its model.
QString modelOf(const std::string& device, const MachineSheet& machine) {
    if (machine.devices.empty()) {
        return {};
    }
    const auto found = std::ranges::find(machine.devices, chipOf(device), &DeviceSheet::name);
    return QString::fromStdString(
        (found == machine.devices.end() ? machine.devices.front() : *found).model);
}

/// Returns the sheet used for planning: the declared data sheet, or the machine's device; otherwise
/// only the backend is known.
DeviceSheet sheetFor(const std::string& device, const QString& sheet,
                     const std::optional<MachineSheet>& machine) {
    const std::vector<DeviceSheet> known = !sheet.isEmpty() ? dataSheets()
                                           : machine        ? machine->devices
                                                            : std::vector<DeviceSheet>();
    const auto found = std::ranges::find(
        known, sheet.isEmpty() ? chipOf(device) : sheet.toStdString(), &DeviceSheet::name);
    DeviceSheet made = found == known.end() ? DeviceSheet{} : *found;
    made.name = device;
    made.backend = device.substr(0, device.find(':'));
    return made;
}

} // namespace

DevicesPanel::DevicesPanel(WindowContext& context, QWidget* parent)
    : Panel(context, parent),
      deviceList_(new QTreeWidget(this)),
      machineList_(new QComboBox(this)),
      remarkLabel_(new QLabel(this)) {
    const Sizes& sizes = tokens().sizes;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, sizes.space.xs, 0, sizes.space.s);
    layout->setSpacing(sizes.space.xs);
    deviceList_->setHeaderLabels({tr("device"), tr("model"), tr("run memory"), tr("available"),
                                  tr("sent per step"), tr("busy"), tr("largest layer"),
                                  tr("remark")});
    deviceList_->setRootIsDecorated(false);
    deviceList_->setUniformRowHeights(true);
    deviceList_->setItemDelegate(new PaddedDelegate(deviceList_));
    deviceList_->setAccessibleName(tr("Devices"));
    deviceList_->header()->setStretchLastSection(true);
    for (const int column : {takes, of, sent, busy}) {
        deviceList_->headerItem()->setTextAlignment(column, Qt::AlignRight);
    }
    layout->addWidget(deviceList_, 1);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(sizes.space.l, 0, sizes.space.l, 0);
    declareCount_ = new QSpinBox(this);
    declareCount_->setObjectName(QStringLiteral("count"));
    declareCount_->setRange(1, mostDeclared);
    declareCount_->setAccessibleName(tr("How many devices to declare"));
    declareCount_->setToolTip(tr("How many devices to declare at once"));
    row->addWidget(declareCount_);
    auto* add = new QPushButton(tr("Declare"), this);
    add->setObjectName(QStringLiteral("declare"));
    auto* sheets = new QMenu(add);
    sheets->addAction(tr("Part of this machine's cores"), this, [this] { declare(); });
    for (const DeviceSheet& sheet : dataSheets()) {
        const QString name = QString::fromStdString(sheet.name);
        sheets->addAction(tr("From data sheet: %1").arg(QString::fromStdString(sheet.model)), this,
                          [this, name] { declare(name); });
    }
    add->setMenu(sheets);
    row->addWidget(add);
    auto* remove = new QPushButton(tr("Remove"), this);
    connect(remove, &QPushButton::clicked, this, &DevicesPanel::removeChosen);
    row->addWidget(remove);
    auto* memory = new QPushButton(tr("Memory map"), this);
    memory->setToolTip(tr("The memory of the selected device during a step, block by block"));
    connect(memory, &QPushButton::clicked, this, &DevicesPanel::showMemory);
    connect(deviceList_, &QTreeWidget::itemDoubleClicked, this, &DevicesPanel::showMemory);
    row->addWidget(memory);
    addMachineList(*row);
    layout->addLayout(row);
    setFocusProxy(deviceList_);
}

void DevicesPanel::addMachineList(QHBoxLayout& row) {
    remarkLabel_->setFont(Look::sans(tokens().sizes.type.small));
    remarkLabel_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    remarkLabel_->setWordWrap(true);
    setTier(*remarkLabel_, Tier::tertiary);
    row.addWidget(remarkLabel_, 1);
    auto* label = new QLabel(tr("Planned for"), this);
    label->setBuddy(machineList_);
    setTier(*label, Tier::secondary);
    row.addWidget(label);
    machineList_->setAccessibleName(label->text());
    machineList_->setToolTip(
        paragraphs(tr("The machine for which this window makes all predictions. A "
                      "host is asked for its devices.")));
    machineList_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    WheelFilter::installOn(*machineList_);
    connect(machineList_, &QComboBox::activated, this,
            [this](int at) { context().setPredictionHost(machineList_->itemData(at).toString()); });
    connect(&context().control.hosts(), &Hosts::changed, this, [this] { hear(machineCause); });
    row.addWidget(machineList_);
}

void DevicesPanel::refresh(unsigned) {
    fillMachineList();
    showRemark();
    fillDeviceList();
}

void DevicesPanel::fillMachineList() {
    machineList_->clear();
    machineList_->addItem(tr("This machine"), QString());
    for (const KnownHost& host : context().control.hosts().all()) {
        machineList_->addItem(host.name(), host.name());
    }
    machineList_->setCurrentIndex(
        std::max(0, machineList_->findData(context().predictionHostName())));
}

void DevicesPanel::showRemark() {
    const KnownHost* host = context().predictionHost();
    const bool isThere = host != nullptr && host->report != nullptr;
    QStringList remarks;
    QString why;
    if (host != nullptr && !isThere) {
        remarks << (host->isReportRequested ? tr("asking %1 …")
                                            : tr("%1 has not reported its devices"))
                       .arg(host->name())
                << tr("planned for this machine");
        why = host->fault;
    } else if (isThere && isByPublishedRates(host->host, *host->report)) {
        remarks << tr("by published rates: no node of the queue was queried");
    } else if (isThere || context().machine() != nullptr) {
        const Missing missing = missingOf(isThere ? host->report->machine : *context().machine());
        why = missing.reasons.join('\n');
        if (!missing.names.isEmpty()) {
            remarks << (isThere ? tr("missing there: %1") : tr("missing here: %1"))
                           .arg(missing.names.join(QStringLiteral(", ")));
        }
    }
    remarkLabel_->setText(remarks.join(QStringLiteral("; ")));
    remarkLabel_->setToolTip(why);
    remarkLabel_->setAccessibleDescription(why);
}

QString DevicesPanel::kernelRemark(DeviceSheet sheet) {
    sheet.name.clear();
    const auto found =
        std::ranges::find(knownRemarks_, sheet, &std::pair<DeviceSheet, QString>::first);
    if (found != knownRemarks_.end()) {
        return found->second;
    }
    const std::string_view proof = proofOf(sheet.backend);
    QStringList remarks{QString::fromUtf8(proof.data(), static_cast<qsizetype>(proof.size()))};
    for (const std::string& line : remarksOn({sheet})) {
        remarks << QString::fromStdString(line.substr(line.find(": ") + 2));
    }
    remarks.removeAll(QString());
    knownRemarks_.emplace_back(sheet, remarks.join(QStringLiteral("; ")));
    return knownRemarks_.back().second;
}

Bytes DevicesPanel::freeMemory(const std::string& device) const {
    if (context().predictionHost() != nullptr || context().machine() == nullptr) {
        return {};
    }
    const auto& known = context().machine()->freeMemory;
    const auto found = known.find(chipOf(device));
    return found == known.end() ? Bytes{} : found->second;
}

void DevicesPanel::fillDeviceList() {
    const QString chosen =
        deviceList_->currentItem() == nullptr ? QString() : deviceList_->currentItem()->text(0);
    deviceList_->clear();
    const Theme& theme = context().look.theme();
    const auto machine = context().plannedMachine();
    if (design() == nullptr) {
        return;
    }
    const Design& shown = design()->document().design();
    const auto known = design()->check().answer();
    for (const DevicePreview& device : known->preview->devices) {
        const QString sheet = sheetOf(device.name, shown);
        QString model = !sheet.isEmpty() ? tr("data sheet %1").arg(sheet)
                        : machine        ? modelOf(device.name, *machine)
                                         : QString();
        if (const KnownHost* host = context().predictionHost(); host != nullptr && host->report) {
            model = host->name() + QStringLiteral(": ") + model;
        }
        auto* item = new QTreeWidgetItem(deviceList_, {QString::fromStdString(device.name), model});
        if (item->text(0) == chosen) {
            deviceList_->setCurrentItem(item);
        }
        item->setIcon(0, chipIcon(paletteIndexOf(shown, device.name), item->text(0), theme));
        for (const int column : {takes, of, sent, busy}) {
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
            item->setFont(column, Look::mono(tokens().sizes.type.small));
        }
        showNumbers(*item, *known, device);
        item->setText(remark, kernelRemark(sheetFor(device.name, sheet, machine)));
        item->setToolTip(remark, paragraphs(item->text(remark)));
        if (const Bytes free = sheet.isEmpty() ? freeMemory(device.name) : Bytes{};
            free.count > 0) {
            item->setText(of, tr("%1, %2 free").arg(item->text(of), bytesOf(free)));
            item->setToolTip(
                of, tr("Free memory when this window last queried or measured the device.") + '\n' +
                        item->toolTip(of));
        }
    }
    for (int column = 0; column < remark; ++column) {
        deviceList_->resizeColumnToContents(column);
    }
}

void DevicesPanel::showNumbers(QTreeWidgetItem& item, const CheckedDesign& known,
                               const DevicePreview& device) const {
    const Theme& theme = context().look.theme();
    item.setText(takes, quantity::none());
    item.setText(of, device.available.count > 0 ? bytesOf(device.available) : quantity::none());
    item.setText(sent, bytesOf(device.sent));
    item.setText(busy, quantity::none());
    if (const DevicePreview* one = findDevice(known.withStep.get(), device.name)) {
        item.setText(busy, quantity::predicted(quantity::time(one->step->totals.compute)));
        item.setText(largest, QString::fromStdString(one->step->largestLayer));
        if (known.isStepOlder()) {
            item.setForeground(busy, theme.text.tertiary);
            item.setForeground(largest, theme.text.tertiary);
            item.setToolTip(busy, olderNote());
        }
    }
    if (const DevicePreview* one = findDevice(known.withRun.get(), device.name)) {
        item.setText(takes, bytesOf(one->run->takes));
        if (one->run->together > one->run->takes) {
            item.setText(
                of, tr("%1, %2 needed by all").arg(item.text(of), bytesOf(one->run->together)));
        }
        if (known.isRunOlder()) {
            item.setForeground(takes, theme.text.tertiary);
        } else if (one->overflows()) {
            item.setForeground(takes, theme.semantic.error);
            item.setText(largest, tr("overflows; %1 needs most").arg(item.text(largest)));
        }
    }
    for (const int column : {takes, of, largest}) {
        item.setToolTip(column, memoryText(known, device.name));
    }
}

void DevicesPanel::declare(const QString& sheet) {
    if (design() == nullptr) {
        return;
    }
    design()->document().edit(tr("Declare devices"), [&](Design& target) {
        const std::string kind = sheet.isEmpty() ? "cpu" : "cuda";
        Edited edited;
        for (int number = 0, left = declareCount_->value(); left > 0 && edited.isDone(); ++number) {
            const std::string name = kind + ":" + std::to_string(number);
            const bool isTaken = std::ranges::any_of(
                target.devices, [&](const DeviceDeclaration& one) { return one.name == name; });
            if (!isTaken) {
                edited = declareDevice(target, {.name = name, .sheet = sheet.toStdString()});
                --left;
            }
        }
        return edited;
    });
}

void DevicesPanel::showMemory() {
    const QTreeWidgetItem* chosen = deviceList_->currentItem();
    Q_EMIT context().memoryWanted(chosen == nullptr ? QString() : chosen->text(0));
}

void DevicesPanel::removeChosen() {
    if (design() == nullptr || deviceList_->currentItem() == nullptr) {
        return;
    }
    const std::string name = deviceList_->currentItem()->text(0).toStdString();
    design()->document().edit(tr("Remove device"),
                              [&](Design& target) { return removeDevice(target, name); });
}

} // namespace weft::ui
