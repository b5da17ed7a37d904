// SPDX-License-Identifier: Apache-2.0
#include "workspace/absent_devices.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

struct AbsentWords {
    Q_DECLARE_TR_FUNCTIONS(AbsentWords)
};

bool isDeclared(const Design& design, const std::string& name) {
    return std::ranges::find(design.devices, name, &DeviceDeclaration::name) !=
           design.devices.end();
}

} // namespace

QStringList absentDevices(const WindowContext& context, OpenDesign& design) {
    QStringList names;
    if (!context.predictionHostName().isEmpty() || context.machine() == nullptr) {
        return names;
    }
    for (const DevicePreview& device : design.check().answer()->preview->devices) {
        if (!device.isPresent) {
            names << QString::fromStdString(device.name);
        }
    }
    return names;
}

QString absentText(const QStringList& devices) {
    if (devices.isEmpty()) {
        return {};
    }
    if (devices.size() == 1) {
        return AbsentWords::tr("%1 is not on this machine").arg(devices.front());
    }
    const QStringList first = devices.first(devices.size() - 1);
    return AbsentWords::tr("%1 and %2 are not on this machine")
        .arg(first.join(QStringLiteral(", ")), devices.back());
}

Edited replaceByCpus(Design& design, const QStringList& devices) {
    int number = 0;
    for (const QString& device : devices) {
        const std::string before = device.toStdString();
        if (!isDeclared(design, before)) {
            continue;
        }
        while (isDeclared(design, "cpu:" + std::to_string(number))) {
            ++number;
        }
        const std::string now = "cpu:" + std::to_string(number);
        Edited renamed = renameDevice(design, before, now);
        if (!renamed.isDone()) {
            return renamed;
        }
        // The data sheet of the absent device does not apply to a CPU of this machine.
        std::ranges::find(design.devices, now, &DeviceDeclaration::name)->sheet.clear();
    }
    return {};
}

} // namespace weft::ui
