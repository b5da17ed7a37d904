// SPDX-License-Identifier: Apache-2.0
#pragma once
// The panels around the canvas: created when first shown, movable, each with a command that shows
// it. Each workspace saves its own layout, separately for small and large windows. dock_list.cpp
// lists the panels.

#include "workspace/bench.h"

#include <QByteArray>
#include <QMainWindow>
#include <functional>
#include <vector>

class QDockWidget;

namespace weft::ui {

enum class Workspace : std::uint8_t { design, run };

class Docks : public QObject {
    Q_OBJECT

public:
    Docks(Bench& bench, QMainWindow& window);

    [[nodiscard]] Workspace workspace() const { return workspace_; }
    void setWorkspace(Workspace workspace);
    /// Restores the default layout for the window's size.
    void reset();
    /// The start page hides all panels.
    void showAll(bool areShown);
    /// Shows a panel in front and focuses it.
    void reveal(const QString& id);
    /// Moves the focus to the next panel; the canvas comes between the last and the first.
    void walk(bool isForward);
    void save();
    [[nodiscard]] QWidget* panel(const QString& id);

Q_SIGNALS:
    void workspaceChanged(weft::ui::Workspace workspace);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Dock;
    void make(Dock& dock);
    void endDrags();
    void restore();
    void arrange();
    /// Divides the window by the default sizes.
    void share();
    [[nodiscard]] bool isSmall() const;
    void showTitles();
    void giveHeight(const Dock& dock);
    [[nodiscard]] QString key() const;

    Bench& bench_;
    QMainWindow& window_;
    Workspace workspace_ = Workspace::design;
    std::vector<std::shared_ptr<Dock>> docks_;
    bool areShown_ = false;
    bool isDue_ = false; ///< the layout will be restored once the window has its size
};

} // namespace weft::ui
