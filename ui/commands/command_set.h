// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every action of the window once: menus, keys, buttons, the palette, macros and the tests take it
// from here. A command is a QAction with an id that never changes; the keys may, and are
// remembered. A line is a command with arguments, for macros and scripts; it may have a command's
// id: what the one asks, the other is told.

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

namespace weft::ui {

/// What there must be for a command to act; without it, it is greyed and says why.
enum class Needs : std::uint8_t {
    nothing,
    design,
    layers,        ///< chosen ones
    editing,       ///< a design that is edited, not looked at for the sake of a run
    editingLayers, ///< both
    other          ///< whoever added it says what
};

struct CommandInfo {
    QString id;    ///< "layer.duplicate"
    QString text;  ///< "Duplicate"
    QString help;  ///< a sentence: status bar, tooltip, palette
    QString place; ///< where it lives: "Edit", "View"
    QString icon = {};
    QList<QKeySequence> keys = {};
    bool isCheckable = false;
    Needs needs = Needs::design;
    /// Its id alone does the same again. Not so of one that asks, or leads out of the design: of
    /// that a macro keeps what came of it.
    bool isReplayed = true;
};

struct LineInfo {
    QString id;
    QString arguments; ///< "KIND [named NAME]": capitals stand for what one writes
    QString help;      ///< a sentence
    int least = 0;     ///< words that it takes at least
};

class CommandSet : public QObject {
    Q_OBJECT

public:
    explicit CommandSet(QObject* parent = nullptr);

    /// The id must be new. `run` is called with the check state (true where not checkable).
    QAction& add(const CommandInfo& info, std::function<void(bool)> run);
    /// Goes with its key and its place in menus; other sessions remember the key.
    void remove(const QString& id);
    /// `run` is given the words after the id and says why it could not be done; empty: it was.
    using LineRun = std::function<QString(const QStringList& words)>;
    void addLine(const LineInfo& info, const LineRun& run);
    [[nodiscard]] const std::vector<LineInfo>& lines() const { return lines_; }
    [[nodiscard]] const LineInfo* line(const QString& id) const;

    /// Does a command by its id, or a line with its arguments; why not, or empty.
    QString perform(const QStringList& words);
    /// Whether it does one now: what else takes its time is done at once.
    [[nodiscard]] bool isPerforming() const { return isPerforming_; }
    /// What edits of the design `work` makes belong to that command; empty: to none.
    void during(const QString& id, const std::function<void()>& work);

    /// nullptr where there is none.
    [[nodiscard]] QAction* find(const QString& id) const;
    [[nodiscard]] const std::vector<CommandInfo>& all() const { return infos_; }
    [[nodiscard]] const CommandInfo* info(const QString& id) const;

    /// Whether it can act now; `why` it cannot is its tooltip until then, empty: it can.
    void allow(const QString& id, const QString& why);
    [[nodiscard]] QString refusal(const QString& id) const { return refusals_.value(id); }

    /// The keys that commands come with: Weft's own, or those of another editor.
    [[nodiscard]] const QString& preset() const { return preset_; }
    /// From now on and in later sessions; what the user set by hand goes.
    void choosePreset(const QString& name);
    /// As the user set them, from now on and in later sessions; empty list: none.
    void setKeys(const QString& id, const QList<QKeySequence>& keys);
    /// Those it came with.
    void resetKeys(const QString& id);
    [[nodiscard]] bool hasOwnKeys(const QString& id) const;
    /// The command that answers this key; empty: none does.
    [[nodiscard]] QString ownerOf(const QKeySequence& key) const;

Q_SIGNALS:
    void keysChanged(const QString& id);
    void added(const QString& id);
    void removed(const QString& id);
    /// Around whatever a command does that is replayed.
    void began(const QString& id);
    void ended(const QString& id);

private:
    void describe(const QString& id);
    [[nodiscard]] QList<QKeySequence> keysItComesWith(const CommandInfo& info) const;

    QString preset_;
    std::vector<CommandInfo> infos_;
    std::vector<LineInfo> lines_;
    QHash<QString, LineRun> runs_;
    bool isPerforming_ = false;
    QHash<QString, QAction*> actions_;
    QHash<QString, QString> refusals_; ///< of those that cannot act
};

} // namespace weft::ui
