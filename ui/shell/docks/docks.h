// SPDX-License-Identifier: Apache-2.0
#pragma once
// The panels around the canvas: created when first shown, movable, each with a command that shows
// it. Each workspace saves its own layout, separately for small and large windows. dock_list.cpp
// lists the panels.

#include "workspace/window_context.h"

#include <QByteArray>
#include <QMainWindow>
#include <functional>
#include <vector>

class QDockWidget;

namespace weft::ui {

enum class Workspace : std::uint8_t { design, run }; ///< task of the window

class Docks : public QObject {
    Q_OBJECT

public:
    Docks(WindowContext& context, QMainWindow& window);

    [[nodiscard]] Workspace workspace() const { return workspace_; }
    void setWorkspace(Workspace workspace);
    /// Restores the default layout for the window's size.
    void reset(); ///< to the default layout
    /// The start page hides all panels.
    void showAll(bool areShown); ///< the start page hides all panels
    /// Shows a panel in front and focuses it.
    void reveal(const QString& id); ///< shows and focuses a panel
    /// Moves the focus to the next panel; the canvas comes between the last and the first.
    void focusNextPanel(bool isForward);             ///< focuses the next panel
    void save();                                     ///< the layout
    void endDrags();                                 ///< lets go of a panel that is being dragged
    [[nodiscard]] QWidget* panel(const QString& id); ///< nullptr: unknown

Q_SIGNALS:
    void workspaceChanged(weft::ui::Workspace workspace);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Dock;
    void make(Dock& dock); ///< creates the panel
    void restore();        ///< the saved layout
    void arrange();        ///< the default layout
    /// Divides the window by the default sizes.
    void applyDefaultSizes();            ///< by default sizes
    [[nodiscard]] bool isSmall() const;  ///< the window is small
    void showTitles();                   ///< titles of docks that are not tabs
    void ensureHeight(const Dock& dock); ///< if it is too low
    [[nodiscard]] QString key() const;   ///< in the settings, of the saved layout

    WindowContext& context_;
    QMainWindow& window_;
    Workspace workspace_ = Workspace::design;
    std::vector<std::shared_ptr<Dock>> docks_; ///< in the order of dockInfos()
    bool areShown_ = false;                    ///< the start page hides all panels
    bool isRestorePending_ = false; ///< the layout will be restored once the window has its size
};

} // namespace weft::ui
