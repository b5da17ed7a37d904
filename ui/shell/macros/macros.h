// SPDX-License-Identifier: Apache-2.0
#pragma once
// The macros of the window: recording, saving, and one command with shortcut and menu entry per
// macro.

#include "macros/macro_files.h"
#include "macros/macro_player.h"
#include "macros/macro_recorder.h"

namespace weft::ui {

class MainWindow;

class Macros : public QObject {
    Q_OBJECT

public:
    Macros(WindowContext& context, MainWindow& window);

    /// Adds the commands of the menu and one command per saved macro.
    void addCommands();
    [[nodiscard]] MacroRecorder& recorder() { return recorder_; }
    [[nodiscard]] MacroPlayer& player() { return player_; }
    [[nodiscard]] const MacroFiles& files() const { return files_; } ///< saved macros
    [[nodiscard]] static QString commandOf(const QString& name);     ///< id

    /// Plays a macro; shows a notice on failure.
    bool play(const QString& name);     ///< false: it failed
    void playLine(const QString& line); ///< typed in the palette
    /// Saves a macro and adds or updates its command.
    bool write(const QString& name, const QString& text); ///< saves it
    /// Renames a macro and keeps its shortcut.
    bool rename(const QString& name, const QString& newName); ///< keeps the shortcut
    bool remove(const QString& name);                         ///< false: it failed
    /// Shows all macros with their lines; `name`: the selected one.
    void showList(const QString& name = {}); ///< dialog with all macros

private:
    void record(bool isWanted); ///< starts or ends it
    bool keep(); ///< saves the recording under an unused name; returns false if it is empty
    void showLines() const;               ///< help on macro lines
    void addCommand(const QString& name); ///< for a macro
    bool
    runAndReport(const std::function<void()>& work); ///< false: it failed, and a notice says why

    WindowContext& context_;
    MainWindow& window_;
    MacroFiles files_; ///< files of saved macros
    MacroPlayer player_;
    MacroRecorder recorder_;
    QString last_; ///< name of the macro recorded or played last
};

} // namespace weft::ui
