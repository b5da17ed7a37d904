// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dialog with every command's shortcuts and all gestures. A click on a shortcut records the next
// key; if another command has that key, the dialog asks first. Presets replace all shortcuts by
// those of another program.

#include "workspace/bench.h"

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
    KeyList(Bench& bench, QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QLayout* makeTop();
    [[nodiscard]] QLayout* makeFoot();
    void fill();
    void addCommands();
    void addGestures();
    void addRow(const QString& place, const QString& id, const QStringList& texts);
    /// Records the next key for this command; an empty id ends recording.
    void record(const QString& id);
    void take(const QKeySequence& key);
    void give(const QString& id, const QKeySequence& key);
    void say(const QString& text);
    [[nodiscard]] QString chosen() const;
    [[nodiscard]] QString nameOf(const QString& id) const;

    Bench& bench_;
    QLineEdit* field_;
    QComboBox* presets_;
    QTreeWidget* tree_;
    QLabel* words_;
    QPushButton* replace_;
    QString recording_;
    QKeySequence wanted_; ///< key of another command, until the user decides
    QHash<QString, QTreeWidgetItem*> rows_;
    QHash<QString, QTreeWidgetItem*> places_;
};

} // namespace weft::ui
