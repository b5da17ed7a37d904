// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/command_set.h"

#include <utility>

namespace weft::ui {

QAction& CommandSet::add(const CommandInfo& info, std::function<void(bool)> run) {
    Q_ASSERT(!actions_.contains(info.id));
    auto* action = new QAction(info.text, this);
    action->setObjectName(info.id);
    action->setStatusTip(info.help);
    action->setShortcuts(info.keys);
    action->setCheckable(info.isCheckable);
    connect(action, &QAction::triggered, this,
            [info, run = std::move(run)](bool isChecked) { run(!info.isCheckable || isChecked); });
    actions_.insert(info.id, action);
    infos_.push_back(info);
    return *action;
}

QAction* CommandSet::find(const QString& id) const { return actions_.value(id); }

void CommandSet::setKeys(const QString& id, const QList<QKeySequence>& keys) {
    if (QAction* action = find(id)) {
        action->setShortcuts(keys);
    }
}

QStringList CommandSet::conflicts() const {
    QHash<QString, QString> owners;
    QStringList found;
    for (const CommandInfo& info : infos_) {
        for (const QKeySequence& key : find(info.id)->shortcuts()) {
            const QString text = key.toString();
            if (owners.contains(text)) {
                found << QStringLiteral("%1: %2, %3").arg(text, owners[text], info.id);
            }
            owners.insert(text, info.id);
        }
    }
    return found;
}

} // namespace weft::ui
