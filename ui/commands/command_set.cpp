// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/command_set.h"

#include <QSettings>
#include <algorithm>
#include <utility>

namespace weft::ui {

namespace {

QString settingOf(const QString& id) { return QStringLiteral("keys/") + id; }

QStringList textsOf(const QList<QKeySequence>& keys, QKeySequence::SequenceFormat format) {
    QStringList texts;
    for (const QKeySequence& key : keys) {
        texts << key.toString(format);
    }
    return texts;
}

} // namespace

QAction& CommandSet::add(const CommandInfo& info, std::function<void(bool)> run) {
    Q_ASSERT(!actions_.contains(info.id));
    auto* action = new QAction(info.text, this);
    action->setObjectName(info.id);
    action->setStatusTip(info.help);
    action->setCheckable(info.isCheckable);
    connect(action, &QAction::triggered, this,
            [info, run = std::move(run)](bool isChecked) { run(!info.isCheckable || isChecked); });
    actions_.insert(info.id, action);
    infos_.push_back(info);
    QList<QKeySequence> keys = info.keys;
    if (const QSettings settings; settings.contains(settingOf(info.id))) {
        keys.clear();
        for (const QString& text : settings.value(settingOf(info.id)).toStringList()) {
            keys << QKeySequence(text, QKeySequence::PortableText);
        }
    }
    wear(info.id, keys);
    return *action;
}

QAction* CommandSet::find(const QString& id) const { return actions_.value(id); }

const CommandInfo* CommandSet::info(const QString& id) const {
    const auto found = std::ranges::find(infos_, id, &CommandInfo::id);
    return found == infos_.end() ? nullptr : &*found;
}

void CommandSet::wear(const QString& id, const QList<QKeySequence>& keys) {
    QAction& action = *find(id);
    action.setShortcuts(keys);
    const QStringList texts = textsOf(keys, QKeySequence::NativeText);
    const QString help = info(id)->help;
    action.setToolTip(
        texts.isEmpty() ? help : help + QStringLiteral("\n") + texts.join(QStringLiteral(", ")));
}

void CommandSet::setKeys(const QString& id, const QList<QKeySequence>& keys) {
    if (find(id) == nullptr) {
        return;
    }
    wear(id, keys);
    QSettings settings;
    if (hasOwnKeys(id)) {
        settings.setValue(settingOf(id), textsOf(keys, QKeySequence::PortableText));
    } else {
        settings.remove(settingOf(id));
    }
    Q_EMIT keysChanged(id);
}

void CommandSet::resetKeys(const QString& id) {
    if (const CommandInfo* known = info(id)) {
        setKeys(id, known->keys);
    }
}

bool CommandSet::hasOwnKeys(const QString& id) const {
    const CommandInfo* known = info(id);
    return known != nullptr && find(id)->shortcuts() != known->keys;
}

QString CommandSet::ownerOf(const QKeySequence& key) const {
    const auto found = std::ranges::find_if(infos_, [&](const CommandInfo& known) {
        return find(known.id)->shortcuts().contains(key);
    });
    return found == infos_.end() ? QString() : found->id;
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
