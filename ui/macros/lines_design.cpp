// SPDX-License-Identifier: Apache-2.0
// Macro lines for the whole design, and the line for edits that no line can express.
#include "macros/lines_table.h"

#include <QCoreApplication>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lines", text); }

Edited set(LineSite& site, LineWords& words) {
    const std::string key = words.next().toStdString();
    if (!key.starts_with("training.") && !key.starts_with("data.")) {
        return refusing(tr("a setting begins with training. or data."));
    }
    return applySetting(site.design, key, words.next().toStdString());
}

Edited call(LineSite& site, LineWords& words) {
    site.design.name = words.next().toStdString();
    return {};
}

Edited spread(LineSite& site, LineWords& words) {
    return onAssignment(words, [&](const std::optional<Assignment>& assignment) {
        site.design.assignment = assignment.value_or(Assignment{});
        return Edited{};
    });
}

Edited declare(LineSite& site, LineWords& words) {
    DeviceDeclaration device{.name = words.next().toStdString()};
    if (words.take(QLatin1String("cores"))) {
        device.cores = words.integer().value_or(0);
    }
    if (words.take(QLatin1String("colour"))) {
        device.colour = words.integer().value_or(-1);
    }
    if (words.take(QLatin1String("sheet"))) {
        device.sheet = words.next().toStdString();
    }
    return declareDevice(site.design, device);
}

Edited rename(LineSite& site, LineWords& words) {
    const std::string name = words.next().toStdString();
    return renameDevice(site.design, name, words.next().toStdString());
}

Edited remove(LineSite& site, LineWords& words) {
    return removeDevice(site.design, words.next().toStdString());
}

Edited tellGap(LineSite&, LineWords& words) {
    return refusing(tr("\"%1\" was done here, but no line can express it").arg(words.next()));
}

} // namespace

std::vector<DesignLine> designLines() {
    return {
        {"design.set", "KEY VALUE",
         QT_TRANSLATE_NOOP("lines",
                           "Changes a setting, named as in the file: training.learning_rate 0.1"),
         2, set},
        {"design.rename", "NAME", QT_TRANSLATE_NOOP("lines", "Renames the design"), 1, call},
        {"design.assign", "WORD ... [on DEVICE ... [as 2x2]]",
         QT_TRANSLATE_NOOP("lines", "Sets the assignment of layers that have none of their own; "
                                    "none: they follow their inputs"),
         1, spread},
        {"device.declare", "NAME [cores COUNT] [colour NUMBER] [sheet NAME]",
         QT_TRANSLATE_NOOP("lines", "Declares a device"), 1, declare},
        {"device.rename", "NAME NEW",
         QT_TRANSLATE_NOOP("lines", "Renames a device, also in assignments"), 2, rename},
        {"device.remove", "NAME",
         QT_TRANSLATE_NOOP("lines", "Removes a device that no assignment uses"), 1, remove},
        {"macros.gap", "WHAT",
         QT_TRANSLATE_NOOP("lines",
                           "Marks an edit that no line can express: the macro stops there"),
         1, tellGap},
    };
}

} // namespace weft::ui
