// SPDX-License-Identifier: Apache-2.0
#include "macros/macro_recorder.h"

#include "macros/macro_player.h"

namespace weft::ui {

MacroRecorder::MacroRecorder(WindowContext& context, QObject* parent)
    : QObject(parent), context_(context) {
    connect(&context.commands, &CommandSet::began, this, &MacroRecorder::beginCommand);
    connect(&context.commands, &CommandSet::ended, this, &MacroRecorder::endCommand);
    connect(&context.designs, &OpenDesigns::currentChanged, this, [this] {
        if (design_ != nullptr && context_.designs.current() != design_) {
            emit designLeft();
        }
    });
    connect(&context.designs, &OpenDesigns::closing, this, [this](const OpenDesign* design) {
        if (design_ == design && design_ != nullptr) {
            emit designLeft();
        }
    });
}

void MacroRecorder::start() {
    design_ = context_.designs.current();
    if (design_ == nullptr) {
        return;
    }
    const Selection& selection = design_->selection();
    state_ = MacroState::atStart(selection.path(), selectedIn(selection));
    lines_.clear();
    undoneLines_.clear();
    redoneLines_ = lastEditLines_ = 0;
    commandDepth_ = 0;
    designBefore_.reset();
    DesignDocument& document = design_->document();
    document.endMerging();
    undoIndex_ = document.history().index();
    connections_ = {connect(&document, &DesignDocument::edited, this, &MacroRecorder::recordEdit),
                    connect(&document.history(), &QUndoStack::indexChanged, this,
                            &MacroRecorder::followUndoHistory)};
    emit changed();
}

QString MacroRecorder::stop() {
    for (const QMetaObject::Connection& one : std::exchange(connections_, {})) {
        disconnect(one);
    }
    design_ = nullptr;
    emit changed();
    return text();
}

QString MacroRecorder::text() const {
    QString text;
    for (const RecordedLine& one : lines_) {
        text += one.line + '\n';
    }
    return text;
}

bool MacroRecorder::isRecordedById(const QString& id) const {
    // There is no word for a selected wire, so deleting it is recorded by its effect.
    return id != QLatin1String("edit.delete") || !design_->selection().wire();
}

void MacroRecorder::appendLines(const std::vector<QStringList>& lines, const MacroState& after) {
    const int step = design_->document().history().index();
    for (const QStringList& words : lines) {
        lines_.push_back({joinWords(words), step, state_, after});
    }
    state_ = after;
    undoneLines_.clear();
    lastEditLines_ = lines.size();
    emit changed();
}

void MacroRecorder::recordEdit(const QString& name, const Design& before, bool isContinued) {
    if (commandDepth_ > 0) {
        return;
    }
    if (redoneLines_ > 0) { // the history grew by a new edit, not by a redo
        state_ = lines_[lines_.size() - redoneLines_].before;
        lines_.resize(lines_.size() - std::exchange(redoneLines_, 0));
    }
    if (isContinued && lastEditLines_ > 0 && lastEditLines_ <= lines_.size()) {
        state_ = lines_[lines_.size() - lastEditLines_].before;
        lines_.resize(lines_.size() - lastEditLines_);
    }
    const Selection& selection = design_->selection();
    const EditAsLines edit = linesOfEdit(before, design_->document().design(), state_,
                                         selection.path(), selectedIn(selection), *context_.kinds);
    if (edit.isExact) {
        appendLines(edit.lines, edit.state);
        return;
    }
    MacroState after = state_;
    recordAddedLayers(after, before, design_->document().design());
    appendLines({{QStringLiteral("macros.gap"), name}}, after);
    emit editNotRecorded(name);
}

void MacroRecorder::beginCommand(const QString& id) {
    if (design_ == nullptr || context_.designs.current() != design_ ||
        (commandDepth_ == 0 && !isRecordedById(id))) {
        return;
    }
    if (commandDepth_++ > 0 || id.isEmpty()) {
        return;
    }
    const Selection& selection = design_->selection();
    const CommandInfo* info = context_.commands.info(id);
    const bool isOnLayers = info->needs == Needs::layers || info->needs == Needs::editingLayers ||
                            id == QLatin1String("edit.delete");
    pathBefore_ = selection.path();
    designBefore_ = design_->document().design();
    if (isOnLayers || !(state_.path == pathBefore_)) {
        const auto way =
            linesToSelection(*designBefore_, state_, pathBefore_, selectedIn(selection));
        MacroState there = state_;
        there.path = pathBefore_;
        there.selected = selectedIn(selection);
        appendLines(way, there);
    }
}

void MacroRecorder::endCommand(const QString& id) {
    if (design_ == nullptr || commandDepth_ == 0 || --commandDepth_ > 0) {
        return;
    }
    lastEditLines_ = 0;
    if (id.isEmpty()) {
        // An edit that a command makes asynchronously belongs to the command's line.
        if (!lines_.empty()) {
            lines_.back().step = design_->document().history().index();
        }
        return;
    }
    MacroState after = state_;
    after.path = pathBefore_;
    recordAddedLayers(after, *designBefore_, design_->document().design());
    after.path = design_->selection().path();
    after.selected = selectedIn(design_->selection());
    designBefore_.reset();
    appendLines({{id}}, after);
    lastEditLines_ = 0;
}

void MacroRecorder::followUndoHistory(int step) {
    redoneLines_ = 0;
    if (commandDepth_ > 0) {
        undoIndex_ = step;
        return;
    }
    if (step < undoIndex_) {
        lastEditLines_ = 0;
        while (!lines_.empty() && lines_.back().step > step) {
            state_ = lines_.back().before;
            undoneLines_.push_back(std::move(lines_.back()));
            lines_.pop_back();
        }
    } else {
        while (!undoneLines_.empty() && undoneLines_.back().step <= step) {
            state_ = undoneLines_.back().after;
            lines_.push_back(std::move(undoneLines_.back()));
            undoneLines_.pop_back();
            ++redoneLines_;
        }
    }
    undoIndex_ = step;
    emit changed();
}

} // namespace weft::ui
