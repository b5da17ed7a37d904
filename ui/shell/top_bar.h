// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bar at the top: menus left, the workspaces in the middle, devices and run buttons right. All
// its entries are commands; a command that does not exist leaves its place empty.

#include "session/bench.h"

#include <QWidget>

class QButtonGroup;
class QHBoxLayout;
class QMenu;
class QMenuBar;
class QPushButton;

namespace weft::ui {

class ChipRow;

class TopBar : public QWidget {
    Q_OBJECT

public:
    TopBar(Bench& bench, QWidget* parent = nullptr);

    /// Menus in their order, each the ids of its commands; "-" is a line between. One that is there
    /// is filled anew.
    void addMenu(const QString& title, const QStringList& commands);
    [[nodiscard]] QMenu* menu(const QString& title) const;
    /// Once all commands are there; of the buttons those are seen that `showButtons` names.
    void finish(const QStringList& workspaces, const QStringList& buttons);
    void showWorkspace(int number);
    void showButtons(const QStringList& commands);
    /// So many runs wait for their turn; a click asks to see them.
    void showWaiting(int runs);

Q_SIGNALS:
    void workspaceChosen(int number);
    void waitingWanted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showDevices();
    void dress();

    Bench& bench_;
    QMenuBar* menus_;
    ChipRow* chips_;
    QWidget* workspaceRow_;
    QHBoxLayout* right_ = nullptr;
    QButtonGroup* workspaces_ = nullptr;
    QPushButton* waiting_ = nullptr;
    QList<QPushButton*> buttons_;
};

} // namespace weft::ui
