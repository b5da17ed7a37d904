// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/bench.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace weft::ui {

QString runsFolderOf(const DesignDocument& document) {
    // The design of a run lies among those of its folder.
    QDir folder = QFileInfo(document.file()).absoluteDir();
    if (!document.file().isEmpty() && folder.exists(QStringLiteral("lock")) && folder.cdUp()) {
        return folder.path();
    }
    const QString beside =
        document.file().isEmpty()
            ? QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)
            : QFileInfo(document.file()).absolutePath();
    return beside + QStringLiteral("/runs");
}

QString dataFolderOf(const DesignDocument& document) {
    return document.file().isEmpty() ? QString() : QFileInfo(document.file()).absolutePath();
}

Bench::Bench(Look& look, Kinds kinds, QObject* parent)
    : QObject(parent), look(look), kinds(std::move(kinds)) {
    connect(&calibration, &Calibration::measured, this,
            [this](const std::shared_ptr<const MachineReport>& machine) {
                setMachine(machine);
                prediction.renew();
            });
}

void Bench::setMachine(std::shared_ptr<const MachineReport> machine) {
    machine_ = std::move(machine);
    for (const auto& design : designs.all()) {
        design->check().setMachine(machine_->machine);
    }
    emit machineKnown();
}

} // namespace weft::ui
