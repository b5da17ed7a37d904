// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plays a macro on the shown design as one undo step. The first line that fails stops it; earlier
// lines keep their effect until Undo. Registers the lines with the command set.

#include "macros/lines_table.h"
#include "workspace/window_context.h"

namespace weft::ui {

struct PlayedMacro {
    int line = 0;   ///< number of the line that failed, from 1; 0: success
    QString text;   ///< text of that line
    QString reason; ///< why the line failed
    [[nodiscard]] bool succeeded() const { return line == 0; }
    /// Returns a message such as "line 3 (layer.set units 10): no layer is selected".
    [[nodiscard]] QString message() const;
};

class MacroPlayer : public QObject {
    Q_OBJECT

public:
    explicit MacroPlayer(WindowContext& context, QObject* parent = nullptr);

    /// `name`: of the undo step. Macros may play one another, but not recursively.
    PlayedMacro play(const QString& name, const QString& text);
    PlayedMacro playLine(const QString& line); ///< performs one line as an undo step of its own
    /// Returns the first line that names no known command; a result with line 0 if there is none.
    [[nodiscard]] PlayedMacro check(const QString& text) const;

private:
    QString performEdit(const MacroLine& line, const QStringList& words);
    /// Returns why the line failed, or an empty text.
    QString performLine(const QStringList& words);
    PlayedMacro playLines(const QString& text);

    WindowContext& context_;
    MacroState state_;
    QString refusal_; ///< refusal received while a line is performed
    int depth_ = 0;   ///< nesting depth of macros
};

/// The layers that are selected, the current one last.
[[nodiscard]] std::vector<LayerId> selectedIn(const Selection& selection);

} // namespace weft::ui
