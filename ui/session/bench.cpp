// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/bench.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace weft::ui {

QString runsFolderOf(const QString& file) {
    // The design of a run lies among those of its folder.
    QDir folder = QFileInfo(file).absoluteDir();
    if (!file.isEmpty() && folder.exists(QStringLiteral("lock")) && folder.cdUp()) {
        return folder.path();
    }
    const QString beside =
        file.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)
                       : QFileInfo(file).absolutePath();
    return beside + QStringLiteral("/runs");
}

QString runsFolderOf(const DesignDocument& document) { return runsFolderOf(document.file()); }

Bench::Bench(Look& look, Kinds kinds, QObject* parent)
    : QObject(parent), look(look), kinds(std::move(kinds)) {
    connect(&calibration, &Calibration::measured, this, &Bench::setMachine);
}

QStringList Bench::unseenRuns() const {
    QStringList runs = living.folders();
    runs.removeAll(hub.folder());
    return runs;
}

void Bench::setMachine(std::shared_ptr<const MachineReport> machine) {
    machine_ = std::move(machine);
    for (const auto& design : designs.all()) {
        design->check().setMachine(machine_->machine);
    }
    emit machineKnown();
}

} // namespace weft::ui
