// SPDX-License-Identifier: Apache-2.0
#pragma once
// All commands of the window; menus, shortcuts, buttons, the palette, macros and tests take them
// from here. A command is a QAction with a constant id; its shortcuts can be changed and are saved.
// A line is a command with arguments, for macros and scripts. It may share the id of a command that
// asks for these arguments in a dialog.

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

namespace weft::ui {

/// What a command needs before it can act; otherwise it is disabled and says why.
enum class Needs : std::uint8_t {
    nothing,       ///< can always act
    design,        ///< an open design
    layers,        ///< selected layers
    editing,       ///< an editable design, not the view of a run
    editingLayers, ///< an editable design and selected layers
    other          ///< set by whoever added the command
};

struct CommandInfo {
    QString id;                    ///< such as "layer.duplicate"
    QString text;                  ///< such as "Duplicate"
    QString help;                  ///< one sentence for status bar, tooltip and palette
    QString place;                 ///< menu: "Edit", "View"
    QString icon = {};             ///< under resources/icons
    QList<QKeySequence> keys = {}; ///< default shortcuts
    bool isCheckable = false;      ///< has a check mark
    Needs needs = Needs::design;   ///< before it can act; otherwise it is disabled
    /// True if a macro can replay the command by its id alone. For a command that asks, or acts
    /// outside the design, a macro records the resulting edits instead.
    bool isReplayed = true; ///< macros replay it by its id alone
};

struct LineInfo {
    QString id;        ///< such as "layer.add"
    QString arguments; ///< such as "KIND [named NAME]"; capitals are placeholders
    QString help;      ///< one sentence
    int least = 0;     ///< least number of words
};

class CommandSet : public QObject {
    Q_OBJECT

public:
    explicit CommandSet(QObject* parent = nullptr);

    /// The id must be unique. `run` is called with the check state (true if the command is not
    /// checkable).
    QAction& add(const CommandInfo& info, std::function<void(bool)> run);
    /// Removes a command with its shortcut and menu entry; the saved shortcut stays.
    void remove(const QString& id); ///< with its shortcut and menu entry
    /// `run` gets the words after the id and returns why the line failed, or an empty text.
    using LineRun = std::function<QString(const QStringList& words)>; ///< returns why it failed
    void addLine(const LineInfo& info, const LineRun& run);           ///< a command with arguments
    [[nodiscard]] const std::vector<LineInfo>& lines() const { return lines_; }
    [[nodiscard]] const LineInfo* line(const QString& id) const;

    /// Performs a command by its id, or a line with its arguments. Returns why it failed, or an
    /// empty text.
    QString perform(const QStringList& words); ///< returns why it failed; empty: done
    /// True during `perform`; actions that are otherwise asynchronous then run synchronously.
    [[nodiscard]] bool isPerforming() const { return isPerforming_; }
    /// Attributes the edits that `work` makes to this command; an empty id means the last recorded
    /// one.
    void recordAs(const QString& id, const std::function<void()>& work);

    /// Returns nullptr if there is no such command.
    [[nodiscard]] QAction* find(const QString& id) const; ///< nullptr: unknown
    [[nodiscard]] const std::vector<CommandInfo>& all() const { return infos_; }
    [[nodiscard]] const CommandInfo* info(const QString& id) const;

    /// Enables the command if `why` is empty; otherwise disables it and shows `why` as its tooltip.
    void setRefusal(const QString& id, const QString& why); ///< empty: enables it
    [[nodiscard]] QString refusal(const QString& id) const { return refusals_.value(id); }

    /// Name of the default shortcuts: Weft's own, or those of another editor.
    [[nodiscard]] const QString& preset() const { return preset_; }
    /// Changes the default shortcuts permanently and discards the user's own shortcuts.
    void choosePreset(const QString& name); ///< discards the user's shortcuts
    /// Sets the user's shortcuts permanently; an empty list: no shortcut.
    void setKeys(const QString& id, const QList<QKeySequence>& keys); ///< the user's own; saved
    /// Restores the default shortcuts.
    void resetKeys(const QString& id);                      ///< to the default
    [[nodiscard]] bool hasOwnKeys(const QString& id) const; ///< differs from the default
    /// Returns the command with this shortcut, or an empty text.
    [[nodiscard]] QString ownerOf(const QKeySequence& key) const;

Q_SIGNALS:
    void keysChanged(const QString& id); ///< shortcuts of the command
    void added(const QString& id);       ///< id of a new command
    void removed(const QString& id);     ///< id of a removed command
    /// `began` and `ended` enclose everything that a replayable command does.
    void began(const QString& id); ///< a replayable command begins
    void ended(const QString& id); ///< a replayable command has ended

private:
    void updateToolTip(const QString& id);
    [[nodiscard]] QList<QKeySequence> defaultKeys(const CommandInfo& info) const;

    QString preset_;                   ///< name of the default shortcuts
    std::vector<CommandInfo> infos_;   ///< all commands
    std::vector<LineInfo> lines_;      ///< all lines
    QHash<QString, LineRun> runs_;     ///< by id of the line
    bool isPerforming_ = false;        ///< in `perform`
    QHash<QString, QAction*> actions_; ///< by id
    QHash<QString, QString> refusals_; ///< reasons why disabled commands cannot act
};

} // namespace weft::ui
