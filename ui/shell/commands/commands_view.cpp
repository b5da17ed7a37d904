// SPDX-License-Identifier: Apache-2.0
#include "commands/command_place.h"
#include "panels/help/help_panel.h"
#include "shell/docks/docks.h"
#include "shell/main_window.h"
#include "timeline/memory_view.h"

#include <QActionGroup>
#include <QSettings>

namespace weft::ui {

namespace {

void addThemes(MainWindow& window) {
    WindowContext& context = window.context();
    auto* group = new QActionGroup(&window);
    const std::pair<const char*, std::pair<QString, Look::Choice>> choices[] = {
        {"view.theme-desktop", {MainWindow::tr("Theme of the desktop"), Look::Choice::desktop}},
        {"view.theme-dark", {MainWindow::tr("Dark theme"), Look::Choice::dark}},
        {"view.theme-light", {MainWindow::tr("Light theme"), Look::Choice::light}}};
    const int kept = QSettings().value("theme", 0).toInt();
    for (const auto& [id, entry] : choices) {
        const Look::Choice choice = entry.second;
        QAction& action =
            context.commands.add({.id = QLatin1String(id),
                                  .text = entry.first,
                                  .help = MainWindow::tr("Sets the colours of the window"),
                                  .place = MainWindow::tr("View"),
                                  .isCheckable = true,
                                  .needs = Needs::nothing},
                                 [&context, choice](bool) {
                                     context.look.choose(choice);
                                     QSettings().setValue("theme", static_cast<int>(choice));
                                 });
        action.setActionGroup(group);
        action.setChecked(static_cast<int>(choice) == kept);
    }
    context.look.choose(static_cast<Look::Choice>(kept));
}

void addHelp(MainWindow& window) {
    const CommandPlace help(window.context().commands, MainWindow::tr("Help"), Needs::nothing,
                            false);
    help("help.layer", MainWindow::tr("Help on the layer"),
         MainWindow::tr("Explains the selected layer: its ports, attributes and parameters"),
         "actions/help", {QKeySequence(Qt::Key_F1)}, [&window] { window.showHelp(); });
    help("help.palette", MainWindow::tr("Command palette"),
         MainWindow::tr("Finds every command and layer by name"), "actions/search",
         {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}, [&window] { window.showPalette(); });
    help("help.keys", MainWindow::tr("Keys and gestures"),
         MainWindow::tr("Lists all keys and gestures"), "actions/keys",
         {QKeySequence(Qt::Key_Question)}, [&window] { window.showKeys(); });
}

/// Connects requests of panels to the panels that answer them.
void hearPanels(MainWindow& window) {
    WindowContext& context = window.context();
    QObject::connect(&context, &WindowContext::memoryWanted, &window,
                     [&window](const QString& device) {
                         const QString memory = QStringLiteral("memory");
                         window.docks().reveal(memory);
                         static_cast<MemoryView*>(window.docks().panel(memory))->showDevice(device);
                     });
    QObject::connect(&context, &WindowContext::helpWanted, &window, [&window](const QString& page) {
        const QString id = QStringLiteral("help");
        window.docks().reveal(id);
        static_cast<HelpPanel*>(window.docks().panel(id))->showPage(page);
    });
}

} // namespace

void addViewCommands(MainWindow& window) {
    WindowContext& context = window.context();
    const CommandPlace add(context.commands, MainWindow::tr("View"), Needs::design);
    const CommandPlace always = add.needing(Needs::nothing);
    const auto onView = [&window](void (*run)(CanvasView&)) {
        return [&window, run] {
            if (window.page() != nullptr) {
                run(window.page()->view());
            }
        };
    };
    add("view.frame-all", MainWindow::tr("Frame all"),
        MainWindow::tr("Fits the whole network into the view"), "actions/fit",
        {QKeySequence(Qt::Key_Home)},
        onView([](CanvasView& canvas) { canvas.camera().frameAll(); }));
    add("view.frame-selection", MainWindow::tr("Frame selection"),
        MainWindow::tr("Shows the selection as large as possible"), "",
        {QKeySequence(Qt::Key_F), QKeySequence(Qt::Key_Period)},
        onView([](CanvasView& canvas) { canvas.camera().frameSelection(); }));
    add("view.zoom-in", MainWindow::tr("Zoom in"),
        MainWindow::tr("Enlarges the network about the centre of the view"), "actions/plus",
        {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
        onView([](CanvasView& canvas) { canvas.camera().zoomBy(tokens().sizes.zoom.step); }));
    add("view.zoom-out", MainWindow::tr("Zoom out"),
        MainWindow::tr("Shrinks the network about the centre of the view"), "actions/minus",
        {QKeySequence(Qt::CTRL | Qt::Key_Minus)},
        onView([](CanvasView& canvas) { canvas.camera().zoomBy(1 / tokens().sizes.zoom.step); }));
    add("view.zoom-whole", MainWindow::tr("Zoom to 100 %"),
        MainWindow::tr("Shows the network at its normal size, about the centre of the view"), "",
        {QKeySequence(Qt::CTRL | Qt::Key_0)}, onView([](CanvasView& canvas) {
            canvas.camera().zoomTo(1, QRectF(canvas.rect()).center());
        }));
    add("view.minimap", MainWindow::tr("Overview"),
        MainWindow::tr("Shows the whole network in the corner of the canvas"), "actions/minimap",
        {QKeySequence(Qt::Key_O)}, [&window] {
            if (CanvasPage* page = window.page()) {
                page->showMinimap(!page->hasMinimap());
            }
        });
    add("view.workspace", MainWindow::tr("Design or Run"),
        MainWindow::tr("Switches to the other workspace"), "", {QKeySequence(Qt::Key_F4)},
        [&window] {
            Docks& docks = window.docks();
            docks.setWorkspace(docks.workspace() == Workspace::design ? Workspace::run
                                                                      : Workspace::design);
        });
    add("view.next-panel", MainWindow::tr("Next panel"),
        MainWindow::tr("Moves the focus to the next panel"), "", {QKeySequence(Qt::Key_F6)},
        [&window] { window.docks().focusNextPanel(true); });
    add("view.previous-panel", MainWindow::tr("Previous panel"),
        MainWindow::tr("Moves the focus to the previous panel"), "",
        {QKeySequence(Qt::SHIFT | Qt::Key_F6)},
        [&window] { window.docks().focusNextPanel(false); });
    add("view.reset-layout", MainWindow::tr("Reset layout"),
        MainWindow::tr("Moves all panels to their default places"), "actions/layout", {},
        [&window] { window.docks().reset(); });
    always("view.full-screen", MainWindow::tr("Full screen"),
           MainWindow::tr("Fills the screen with the window"), "", {QKeySequence(Qt::Key_F11)},
           [&window] { window.setWindowState(window.windowState() ^ Qt::WindowFullScreen); });
    hearPanels(window);
    addThemes(window);
    addHelp(window);
}

} // namespace weft::ui
