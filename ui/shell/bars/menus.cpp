// SPDX-License-Identifier: Apache-2.0
#include "shell/bars/menus.h"

#include "commands/command_set.h"
#include "shell/bars/top_bar.h"

#include <QCoreApplication>
#include <QMenu>
#include <span>

namespace weft::ui {

namespace {

constexpr const char* fileMenu[] = {
    "file.new",  "file.open",    "file.import", "file.start",   "-",
    "file.save", "file.save-as", "file.reload", "file.restore", "file.picture",
    "-",         "file.close",   "file.quit"};

constexpr const char* editMenu[] = {"edit.undo",
                                    "edit.redo",
                                    "-",
                                    "edit.cut",
                                    "edit.copy",
                                    "edit.paste",
                                    "edit.duplicate",
                                    "edit.duplicate-wired",
                                    "edit.delete",
                                    "edit.dissolve",
                                    "-",
                                    "edit.select-all",
                                    "edit.select-upstream",
                                    "edit.select-downstream",
                                    "-",
                                    "edit.find",
                                    "problem.fix"};

// An entry that ends in a dot stands for all commands with that prefix.
constexpr const char* viewMenu[] = {"view.frame-all",
                                    "view.frame-selection",
                                    "view.zoom-in",
                                    "view.zoom-out",
                                    "view.zoom-whole",
                                    "view.minimap",
                                    "view.brush",
                                    "view.rank-lens",
                                    "-",
                                    "lens.",
                                    "-",
                                    "dock.",
                                    "-",
                                    "view.workspace",
                                    "view.next-panel",
                                    "view.previous-panel",
                                    "view.reset-layout",
                                    "view.full-screen",
                                    "-",
                                    "view.theme-desktop",
                                    "view.theme-dark",
                                    "view.theme-light"};

constexpr const char* layerMenu[] = {"layer.add",
                                     "layer.connect",
                                     "layer.rename",
                                     "layer.mute",
                                     "layer.bypass",
                                     "layer.collapse",
                                     "layer.hide-ports",
                                     "layer.pin",
                                     "-",
                                     "layer.group",
                                     "layer.ungroup",
                                     "layer.enter",
                                     "layer.leave",
                                     "layer.single",
                                     "layer.call-group",
                                     "layer.repeat",
                                     "-",
                                     "layer.frame",
                                     "layer.comment",
                                     "-",
                                     "layer.align-left",
                                     "layer.align-right",
                                     "layer.align-top",
                                     "layer.align-bottom",
                                     "layer.straighten",
                                     "layer.distribute",
                                     "layer.lay-out",
                                     "layer.lay-out-all"};

constexpr const char* parallelMenu[] = {"parallel."};
constexpr const char* runMenu[] = {"run."};
constexpr const char* macroMenu[] = {
    "macros.record", "macros.again", "-", "macros.edit", "macros.lines", "-", "macro."};
constexpr const char* helpMenu[] = {"help.layer", "help.palette", "help.keys"};

struct MenuWords {
    Q_DECLARE_TR_FUNCTIONS(MenuWords)
};

QStringList listOf(std::span<const char* const> ids, const CommandSet& commands) {
    QStringList list;
    for (const char* id : ids) {
        const QLatin1String wanted(id);
        if (!wanted.endsWith('.')) {
            list << wanted;
            continue;
        }
        for (const CommandInfo& info : commands.all()) {
            if (info.id.startsWith(wanted)) {
                list << info.id;
            }
        }
    }
    return list;
}

} // namespace

void addMenus(TopBar& bar, const CommandSet& commands) {
    const auto add = [&](const QString& title, std::span<const char* const> ids) {
        bar.addMenu(title, listOf(ids, commands));
    };
    add(MenuWords::tr("File"), fileMenu);
    add(MenuWords::tr("Edit"), editMenu);
    add(MenuWords::tr("View"), viewMenu);
    add(MenuWords::tr("Layer"), layerMenu);
    add(MenuWords::tr("Parallel"), parallelMenu);
    add(MenuWords::tr("Run"), runMenu);
    add(MenuWords::tr("Macros"), macroMenu);
    add(MenuWords::tr("Help"), helpMenu);
    for (const auto heard : {&CommandSet::added, &CommandSet::removed}) {
        QObject::connect(&commands, heard, &bar, [&bar, &commands] {
            bar.addMenu(MenuWords::tr("Macros"), listOf(macroMenu, commands));
        });
    }
}

void showCanvasMenu(const CommandSet& commands, QWidget& window, QPoint at) {
    QMenu menu(&window);
    for (const char* id :
         {"layer.add", "-", "edit.copy", "edit.paste", "edit.duplicate", "edit.delete",
          "edit.dissolve", "-", "layer.rename", "layer.mute", "layer.bypass", "layer.collapse", "-",
          "layer.group", "layer.ungroup", "layer.frame", "layer.lay-out"}) {
        if (QAction* action = commands.find(QLatin1String(id))) {
            menu.addAction(action);
        } else {
            menu.addSeparator();
        }
    }
    menu.exec(at);
}

} // namespace weft::ui
