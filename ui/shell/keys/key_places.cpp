// SPDX-License-Identifier: Apache-2.0
#include "shell/keys/key_places.h"

#include "commands/command_set.h"

#include <QWidget>
#include <algorithm>

namespace weft::ui {

namespace {

bool isOfFields(const QKeySequence& key) {
    const bool hasModifier =
        (key[0].keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier)) != 0;
    const bool isFunction = key[0].key() >= Qt::Key_F1 && key[0].key() <= Qt::Key_F35;
    return !hasModifier && !isFunction;
}

void place(CommandSet& commands, const QString& id, QWidget& window, QWidget& canvas) {
    QAction* action = commands.find(id);
    const bool isClipboards = id == QLatin1String("edit.paste") ||
                              id == QLatin1String("edit.copy") || id == QLatin1String("edit.cut");
    const bool isCanvas = isClipboards || std::ranges::any_of(action->shortcuts(), isOfFields);
    action->setShortcutContext(isCanvas ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
    (isCanvas ? window : canvas).removeAction(action);
    (isCanvas ? canvas : window).addAction(action);
}

} // namespace

void placeKeys(CommandSet& commands, QWidget& window, QWidget& canvas) {
    for (const CommandInfo& info : commands.all()) {
        place(commands, info.id, window, canvas);
    }
    QObject::connect(
        &commands, &CommandSet::added, &window,
        [&commands, &window, &canvas](const QString& id) { place(commands, id, window, canvas); });
    QObject::connect(
        &commands, &CommandSet::keysChanged, &window,
        [&commands, &window, &canvas](const QString& id) { place(commands, id, window, canvas); });
}

} // namespace weft::ui
