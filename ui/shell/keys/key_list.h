// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dialog with every command's shortcuts and all gestures. A click on a shortcut records the next
// key; if another command has that key, the dialog asks first. Presets replace all shortcuts by
// those of another program.

#include "workspace/window_context.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::ui {

class KeyList : public QDialog {
    Q_OBJECT

public:
    KeyList(WindowContext& context, QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QLayout* makeTop();  ///< search field and presets
    [[nodiscard]] QLayout* makeFoot(); ///< message and buttons
    void fill();                       ///< the tree
    void addCommands();                ///< rows with shortcuts
    void addGestures();                ///< rows with gestures
    void addRow(const QString& place, const QString& id, const QStringList& texts);
    /// Records the next key for this command; an empty id ends recording.
    void record(const QString& id);                             ///< the next key; empty: none
    void take(const QKeySequence& key);                         ///< the recorded key
    void assignKey(const QString& id, const QKeySequence& key); ///< sets the shortcut
    void showMessage(const QString& text);
    [[nodiscard]] QString chosen() const;                  ///< id of the selected command
    [[nodiscard]] QString nameOf(const QString& id) const; ///< text of the command

    WindowContext& context_;
    QLineEdit* searchField_;
    QComboBox* presets_; ///< choice of default shortcuts
    QTreeWidget* tree_;  ///< commands and gestures
    QLabel* message_;
    QPushButton* replace_;      ///< takes the key from another command
    QString recording_;         ///< id of the command that gets the next key; empty: none
    QKeySequence contestedKey_; ///< key of another command, until the user decides
    QHash<QString, QTreeWidgetItem*> rows_;     ///< by command id
    QHash<QString, QTreeWidgetItem*> menuRows_; ///< by menu
};

} // namespace weft::ui
