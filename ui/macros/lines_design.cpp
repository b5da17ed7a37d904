// SPDX-License-Identifier: Apache-2.0
// Macro lines for the whole design, and the line for edits that no line can express.
#include "macros/lines_table.h"

#include <QCoreApplication>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lines", text); }

Edited set(LineContext& context, LineWords& words) {
    const std::string key = words.next().toStdString();
    if (!key.starts_with("training.") && !key.starts_with("data.")) {
        return refusedEdit(tr("a setting begins with training. or data."));
    }
    return applySetting(context.design, key, words.next().toStdString());
}

Edited call(LineContext& context, LineWords& words) {
    context.design.name = words.next().toStdString();
    return {};
}

Edited spread(LineContext& context, LineWords& words) {
    return editWithAssignment(words, [&](const std::optional<Assignment>& assignment) {
        context.design.assignment = assignment.value_or(Assignment{});
        return Edited{};
    });
}

Edited declare(LineContext& context, LineWords& words) {
    DeviceDeclaration device{.name = words.next().toStdString()};
    if (words.takeIf(QLatin1String("cores"))) {
        device.cores = words.takeInteger().value_or(0);
    }
    if (words.takeIf(QLatin1String("colour"))) {
        device.colour = words.takeInteger().value_or(-1);
    }
    if (words.takeIf(QLatin1String("sheet"))) {
        device.sheet = words.next().toStdString();
    }
    return declareDevice(context.design, device);
}

Edited rename(LineContext& context, LineWords& words) {
    const std::string name = words.next().toStdString();
    return renameDevice(context.design, name, words.next().toStdString());
}

Edited remove(LineContext& context, LineWords& words) {
    return removeDevice(context.design, words.next().toStdString());
}

Edited refuseGap(LineContext&, LineWords& words) {
    return refusedEdit(tr("\"%1\" was done here, but no line can express it").arg(words.next()));
}

} // namespace

std::vector<MacroLine> designLines() {
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
         1, refuseGap},
    };
}

} // namespace weft::ui
