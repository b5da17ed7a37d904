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
    return succeeded()
               ? QString()
               : MacroPlayer::tr("line %1 (%2): %3").arg(QString::number(line), text, reason);
}

MacroPlayer::MacroPlayer(WindowContext& context, QObject* parent)
    : QObject(parent), context_(context) {
    for (const MacroLine& line : lineTable()) {
        context.commands.addLine(infoOf(line), [this, &line](const QStringList& words) {
            return performEdit(line, words);
        });
    }
    connect(&context, &WindowContext::notice, this, [this](const QString& text, bool isFailure) {
        refusal_ = isFailure && refusal_.isEmpty() ? text : refusal_;
    });
}

QString MacroPlayer::performEdit(const MacroLine& line, const QStringList& words) {
    OpenDesign* design = context_.designs.current();
    if (QString reason = context_.commands.refusal(QStringLiteral("layer.add"));
        !reason.isEmpty()) {
        return reason;
    }
    if (design == nullptr) {
        return tr("no design is open");
    }
    Selection& selection = design->selection();
    state_.path = selection.path();
    state_.selected = selectedIn(selection);
    const MacroState before = state_;
    const Edited edited = design->document().tryEdit(QLatin1String(line.id), [&](Design& target) {
        return runLine(line, {target, state_, *context_.kinds}, words);
    });
    if (!edited.isDone()) {
        state_ = before;
        return QString::fromStdString(edited.refusal->text);
    }
    selection.enter(state_.path);
    selection.select(state_.selected);
    return {};
}

QString MacroPlayer::performLine(const QStringList& words) {
    OpenDesign* design = context_.designs.current();
    const bool isLine = findLine(words.front()) != nullptr;
    const Design before = design->document().design();
    const auto heard = connect(
        &design->document(), &DesignDocument::refused, this,
        [this](const Diagnostic& reason) { refusal_ = QString::fromStdString(reason.text); });
    refusal_.clear();
    const std::size_t made = state_.addedLayers.size();
    state_.path = design->selection().path();
    const NetworkPath path = state_.path;
    QString reason = context_.commands.perform(words);
    disconnect(heard);
    if (!reason.isEmpty()) {
        return reason;
    }
    // A line records the layers that it adds. Those of a command differ between the designs.
    if (state_.addedLayers.size() == made && (!isLine || words.size() == 1)) {
        state_.path = path;
        recordAddedLayers(state_, before, design->document().design());
    }
    return refusal_;
}

PlayedMacro MacroPlayer::playLines(const QString& text) {
    int number = 0;
    for (const QString& line : text.split('\n')) {
        ++number;
        const auto words = splitLine(line);
        if (words && words->isEmpty()) {
            continue;
        }
        const QString reason = words ? performLine(*words) : tr("a quote is not closed");
        if (!reason.isEmpty()) {
            return {number, line.trimmed(), reason};
        }
    }
    return {};
}

PlayedMacro MacroPlayer::play(const QString& name, const QString& text) {
    OpenDesign* design = context_.designs.current();
    if (design == nullptr) {
        return {1, {}, tr("no design is open")};
    }
    if (depth_ == deepest) {
        return {1, {}, tr("macros play one another in a cycle")};
    }
    const MacroState around = state_;
    state_ = MacroState::atStart(design->selection().path(), selectedIn(design->selection()));
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

PlayedMacro MacroPlayer::playLine(const QString& line) {
    OpenDesign* design = context_.designs.current();
    if (design == nullptr) {
        return {1, line, tr("no design is open")};
    }
    state_ = MacroState::atStart(design->selection().path(), selectedIn(design->selection()));
    return playLines(line);
}

PlayedMacro MacroPlayer::check(const QString& text) const {
    int number = 0;
    for (const QString& line : text.split('\n')) {
        ++number;
        const auto words = splitLine(line);
        if (!words) {
            return {number, line.trimmed(), tr("a quote is not closed")};
        }
        if (words->isEmpty()) {
            continue;
        }
        const QString& id = words->front();
        const LineInfo* info = context_.commands.line(id);
        if (info == nullptr && context_.commands.find(id) == nullptr) {
            return {number, line.trimmed(), tr("there is no such command")};
        }
        const bool isAlone = words->size() == 1 && context_.commands.find(id) != nullptr &&
                             context_.commands.info(id)->isReplayed;
        if (info != nullptr && !isAlone && words->size() - 1 < info->least) {
            return {number, line.trimmed(), tr("its arguments are %1").arg(info->arguments)};
        }
    }
    return {};
}

} // namespace weft::ui
