// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records edits of a design as macro lines: a command by its id, any other edit by its effect. The
// selection is recorded where a line depends on it. Undo removes the lines of the undone step.
// Records the design that is open at the start; opening another one ends the recording.

#include "macros/edit_as_lines.h"
#include "workspace/window_context.h"

namespace weft::ui {

class MacroRecorder : public QObject {
    Q_OBJECT

public:
    explicit MacroRecorder(WindowContext& context, QObject* parent = nullptr);

    [[nodiscard]] bool isRecording() const { return design_ != nullptr; }
    void start();
    QString stop(); ///< ends the recording and returns its lines
    [[nodiscard]] int count() const { return static_cast<int>(lines_.size()); }
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void changed();    ///< the recording has begun or ended, or its lines have changed
    void designLeft(); ///< another design is shown, so the recording must stop
    void editNotRecorded(const QString& name); ///< the edit cannot be expressed as lines

private:
    struct RecordedLine {
        QString line;
        int step = 0;      ///< index in the undo history after the line
        MacroState before; ///< state before the line
        MacroState after;  ///< state after the line
    };
    void recordEdit(const QString& name, const Design& before, bool isContinued);
    void beginCommand(const QString& id);
    void endCommand(const QString& id);
    void followUndoHistory(int step);
    void appendLines(const std::vector<QStringList>& lines, const MacroState& after);
    [[nodiscard]] bool isRecordedById(const QString& id) const;

    WindowContext& context_;
    OpenDesign* design_ = nullptr;
    QList<QMetaObject::Connection> connections_;
    MacroState state_; ///< state after replaying the lines
    std::vector<RecordedLine> lines_;
    std::vector<RecordedLine> undoneLines_; ///< restored by redo
    std::size_t redoneLines_ = 0;           ///< number of lines that the last redo restored
    std::size_t lastEditLines_ = 0;         ///< number of lines of the last edit
    std::optional<Design> designBefore_;    ///< design before the command in progress
    NetworkPath pathBefore_;                ///< network shown before the command
    int commandDepth_ = 0;                  ///< nesting depth of commands
    int undoIndex_ = 0;                     ///< index in the undo history
};

} // namespace weft::ui
