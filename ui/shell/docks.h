// SPDX-License-Identifier: Apache-2.0
#pragma once
// The panels around the canvas: made when first shown, movable, each with a command that shows it.
// Each workspace remembers its own arrangement, for small and large windows apart. A panel is one
// line in dock_list.cpp.

#include "session/bench.h"

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
    /// The arrangement of the look for the window's size.
    void reset();
    /// None on the start page.
    void showAll(bool areShown);
    /// To the front, with the focus.
    void reveal(const QString& id);
    /// The next panel after the one that has the focus; the canvas between the last and the first.
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
    /// The sizes of the look.
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
    bool isDue_ = false; ///< to be restored once the window has its size
};

} // namespace weft::ui
