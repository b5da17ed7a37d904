// SPDX-License-Identifier: Apache-2.0
#pragma once
// The macros of the window: recorded, kept, and each a command of its own with a key and a place in
// the menu.

#include "macros/macro_files.h"
#include "macros/macro_player.h"
#include "macros/macro_recorder.h"

namespace weft::ui {

class MainWindow;

class Macros : public QObject {
    Q_OBJECT

public:
    Macros(Bench& bench, MainWindow& window);

    /// Those of the menu, and one for each macro that is kept.
    void addCommands();
    [[nodiscard]] MacroRecorder& recorder() { return recorder_; }
    [[nodiscard]] MacroPlayer& player() { return player_; }
    [[nodiscard]] const MacroFiles& files() const { return files_; }
    [[nodiscard]] static QString commandOf(const QString& name);

    /// What fails is a notice.
    bool play(const QString& name);
    void playLine(const QString& line);
    /// Its command changes with it; a new one is made.
    bool write(const QString& name, const QString& text);
    /// With its key.
    bool rename(const QString& name, const QString& newName);
    bool remove(const QString& name);
    /// Every macro with its lines; `name`: the one that is shown.
    void showList(const QString& name = {});

private:
    void record(bool isWanted);
    /// What was recorded, under a name that is free; false where there is nothing.
    bool keep();
    void showLines() const;
    void addCommand(const QString& name);
    bool tell(const std::function<void()>& work);

    Bench& bench_;
    MainWindow& window_;
    MacroFiles files_;
    MacroPlayer player_;
    MacroRecorder recorder_;
    QString last_; ///< recorded or played
};

} // namespace weft::ui
