// SPDX-License-Identifier: Apache-2.0
// Macro lines for the interface of the shown group: its ports and parameters.
#include "macros/lines_table.h"
#include <weft/group_edits.h>

#include <QCoreApplication>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lines", text); }

/// Calls `edit` with the name of the shown group.
Edited onGroup(const LineContext& context, const std::function<Edited(const std::string&)>& edit) {
    return context.state.path.group.empty() ? refusedEdit(tr("enter a group first"))
                                            : edit(context.state.path.group);
}

/// Calls `edit` with the shown group, and the side and name of the port that the words name.
Edited onPort(const LineContext& context, LineWords& words,
              const std::function<Edited(const std::string&, PortSide, const std::string&)>& edit) {
    return onGroup(context, [&](const std::string& group) {
        const QString side = words.next();
        const bool isInput = side == QLatin1String("input");
        if (!isInput && side != QLatin1String("output")) {
            return refusedEdit(tr("%1 is neither input nor output").arg(side));
        }
        return edit(group, isInput ? PortSide::input : PortSide::output,
                    words.next().toStdString());
    });
}

Edited openPort(LineContext& context, LineWords& words) {
    return onPort(context, words,
                  [&](const std::string& group, PortSide side, const std::string& name) {
                      std::vector<Endpoint> inside;
                      while (!words.isEnd()) {
                          const QString word = words.next();
                          const auto end = resolvePort(context, word, side == PortSide::input);
                          if (!end) {
                              return noSuchPort(word, side == PortSide::input);
                          }
                          inside.push_back(*end);
                      }
                      return setPort(context.design, group, side, name, inside);
                  });
}

Edited callPort(LineContext& context, LineWords& words) {
    return onPort(
        context, words, [&](const std::string& group, PortSide side, const std::string& name) {
            return renamePort(context.design, group, side, name, words.next().toStdString());
        });
}

Edited closePort(LineContext& context, LineWords& words) {
    return onPort(context, words,
                  [&](const std::string& group, PortSide side, const std::string& name) {
                      return removePort(context.design, group, side, name);
                  });
}

Edited give(LineContext& context, LineWords& words) {
    return onGroup(context, [&](const std::string& group) {
        const std::string name = words.next().toStdString();
        return setParameter(context.design, group, name, parseValue(words.next()));
    });
}

Edited call(LineContext& context, LineWords& words) {
    return onGroup(context, [&](const std::string& group) {
        const std::string name = words.next().toStdString();
        return renameParameter(context.design, group, name, words.next().toStdString());
    });
}

Edited take(LineContext& context, LineWords& words) {
    return onGroup(context, [&](const std::string& group) {
        return removeParameter(context.design, group, words.next().toStdString());
    });
}

} // namespace

std::vector<MacroLine> groupLines() {
    return {
        {"port.set", "input|output NAME [LAYER.PORT ...]",
         QT_TRANSLATE_NOOP("lines",
                           "Sets a port of the open group and the inner ports that it maps to"),
         2, openPort},
        {"port.rename", "input|output NAME NEW",
         QT_TRANSLATE_NOOP("lines", "Renames a port; its wires are kept"), 3, callPort},
        {"port.remove", "input|output NAME",
         QT_TRANSLATE_NOOP("lines", "Removes a port and its wires"), 2, closePort},
        {"parameter.set", "NAME VALUE",
         QT_TRANSLATE_NOOP("lines", "Sets a parameter of the open group and its default value"), 2,
         give},
        {"parameter.rename", "NAME NEW",
         QT_TRANSLATE_NOOP("lines", "Renames a parameter, also in expressions"), 2, call},
        {"parameter.remove", "NAME",
         QT_TRANSLATE_NOOP("lines", "Removes a parameter that no inner expression uses"), 1, take},
    };
}

} // namespace weft::ui
