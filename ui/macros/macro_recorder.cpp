// SPDX-License-Identifier: Apache-2.0
#include "macros/macro_recorder.h"

#include "macros/macro_player.h"

namespace weft::ui {

MacroRecorder::MacroRecorder(Bench& bench, QObject* parent) : QObject(parent), bench_(bench) {
    connect(&bench.commands, &CommandSet::began, this, &MacroRecorder::begin);
    connect(&bench.commands, &CommandSet::ended, this, &MacroRecorder::end);
    connect(&bench.designs, &OpenDesigns::currentChanged, this, [this] {
        if (design_ != nullptr && bench_.designs.current() != design_) {
            emit left();
        }
    });
    connect(&bench.designs, &OpenDesigns::closing, this, [this](const OpenDesign* design) {
        if (design_ == design && design_ != nullptr) {
            emit left();
        }
    });
}

void MacroRecorder::start() {
    design_ = bench_.designs.current();
    if (design_ == nullptr) {
        return;
    }
    const Selection& selection = design_->selection();
    state_ = MacroState::at(selection.path(), selectedIn(selection));
    lines_.clear();
    undone_.clear();
    restored_ = batch_ = 0;
    depth_ = 0;
    before_.reset();
    DesignDocument& document = design_->document();
    document.endMerging();
    step_ = document.history().index();
    heard_ = {
        connect(&document, &DesignDocument::edited, this, &MacroRecorder::takeEdit),
        connect(&document.history(), &QUndoStack::indexChanged, this, &MacroRecorder::follow)};
    emit changed();
}

QString MacroRecorder::stop() {
    for (const QMetaObject::Connection& one : std::exchange(heard_, {})) {
        disconnect(one);
    }
    design_ = nullptr;
    emit changed();
    return text();
}

QString MacroRecorder::text() const {
    QString text;
    for (const Recorded& one : lines_) {
        text += one.line + '\n';
    }
    return text;
}

bool MacroRecorder::isById(const QString& id) const {
    // There is no word for a selected wire, so deleting it is recorded by its effect.
    return id != QLatin1String("edit.delete") || !design_->selection().wire();
}

void MacroRecorder::write(const std::vector<QStringList>& lines, const MacroState& after) {
    const int step = design_->document().history().index();
    for (const QStringList& words : lines) {
        lines_.push_back({lineOf(words), step, state_, after});
    }
    state_ = after;
    undone_.clear();
    batch_ = lines.size();
    emit changed();
}

void MacroRecorder::takeEdit(const QString& name, const Design& before, bool isContinued) {
    if (depth_ > 0) {
        return;
    }
    if (restored_ > 0) { // an edit follows the undo instead of a redo
        state_ = lines_[lines_.size() - restored_].before;
        lines_.resize(lines_.size() - std::exchange(restored_, 0));
    }
    if (isContinued && batch_ > 0 && batch_ <= lines_.size()) {
        state_ = lines_[lines_.size() - batch_].before;
        lines_.resize(lines_.size() - batch_);
    }
    const Selection& selection = design_->selection();
    const ToldEdit told = tellEdit(before, design_->document().design(), state_, selection.path(),
                                   selectedIn(selection), *bench_.kinds);
    if (told.isWhole) {
        write(told.lines, told.state);
        return;
    }
    MacroState after = state_;
    noteMade(after, before, design_->document().design());
    write({{QStringLiteral("macros.gap"), name}}, after);
    emit missed(name);
}

void MacroRecorder::begin(const QString& id) {
    if (design_ == nullptr || bench_.designs.current() != design_ || (depth_ == 0 && !isById(id))) {
        return;
    }
    if (depth_++ > 0 || id.isEmpty()) {
        return;
    }
    const Selection& selection = design_->selection();
    const CommandInfo* info = bench_.commands.info(id);
    const bool isOnLayers = info->needs == Needs::layers || info->needs == Needs::editingLayers ||
                            id == QLatin1String("edit.delete");
    pathBefore_ = selection.path();
    before_ = design_->document().design();
    if (isOnLayers || !(state_.path == pathBefore_)) {
        const auto way = wayTo(*before_, state_, pathBefore_, selectedIn(selection));
        MacroState there = state_;
        there.path = pathBefore_;
        there.selected = selectedIn(selection);
        write(way, there);
    }
}

void MacroRecorder::end(const QString& id) {
    if (design_ == nullptr || depth_ == 0 || --depth_ > 0) {
        return;
    }
    batch_ = 0;
    if (id.isEmpty()) {
        // An edit that a command makes asynchronously belongs to the command's line.
        if (!lines_.empty()) {
            lines_.back().step = design_->document().history().index();
        }
        return;
    }
    MacroState after = state_;
    after.path = pathBefore_;
    noteMade(after, *before_, design_->document().design());
    after.path = design_->selection().path();
    after.selected = selectedIn(design_->selection());
    before_.reset();
    write({{id}}, after);
    batch_ = 0;
}

void MacroRecorder::follow(int step) {
    restored_ = 0;
    if (depth_ > 0) {
        step_ = step;
        return;
    }
    if (step < step_) {
        batch_ = 0;
        while (!lines_.empty() && lines_.back().step > step) {
            state_ = lines_.back().before;
            undone_.push_back(std::move(lines_.back()));
            lines_.pop_back();
        }
    } else {
        while (!undone_.empty() && undone_.back().step <= step) {
            state_ = undone_.back().after;
            lines_.push_back(std::move(undone_.back()));
            undone_.pop_back();
            ++restored_;
        }
    }
    step_ = step;
    emit changed();
}

} // namespace weft::ui
