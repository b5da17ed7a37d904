// SPDX-License-Identifier: Apache-2.0
#pragma once
// The main window: bars, docks, the canvases of open designs in tabs, and the start page if none is
// open. Only this class knows all views; they communicate through the context.

#include "canvas/page/canvas_page.h"
#include "workspace/window_context.h"

#include <QMainWindow>
#include <map>

class QStackedWidget;
class QTabBar;

namespace weft::ui {

class Docks;
class Files;
class Macros;
class Notices;
class SearchPopup;
class StartPage;
class StatusLine;
class RunStrip;
class TopBar;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Look& look);
    ~MainWindow() override;

    [[nodiscard]] WindowContext& context() { return context_; }
    [[nodiscard]] Files& files() { return *files_; }
    [[nodiscard]] Docks& docks() { return *docks_; }
    [[nodiscard]] Notices& notices() { return *notices_; }
    [[nodiscard]] TopBar& bar() { return *bar_; }
    [[nodiscard]] RunStrip& strip() { return *strip_; }
    [[nodiscard]] Macros& macros() { return *macros_; }
    /// The current canvas; nullptr on the start page.
    [[nodiscard]] CanvasPage* page() const; ///< current canvas; nullptr: start page

    /// Edits the shown network and selects the layers that the edit adds. Returns false if the edit
    /// was refused or no design is open.
    bool edit(const QString& name, ///< one undo step
              const std::function<Edited(Design&, const NetworkPath&)>& change) const;

    /// Imports an ONNX model, and opens the design that it becomes. Asks for the file if none is
    /// given.
    void importModel(QString file = {}); ///< ONNX; empty: asks for it
    void showPalette();
    void showKeys(); ///< shortcuts
    /// Lists the live runs, with a way to open another run's folder.
    void showRunsToAttach(); ///< live runs
    /// Shows help on the selected layer, or on the kind chosen in the palette.
    void showHelp(); ///< on a layer
    /// Shows the start page without closing a design.
    void showStart(); ///< start page
    /// Enables the command that restores designs of a crashed session.
    void allowRestore(bool isLost); ///< for a crashed session's designs

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void buildTop();
    void buildCentre();
    void addPage(OpenDesign* design);
    void removePage(OpenDesign* design); ///< its canvas
    void follow();                       ///< the current design
    void nameTabs();                     ///< by design
    void applyLook() const;
    void enableCommands();
    void saveLayout();                                                ///< geometry of the window
    void findDevices();                                               ///< this machine's devices
    void showRunParts();                                              ///< as the workspace needs
    void showDifference(const QString& before, const QString& after); ///< between two runs
    /// Follows a run on its design, which is opened if necessary.
    void attach(const QString& run); ///< shows a run, live or ended
    void lookForRuns();              ///< live runs

    WindowContext context_;
    std::unique_ptr<Files> files_;
    std::unique_ptr<Macros> macros_;
    std::unique_ptr<Docks> docks_;
    QStackedWidget* centre_ = nullptr; ///< start page or pages_
    QStackedWidget* pages_ = nullptr;  ///< canvases of the open designs
    QTabBar* tabs_ = nullptr;          ///< one per open design
    StartPage* start_ = nullptr;
    TopBar* bar_ = nullptr; ///< menus and run buttons
    RunStrip* strip_ = nullptr;
    StatusLine* status_ = nullptr;                     ///< status bar
    Notices* notices_ = nullptr;                       ///< messages
    SearchPopup* palette_ = nullptr;                   ///< command palette
    SearchPopup* attachPopup_ = nullptr;               ///< lists live runs
    std::map<OpenDesign*, CanvasPage*> pageOfDesign_;  ///< canvas of each open design
    QList<QMetaObject::Connection> designConnections_; ///< connections to the current design
};

/// Add the commands of the window, by menu.
void addFileCommands(MainWindow& window);
void addEditCommands(MainWindow& window);
void addLayerCommands(MainWindow& window);
void addViewCommands(MainWindow& window);
void addRunCommands(MainWindow& window);
void addParallelCommands(MainWindow& window);
void addLensCommands(MainWindow& window);

} // namespace weft::ui
