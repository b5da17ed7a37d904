// SPDX-License-Identifier: Apache-2.0
#include "commands/command_set.h"

#include "commands/key_presets.h"

#include <QSettings>
#include <algorithm>
#include <utility>

namespace weft::ui {

namespace {

constexpr const char* presetSetting = "key-preset";

QString settingOf(const QString& id) { return QStringLiteral("keys/") + id; }

QStringList textsOf(const QList<QKeySequence>& keys, QKeySequence::SequenceFormat format) {
    QStringList texts;
    for (const QKeySequence& key : keys) {
        texts << key.toString(format);
    }
    return texts;
}

} // namespace

CommandSet::CommandSet(QObject* parent)
    : QObject(parent), preset_(QSettings().value(presetSetting, ownPreset()).toString()) {}

QList<QKeySequence> CommandSet::defaultKeys(const CommandInfo& info) const {
    if (const auto keys = presetKeys(preset_, info.id)) {
        return *keys;
    }
    QList<QKeySequence> keys = info.keys;
    keys.removeIf([this](const QKeySequence& key) { return isPresetKey(preset_, key); });
    return keys;
}

void CommandSet::choosePreset(const QString& name) {
    preset_ = name;
    QSettings().setValue(presetSetting, name);
    for (const CommandInfo& info : infos_) {
        resetKeys(info.id);
    }
}

QAction& CommandSet::add(const CommandInfo& info, std::function<void(bool)> run) {
    Q_ASSERT(!actions_.contains(info.id));
    auto* action = new QAction(info.text, this);
    action->setObjectName(info.id);
    action->setStatusTip(info.help);
    action->setCheckable(info.isCheckable);
    connect(action, &QAction::triggered, this, [this, info, run = std::move(run)](bool isChecked) {
        const auto work = [&] { run(!info.isCheckable || isChecked); };
        if (info.isReplayed) {
            recordAs(info.id, work);
        } else {
            work();
        }
    });
    actions_.insert(info.id, action);
    infos_.push_back(info);
    QList<QKeySequence> keys = defaultKeys(info);
    if (const QSettings settings; settings.contains(settingOf(info.id))) {
        keys.clear();
        for (const QString& text : settings.value(settingOf(info.id)).toStringList()) {
            keys << QKeySequence(text, QKeySequence::PortableText);
        }
    }
    action->setShortcuts(keys);
    updateToolTip(info.id);
    emit added(info.id);
    return *action;
}

void CommandSet::remove(const QString& id) {
    if (find(id) == nullptr) {
        return;
    }
    std::erase_if(infos_, [&](const CommandInfo& info) { return info.id == id; });
    refusals_.remove(id);
    delete actions_.take(id);
    emit removed(id);
}

void CommandSet::addLine(const LineInfo& info, const LineRun& run) {
    Q_ASSERT(!runs_.contains(info.id));
    lines_.push_back(info);
    runs_.insert(info.id, run);
}

const LineInfo* CommandSet::line(const QString& id) const {
    const auto found = std::ranges::find(lines_, id, &LineInfo::id);
    return found == lines_.end() ? nullptr : &*found;
}

QString CommandSet::perform(const QStringList& words) {
    const QString id = words.value(0);
    const QStringList arguments = words.mid(1);
    QAction* action = find(id);
    const bool isReplayed = action != nullptr && info(id)->isReplayed;
    const LineInfo* lineInfo = line(id);
    if (lineInfo != nullptr && !(isReplayed && arguments.isEmpty())) {
        return arguments.size() < lineInfo->least
                   ? tr("its arguments are %1").arg(lineInfo->arguments)
                   : runs_[id](arguments);
    }
    if (action == nullptr) {
        return tr("there is no such command");
    }
    if (!isReplayed) {
        return tr("a macro cannot perform it: it opens a dialog or acts outside the design");
    }
    if (!arguments.isEmpty()) {
        return tr("it takes no arguments, but got %1").arg(arguments.join(' '));
    }
    if (!action->isEnabled()) {
        return refusals_.value(id);
    }
    const bool wasPerforming = std::exchange(isPerforming_, true);
    action->trigger();
    isPerforming_ = wasPerforming;
    return {};
}

void CommandSet::recordAs(const QString& id, const std::function<void()>& work) {
    emit began(id);
    work();
    emit ended(id);
}

QAction* CommandSet::find(const QString& id) const { return actions_.value(id); }

const CommandInfo* CommandSet::info(const QString& id) const {
    const auto found = std::ranges::find(infos_, id, &CommandInfo::id);
    return found == infos_.end() ? nullptr : &*found;
}

void CommandSet::updateToolTip(const QString& id) {
    QAction& action = *find(id);
    QStringList lines{refusals_.value(id, info(id)->help)};
    const QStringList keys = textsOf(action.shortcuts(), QKeySequence::NativeText);
    if (!keys.isEmpty()) {
        lines << keys.join(QStringLiteral(", "));
    }
    action.setToolTip(lines.join('\n'));
}

void CommandSet::setRefusal(const QString& id, const QString& why) {
    QAction* action = find(id);
    if (action == nullptr) {
        return;
    }
    if (why.isEmpty()) {
        refusals_.remove(id);
    } else {
        refusals_[id] = why;
    }
    action->setEnabled(why.isEmpty());
    updateToolTip(id);
}

void CommandSet::setKeys(const QString& id, const QList<QKeySequence>& keys) {
    if (find(id) == nullptr) {
        return;
    }
    find(id)->setShortcuts(keys);
    updateToolTip(id);
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
        setKeys(id, defaultKeys(*known));
    }
}

bool CommandSet::hasOwnKeys(const QString& id) const {
    const CommandInfo* known = info(id);
    return known != nullptr && find(id)->shortcuts() != defaultKeys(*known);
}

QString CommandSet::ownerOf(const QKeySequence& key) const {
    const auto found = std::ranges::find_if(infos_, [&](const CommandInfo& known) {
        return find(known.id)->shortcuts().contains(key);
    });
    return found == infos_.end() ? QString() : found->id;
}

} // namespace weft::ui
