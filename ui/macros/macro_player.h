// SPDX-License-Identifier: Apache-2.0
#pragma once
// Does the lines of a macro on the design that is looked at, as one step of its history. A line
// that cannot be done stops it; what was done until then stays, and Undo takes it back. Gives the
// command set its lines.

#include "macros/lines_table.h"
#include "session/bench.h"

namespace weft::ui {

struct PlayedMacro {
    int line = 0; ///< the one that could not be done, from 1; 0: all were
    QString text; ///< that line
    QString why;
    [[nodiscard]] bool isWhole() const { return line == 0; }
    /// "line 3 (layer.set units 10): no layer is selected"
    [[nodiscard]] QString message() const;
};

class MacroPlayer : public QObject {
    Q_OBJECT

public:
    explicit MacroPlayer(Bench& bench, QObject* parent = nullptr);

    /// `name`: of the step. Macros may play one another, but not in a circle.
    PlayedMacro play(const QString& name, const QString& text);
    /// One line as a step of its own, as if it were done by hand.
    PlayedMacro doAlone(const QString& line);
    /// The first line that no command could be meant by; whole: there is none.
    [[nodiscard]] PlayedMacro checked(const QString& text) const;

private:
    QString act(const DesignLine& line, const QStringList& words);
    /// Why the line could not be done; empty: it was.
    QString doOne(const QStringList& words);
    PlayedMacro playLines(const QString& text);

    Bench& bench_;
    Hand hand_;
    QString refusal_; ///< heard while a line is done
    int depth_ = 0;
};

/// The layers that are selected, the current one last.
[[nodiscard]] std::vector<LayerId> selectedIn(const Selection& selection);

} // namespace weft::ui
