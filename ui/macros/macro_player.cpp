// SPDX-License-Identifier: Apache-2.0
#include "macros/macro_player.h"

namespace weft::ui {

namespace {

constexpr int deepest = 8; ///< nesting of macros that play one another

} // namespace

std::vector<LayerId> selectedIn(const Selection& selection) {
    std::vector<LayerId> layers = selection.list();
    if (std::erase(layers, selection.current()) > 0) {
        layers.push_back(selection.current());
    }
    return layers;
}

QString PlayedMacro::message() const {
    return isWhole() ? QString()
                     : MacroPlayer::tr("line %1 (%2): %3").arg(QString::number(line), text, why);
}

MacroPlayer::MacroPlayer(Bench& bench, QObject* parent) : QObject(parent), bench_(bench) {
    for (const DesignLine& line : lineTable()) {
        bench.commands.addLine(
            infoOf(line), [this, &line](const QStringList& words) { return act(line, words); });
    }
    connect(&bench, &Bench::notice, this, [this](const QString& text, bool isFailure) {
        refusal_ = isFailure && refusal_.isEmpty() ? text : refusal_;
    });
}

QString MacroPlayer::act(const DesignLine& line, const QStringList& words) {
    OpenDesign* design = bench_.designs.current();
    if (QString why = bench_.commands.refusal(QStringLiteral("layer.add")); !why.isEmpty()) {
        return why;
    }
    if (design == nullptr) {
        return tr("no design is open");
    }
    Selection& selection = design->selection();
    state_.path = selection.path();
    state_.selected = selectedIn(selection);
    const MacroState before = state_;
    const Edited edited = design->document().tryEdit(QLatin1String(line.id), [&](Design& target) {
        return doLine(line, {target, state_, *bench_.kinds}, words);
    });
    if (!edited.isDone()) {
        state_ = before;
        return QString::fromStdString(edited.refusal->text);
    }
    selection.enter(state_.path);
    selection.select(state_.selected);
    return {};
}

QString MacroPlayer::doOne(const QStringList& words) {
    OpenDesign* design = bench_.designs.current();
    const bool isLine = findLine(words.front()) != nullptr;
    const Design before = design->document().design();
    const auto heard =
        connect(&design->document(), &DesignDocument::refused, this,
                [this](const Diagnostic& why) { refusal_ = QString::fromStdString(why.text); });
    refusal_.clear();
    const std::size_t made = state_.made.size();
    state_.path = design->selection().path();
    const NetworkPath path = state_.path;
    QString why = bench_.commands.perform(words);
    disconnect(heard);
    if (!why.isEmpty()) {
        return why;
    }
    // Lines record the layers they add; for a command, compares the design before and after.
    if (state_.made.size() == made && (!isLine || words.size() == 1)) {
        state_.path = path;
        noteMade(state_, before, design->document().design());
    }
    return refusal_;
}

PlayedMacro MacroPlayer::playLines(const QString& text) {
    int number = 0;
    for (const QString& line : text.split('\n')) {
        ++number;
        const auto words = wordsOf(line);
        if (words && words->isEmpty()) {
            continue;
        }
        const QString why = words ? doOne(*words) : tr("a quote is not closed");
        if (!why.isEmpty()) {
            return {number, line.trimmed(), why};
        }
    }
    return {};
}

PlayedMacro MacroPlayer::play(const QString& name, const QString& text) {
    OpenDesign* design = bench_.designs.current();
    if (design == nullptr) {
        return {1, {}, tr("no design is open")};
    }
    if (depth_ == deepest) {
        return {1, {}, tr("macros play one another in a cycle")};
    }
    const MacroState around = state_;
    state_ = MacroState::at(design->selection().path(), selectedIn(design->selection()));
    DesignDocument& document = design->document();
    if (depth_++ == 0) {
        document.beginStep(tr("Play %1").arg(name));
    }
    PlayedMacro played = playLines(text);
    if (--depth_ == 0) {
        document.endStep();
    }
    state_ = around;
    refusal_.clear();
    return played;
}

PlayedMacro MacroPlayer::doAlone(const QString& line) {
    OpenDesign* design = bench_.designs.current();
    if (design == nullptr) {
        return {1, line, tr("no design is open")};
    }
    state_ = MacroState::at(design->selection().path(), selectedIn(design->selection()));
    return playLines(line);
}

PlayedMacro MacroPlayer::checked(const QString& text) const {
    int number = 0;
    for (const QString& line : text.split('\n')) {
        ++number;
        const auto words = wordsOf(line);
        if (!words) {
            return {number, line.trimmed(), tr("a quote is not closed")};
        }
        if (words->isEmpty()) {
            continue;
        }
        const QString& id = words->front();
        const LineInfo* info = bench_.commands.line(id);
        if (info == nullptr && bench_.commands.find(id) == nullptr) {
            return {number, line.trimmed(), tr("there is no such command")};
        }
        const bool isAlone = words->size() == 1 && bench_.commands.find(id) != nullptr &&
                             bench_.commands.info(id)->isReplayed;
        if (info != nullptr && !isAlone && words->size() - 1 < info->least) {
            return {number, line.trimmed(), tr("its arguments are %1").arg(info->arguments)};
        }
    }
    return {};
}

} // namespace weft::ui
