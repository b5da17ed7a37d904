// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bar at the top: menus on the left, workspaces in the middle, devices and run buttons on the
// right. All entries are commands; an unknown command id leaves its place empty.

#include "workspace/window_context.h"

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
    TopBar(WindowContext& context, QWidget* parent = nullptr);

    /// Adds a menu with the commands of these ids, in order; "-" is a separator. An existing menu
    /// is filled again.
    void addMenu(const QString& title, const QStringList& commands);
    [[nodiscard]] QMenu* menu(const QString& title) const; ///< with this title
    /// Called after all commands were added. Only the buttons named by `showButtons` are visible.
    void finish(const QStringList& workspaces, const QStringList& buttons); ///< call once, last
    void showWorkspace(int number);                                         ///< as chosen
    void showButtons(const QStringList& commands); ///< and hides the others
    /// Shows the number of waiting runs; a click lists them.
    void showWaiting(int runs); ///< number of runs that wait

Q_SIGNALS:
    void workspaceChosen(int number); ///< index in the given workspaces
    void waitingWanted();             ///< a click on the number of waiting runs

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showDevices(); ///< as chips
    void applyLook();   ///< colours and fonts

    WindowContext& context_;
    QMenuBar* menus_;
    ChipRow* chips_;                     ///< devices
    QWidget* workspaceRow_;              ///< holds workspaces_
    QHBoxLayout* right_ = nullptr;       ///< devices and run buttons
    QButtonGroup* workspaces_ = nullptr; ///< Design and Run
    QPushButton* waiting_ = nullptr;     ///< number of waiting runs
    QList<QPushButton*> buttons_;        ///< run buttons
};

} // namespace weft::ui
