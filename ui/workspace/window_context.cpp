// SPDX-License-Identifier: Apache-2.0
#include "workspace/window_context.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace weft::ui {

QString runsFolderOf(const QString& file) {
    // A design inside a run's folder keeps its runs beside that run, except for a local copy of a
    // remote run.
    QDir folder = QFileInfo(file).absoluteDir();
    const bool isOfCopy = !file.isEmpty() && copyOf(folder.path().toStdString());
    if (!file.isEmpty() && folder.exists(QStringLiteral("lock")) && folder.cdUp()) {
        return folder.path();
    }
    const QString beside =
        file.isEmpty() || isOfCopy
            ? QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)
            : QFileInfo(file).absolutePath();
    return beside + QStringLiteral("/runs");
}

QString runsFolderOf(const DesignDocument& document) { return runsFolderOf(document.file()); }

WindowContext::WindowContext(Look& look, Kinds kinds, QObject* parent)
    : QObject(parent), look(look), kinds(std::move(kinds)) {
    connect(&calibration, &Calibration::measured, this, &WindowContext::setMachine);
    connect(&control.hosts(), &Hosts::changed, this, &WindowContext::followShownRun);
    connect(&control.hosts(), &Hosts::changed, this, &WindowContext::followChosenHost);
    connect(&control.hosts(), &Hosts::fileAnswered, &hub, &RunHub::announceFile);
    connect(&hub, &RunHub::grown, this, [this](const RunGrowth& growth) {
        // The copy of a finished run is complete, so it needs no further updates.
        if (growth.isNew && hub.isOpen() && hub.state() != RunState::done) {
            control.hosts().follow(hub.folder());
        } else if (growth.hasState) {
            followShownRun();
        }
    });
}

/// A new connection does not know which runs the lost one followed, and another process that
/// updated the copy may have ended.
void WindowContext::followShownRun() {
    const auto& copy = hub.copy();
    const KnownHost* host =
        copy ? control.hosts().find(QString::fromStdString(copy->host)) : nullptr;
    const bool isUp = host != nullptr && host->line == LineState::up;
    if (isUp && !copy->isUp && hub.state() != RunState::done) {
        control.hosts().follow(hub.folder());
    }
}

QStringList WindowContext::unseenRuns() const {
    QStringList runs = living.folders();
    runs.removeAll(hub.folder());
    return runs;
}

void WindowContext::setMachine(std::shared_ptr<const MachineReport> machine) {
    machine_ = std::move(machine);
    replan();
}

const KnownHost* WindowContext::predictionHost() const {
    return predictionHostName_.isEmpty() ? nullptr : control.hosts().find(predictionHostName_);
}

void WindowContext::setPredictionHost(const QString& host) {
    const QString place = control.hosts().find(host) == nullptr ? QString() : host;
    if (place == predictionHostName_) {
        return;
    }
    predictionHostName_ = place;
    requestedHost_ = {};
    followChosenHost();
    replan();
}

void WindowContext::followChosenHost() {
    if (predictionHostName_.isEmpty()) {
        return;
    }
    const KnownHost* host = predictionHost();
    if (host == nullptr) {
        setPredictionHost({});
        return;
    }
    if (host->host != requestedHost_) {
        requestedHost_ = host->host;
        control.hosts().requestReport(predictionHostName_);
    }
    if (plannedMachine() != checkedMachine_) {
        replan();
    }
}

std::optional<MachineSheet> WindowContext::plannedMachine() const {
    const KnownHost* host = predictionHost();
    if (host == nullptr || host->report == nullptr) {
        return machine_ == nullptr ? std::nullopt : std::optional(machine_->machine);
    }
    return machineOfJobs(host->host, *host->report);
}

void WindowContext::replan() {
    if (const auto machine = plannedMachine(); machine && machine != checkedMachine_) {
        checkedMachine_ = machine;
        for (const auto& design : designs.all()) {
            design->check().setMachine(*checkedMachine_);
        }
    }
    emit machineKnown();
}

} // namespace weft::ui
