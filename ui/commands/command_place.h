// SPDX-License-Identifier: Apache-2.0
#pragma once
// Adds the commands of one menu, which need the same context.

#include "commands/command_set.h"

#include <utility>

namespace weft::ui {

class CommandPlace {
public:
    CommandPlace(CommandSet& commands, QString place, Needs needs, bool isReplayed = true)
        : commands_(commands), place_(std::move(place)), needs_(needs), isReplayed_(isReplayed) {}

    /// Returns the same menu for commands that need something else.
    [[nodiscard]] CommandPlace needing(Needs needs) const {
        return {commands_, place_, needs, isReplayed_};
    }
    /// For commands that open a dialog or act outside the design; macros don't replay them by id.
    [[nodiscard]] CommandPlace byHand() const { return {commands_, place_, needs_, false}; }

    QAction& operator()(const QString& id, const QString& text, const QString& help,
                        const QString& icon, const QList<QKeySequence>& keys,
                        std::function<void()> run) const {
        return commands_.add({.id = id,
                              .text = text,
                              .help = help,
                              .place = place_,
                              .icon = icon,
                              .keys = keys,
                              .needs = needs_,
                              .isReplayed = isReplayed_},
                             [run = std::move(run)](bool) { run(); });
    }

private:
    CommandSet& commands_;
    QString place_;   ///< menu: "Edit"
    Needs needs_;     ///< what its commands need
    bool isReplayed_; ///< macros replay its commands by id
};

} // namespace weft::ui
