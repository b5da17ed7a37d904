// SPDX-License-Identifier: Apache-2.0
// Macro lines for the interface of the shown group: its ports and parameters.
#include "macros/lines_table.h"
#include <weft/group_edits.h>

#include <QCoreApplication>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lines", text); }

/// `edit` gets the name of the group.
Edited onGroup(const LineSite& site, const std::function<Edited(const std::string&)>& edit) {
    return site.state.path.group.empty() ? refusing(tr("enter a group first"))
                                         : edit(site.state.path.group);
}

/// `edit` gets the group, the side and the port's name.
Edited onPort(const LineSite& site, LineWords& words,
              const std::function<Edited(const std::string&, PortSide, const std::string&)>& edit) {
    return onGroup(site, [&](const std::string& group) {
        const QString side = words.next();
        const bool isInput = side == QLatin1String("input");
        if (!isInput && side != QLatin1String("output")) {
            return refusing(tr("%1 is neither input nor output").arg(side));
        }
        return edit(group, isInput ? PortSide::input : PortSide::output,
                    words.next().toStdString());
    });
}

Edited openPort(LineSite& site, LineWords& words) {
    return onPort(site, words,
                  [&](const std::string& group, PortSide side, const std::string& name) {
                      std::vector<Endpoint> inside;
                      while (!words.isEnd()) {
                          const QString word = words.next();
                          const auto end = portMeant(site, word, side == PortSide::input);
                          if (!end) {
                              return noSuchPort(word, side == PortSide::input);
                          }
                          inside.push_back(*end);
                      }
                      return setPort(site.design, group, side, name, inside);
                  });
}

Edited callPort(LineSite& site, LineWords& words) {
    return onPort(site, words,
                  [&](const std::string& group, PortSide side, const std::string& name) {
                      return renamePort(site.design, group, side, name, words.next().toStdString());
                  });
}

Edited closePort(LineSite& site, LineWords& words) {
    return onPort(site, words,
                  [&](const std::string& group, PortSide side, const std::string& name) {
                      return removePort(site.design, group, side, name);
                  });
}

Edited give(LineSite& site, LineWords& words) {
    return onGroup(site, [&](const std::string& group) {
        const std::string name = words.next().toStdString();
        return setParameter(site.design, group, name, valueOf(words.next()));
    });
}

Edited call(LineSite& site, LineWords& words) {
    return onGroup(site, [&](const std::string& group) {
        const std::string name = words.next().toStdString();
        return renameParameter(site.design, group, name, words.next().toStdString());
    });
}

Edited take(LineSite& site, LineWords& words) {
    return onGroup(site, [&](const std::string& group) {
        return removeParameter(site.design, group, words.next().toStdString());
    });
}

} // namespace

std::vector<DesignLine> groupLines() {
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
