// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Adds the commands of one place, which need the same.

#include "commands/command_set.h"

#include <utility>

namespace weft::ui {

class CommandPlace {
public:
    CommandPlace(CommandSet& commands, QString place, Needs needs)
        : commands_(commands), place_(std::move(place)), needs_(needs) {}

    /// The same place for commands that need something else.
    [[nodiscard]] CommandPlace needing(Needs needs) const { return {commands_, place_, needs}; }

    QAction& operator()(const QString& id, const QString& text, const QString& help,
                        const QString& icon, const QList<QKeySequence>& keys,
                        std::function<void()> run) const {
        return commands_.add({.id = id,
                              .text = text,
                              .help = help,
                              .place = place_,
                              .icon = icon,
                              .keys = keys,
                              .needs = needs_},
                             [run = std::move(run)](bool) { run(); });
    }

private:
    CommandSet& commands_;
    QString place_;
    Needs needs_;
};

} // namespace weft::ui
