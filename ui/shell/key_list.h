// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every command with its keys, and every gesture. A click on a command's keys takes the next key
// that is pressed; one that another command answers is named before it is taken. All at once they
// can be those of another program.

#include "session/bench.h"

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
    /// The next key is this command's; empty: no longer.
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
    QKeySequence wanted_; ///< another command's, until that is decided
    QHash<QString, QTreeWidgetItem*> rows_;
    QHash<QString, QTreeWidgetItem*> places_;
};

} // namespace weft::ui
