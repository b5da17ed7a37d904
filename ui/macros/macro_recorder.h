// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes down what is done to a design as lines: a command by its id, any other edit by what it
// changed. What is selected is written where a line is about it. Undo takes lines back with what
// they did. Follows the design at which it began; another one ends it.

#include "macros/tell_edit.h"
#include "session/bench.h"

namespace weft::ui {

class MacroRecorder : public QObject {
    Q_OBJECT

public:
    explicit MacroRecorder(Bench& bench, QObject* parent = nullptr);

    [[nodiscard]] bool isRecording() const { return design_ != nullptr; }
    void start();
    /// The lines that were recorded.
    QString stop();
    [[nodiscard]] int count() const { return static_cast<int>(lines_.size()); }
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    /// Begun, ended, or a line more or less.
    void changed();
    /// Another design is looked at: stop.
    void left();
    /// What was done there no line says.
    void missed(const QString& name);

private:
    struct Recorded {
        QString line;
        int step = 0; ///< of the history after it
        Hand before;
        Hand after;
    };
    void takeEdit(const QString& name, const Design& before, bool isContinued);
    void begin(const QString& id);
    void end(const QString& id);
    void follow(int step);
    void write(const std::vector<QStringList>& lines, const Hand& after);
    [[nodiscard]] bool isById(const QString& id) const;

    Bench& bench_;
    OpenDesign* design_ = nullptr;
    QList<QMetaObject::Connection> heard_;
    Hand hand_; ///< where replaying the lines leads to
    std::vector<Recorded> lines_;
    std::vector<Recorded> undone_;
    std::size_t restored_ = 0;     ///< lines that the last redo brought back
    std::size_t batch_ = 0;        ///< lines of the last edit
    std::optional<Design> before_; ///< of the command that is being done
    NetworkPath pathBefore_;
    int depth_ = 0; ///< commands within commands
    int step_ = 0;
};

} // namespace weft::ui
