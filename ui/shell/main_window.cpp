// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/main_window.h"

#include "canvas/live_feed.h"
#include "panels/help/help_panel.h"
#include "panels/palette/palette_panel.h"
#include "session/aside.h"
#include "shell/data_drop.h"
#include "shell/docks.h"
#include "shell/files.h"
#include "shell/key_list.h"
#include "shell/key_places.h"
#include "shell/notices.h"
#include "shell/palette_rows.h"
#include "shell/run_permits.h"
#include "shell/run_strip.h"
#include "shell/start_page.h"
#include "shell/status_line.h"
#include "shell/top_bar.h"
#include "theme/symbols.h"
#include "widgets/search_popup.h"
#include <weft/design_file.h>

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

namespace weft::ui {

MainWindow::MainWindow(Look& look)
    : bench_(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
      files_(std::make_unique<Files>(bench_, *this)) {
    setWindowTitle(QStringLiteral("Weft"));
    addFileCommands(*this);
    addEditCommands(*this);
    addLayerCommands(*this);
    addViewCommands(*this);
    addParallelCommands(*this);
    addRunCommands(*this);
    addLensCommands(*this);
    build();
    connect(&bench_.designs, &OpenDesigns::added, this, &MainWindow::addPage);
    connect(&bench_.designs, &OpenDesigns::closing, this, &MainWindow::removePage);
    connect(&bench_.designs, &OpenDesigns::currentChanged, this, &MainWindow::follow);
    connect(&bench_, &Bench::differenceWanted, this, &MainWindow::showDifference);
    connect(&bench_, &Bench::openWanted, this, [this](const QString& file) { files_->open(file); });
    connect(files_.get(), &Files::dataDropped, this,
            [this](const QStringList& files) { takeData(bench_, files); });
    const QByteArray geometry = QSettings().value("layout/window").toByteArray();
    if (geometry.isEmpty() || !restoreGeometry(geometry)) {
        resize(screen()->availableGeometry().size().boundedTo({1600, 1000}));
    }
    follow();
    survey();
    allowRestore(!files_->lost().isEmpty());
    if (const QString lost = files_->lost(); !lost.isEmpty()) {
        start_->offerRecovery(lost, *bench_.commands.find(QStringLiteral("file.restore")), [this] {
            files_->forgetLost();
            allowRestore(false);
        });
    }
}

MainWindow::~MainWindow() {
    bench_.designs.disconnect(this);
    // Panels hold references to the bench, which goes before QMainWindow's children do.
    docks_.reset();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

void MainWindow::build() {
    docks_ = std::make_unique<Docks>(bench_, *this);
    bar_ = new TopBar(bench_, this);
    bar_->addMenu(tr("File"),
                  {"file.new", "file.open", "file.start", "-", "file.save", "file.save-as",
                   "file.reload", "file.restore", "file.picture", "-", "file.close", "file.quit"});
    bar_->addMenu(tr("Edit"), {"edit.undo", "edit.redo", "-", "edit.cut", "edit.copy", "edit.paste",
                               "edit.duplicate", "edit.duplicate-wired", "edit.delete",
                               "edit.dissolve", "-", "edit.select-all", "edit.select-upstream",
                               "edit.select-downstream", "-", "edit.find"});
    bar_->addMenu(tr("View"), {"view.frame-all",
                               "view.frame-selection",
                               "view.zoom-in",
                               "view.zoom-out",
                               "view.zoom-whole",
                               "view.minimap",
                               "view.brush",
                               "view.rank-lens",
                               "-",
                               "lens.parallelism",
                               "lens.time",
                               "lens.activations",
                               "-",
                               "dock.palette",
                               "dock.inspector",
                               "dock.training",
                               "dock.data",
                               "dock.assignment",
                               "dock.prediction",
                               "dock.problems",
                               "dock.devices",
                               "dock.help",
                               "dock.monitor",
                               "dock.timeline",
                               "dock.at-work",
                               "dock.tensors",
                               "dock.log",
                               "dock.history",
                               "dock.try",
                               "-",
                               "view.workspace",
                               "view.next-panel",
                               "view.previous-panel",
                               "view.reset-layout",
                               "view.full-screen",
                               "-",
                               "view.theme-desktop",
                               "view.theme-dark",
                               "view.theme-light"});
    bar_->addMenu(tr("Layer"), {"layer.add",
                                "layer.rename",
                                "layer.mute",
                                "layer.bypass",
                                "layer.collapse",
                                "layer.hide-ports",
                                "-",
                                "layer.group",
                                "layer.ungroup",
                                "layer.enter",
                                "layer.leave",
                                "layer.repeat",
                                "layer.frame",
                                "layer.comment",
                                "-",
                                "layer.align-left",
                                "layer.align-right",
                                "layer.align-top",
                                "layer.align-bottom",
                                "layer.straighten",
                                "layer.distribute",
                                "layer.lay-out",
                                "layer.lay-out-all"});
    QStringList parallel;
    QStringList run;
    for (const CommandInfo& info : bench_.commands.all()) {
        if (info.id.startsWith(QLatin1String("parallel."))) {
            parallel << info.id;
        } else if (info.id.startsWith(QLatin1String("run."))) {
            run << info.id;
        }
    }
    if (!parallel.isEmpty()) {
        bar_->addMenu(tr("Parallel"), parallel);
    }
    if (!run.isEmpty()) {
        bar_->addMenu(tr("Run"), run);
    }
    bar_->addMenu(tr("Help"), {"help.layer", "help.palette", "help.keys"});
    bar_->finish({tr("Design"), tr("Run")},
                 {"run.pause", "run.resume", "run.step", "run.stop", "run.start"});
    connect(bar_, &TopBar::workspaceChosen, this, [this](int number) {
        docks_->setWorkspace(number == 0 ? Workspace::design : Workspace::run);
    });
    connect(docks_.get(), &Docks::workspaceChanged, this, [this](Workspace workspace) {
        bar_->showWorkspace(workspace == Workspace::design ? 0 : 1);
        showRunParts();
        enableCommands();
    });
    auto* top = new QWidget(this);
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    strip_ = new RunStrip(bench_, top);
    rows->addWidget(bar_);
    rows->addWidget(strip_);
    setMenuWidget(top);
    const auto showPanel = [this](const char* dock) {
        docks_->setWorkspace(Workspace::run);
        docks_->reveal(QLatin1String(dock));
    };
    connect(strip_, &RunStrip::logWanted, this, [showPanel] { showPanel("log"); });
    connect(bar_, &TopBar::waitingWanted, this, [showPanel] { showPanel("history"); });
    connect(&bench_.hub, &RunHub::grown, this, [this](const RunGrowth& growth) {
        if (growth.hasState || growth.isNew) {
            showRunParts();
        }
    });
    connect(&bench_.control, &RunControl::changed, this, &MainWindow::showRunParts);

    centre_ = new QStackedWidget(this);
    start_ = new StartPage(bench_, *files_, centre_);
    auto* work = new QWidget(centre_);
    auto* layout = new QVBoxLayout(work);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    tabs_ = new QTabBar(work);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setMovable(false);
    tabs_->setTabsClosable(true);
    tabs_->setAutoFillBackground(true);
    tabs_->setAccessibleName(tr("Open designs"));
    pages_ = new QStackedWidget(work);
    layout->addWidget(tabs_);
    layout->addWidget(pages_, 1);
    centre_->addWidget(start_);
    centre_->addWidget(work);
    setCentralWidget(centre_);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int number) {
        if (auto* page = static_cast<CanvasPage*>(pages_->widget(number))) {
            bench_.designs.setCurrent(&page->design());
        }
    });
    connect(tabs_, &QTabBar::tabCloseRequested, this, [this](int number) {
        files_->close(static_cast<CanvasPage*>(pages_->widget(number))->design());
    });
    status_ = new StatusLine(bench_, this);
    statusBar()->addWidget(status_, 1);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setFixedHeight(tokens().sizes.size.statusBar);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->layout()->setContentsMargins(0, 0, 0, 0);
    notices_ = new Notices(bench_, *centre_);
    setAcceptDrops(true);

    placeKeys(bench_.commands, *this, *pages_);
    enableCommands();
    connect(&bench_.look, &Look::changed, this, &MainWindow::dress);
    dress();
}

void MainWindow::dress() const {
    const Theme& theme = bench_.look.theme();
    for (const CommandInfo& info : bench_.commands.all()) {
        if (!info.icon.isEmpty()) {
            bench_.commands.find(info.id)->setIcon(
                symbolIcon(info.icon, theme.text.secondary, theme.text.disabled));
        }
    }
}

CanvasPage* MainWindow::page() const {
    const auto found = byDesign_.find(bench_.designs.current());
    return found == byDesign_.end() ? nullptr : found->second;
}

bool MainWindow::edit(const QString& name,
                      const std::function<Edited(Design&, const NetworkPath&)>& change) const {
    OpenDesign* design = bench_.designs.current();
    if (design == nullptr) {
        return false;
    }
    const NetworkPath path = design->selection().path();
    const Edited edited =
        design->document().edit(name, [&](Design& target) { return change(target, path); });
    if (edited.isDone() && !edited.layers.empty()) {
        design->selection().select(edited.layers);
    }
    return edited.isDone();
}

void MainWindow::addPage(OpenDesign* design) {
    auto* page = new CanvasPage(bench_, *design, pages_);
    byDesign_[design] = page;
    pages_->addWidget(page);
    const QSignalBlocker quiet(tabs_);
    tabs_->addTab(design->document().title());
    page->view().setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&page->view(), &QWidget::customContextMenuRequested, this, [this, page](QPoint at) {
        QMenu menu(this);
        for (const char* id :
             {"layer.add", "-", "edit.copy", "edit.paste", "edit.duplicate", "edit.delete",
              "edit.dissolve", "-", "layer.rename", "layer.mute", "layer.bypass", "layer.collapse",
              "-", "layer.group", "layer.ungroup", "layer.frame", "layer.lay-out"}) {
            if (QAction* action = bench_.commands.find(QLatin1String(id))) {
                menu.addAction(action);
            } else {
                menu.addSeparator();
            }
        }
        menu.exec(page->view().mapToGlobal(at));
    });
    if (bench_.machine() != nullptr) {
        design->check().setMachine(bench_.machine()->machine);
    }
    connect(&design->document(), &DesignDocument::fileChanged, this, &MainWindow::nameTabs);
}

void MainWindow::removePage(OpenDesign* design) {
    const auto found = byDesign_.find(design);
    if (found == byDesign_.end()) {
        return;
    }
    CanvasPage* page = found->second;
    byDesign_.erase(found);
    const QSignalBlocker quiet(tabs_);
    tabs_->removeTab(pages_->indexOf(page));
    pages_->removeWidget(page);
    delete page;
    nameTabs();
}

void MainWindow::follow() {
    for (const QMetaObject::Connection& one : std::exchange(followed_, {})) {
        disconnect(one);
    }
    OpenDesign* design = bench_.designs.current();
    centre_->setCurrentIndex(design == nullptr ? 0 : 1);
    docks_->showAll(design != nullptr);
    showRunParts();
    if (CanvasPage* shown = page()) {
        pages_->setCurrentWidget(shown);
        const QSignalBlocker quiet(tabs_);
        tabs_->setCurrentIndex(pages_->indexOf(shown));
        followed_ << connect(&design->document(), &DesignDocument::changed, this,
                             &MainWindow::enableCommands)
                  << connect(&design->document().history(), &QUndoStack::indexChanged, this,
                             &MainWindow::enableCommands)
                  << connect(&design->selection(), &Selection::changed, this,
                             &MainWindow::enableCommands)
                  << connect(&bench_, &Bench::revealWanted, this, [shown](LayerId layer) {
                         shown->design().selection().select({layer});
                         shown->view().reveal(layer);
                     });
        followed_ << connect(&bench_, &Bench::placeWanted, this, [shown](const QString& kind) {
            const bool isGroup = kind.startsWith(QLatin1String("group:"));
            shown->place(isGroup ? kind.mid(6) : kind, isGroup, shown->freePlace());
        });
        shown->setFocus();
    }
    nameTabs();
    enableCommands();
}

void MainWindow::showRunParts() {
    const bool isRun = docks_->workspace() == Workspace::run;
    strip_->setVisible(bench_.designs.current() != nullptr && isRun);
    for (const auto& [design, page] : byDesign_) {
        page->view().setRun(isRun);
    }
    bar_->showButtons(runButtons(bench_));
    const auto tickets = bench_.control.tickets();
    bar_->showWaiting(
        static_cast<int>(std::ranges::count(tickets, TicketState::waiting, &RunTicket::state)));
}

void MainWindow::showDifference(const QString& before, const QString& after) {
    const auto designIn = [](const QString& run) { return run + QStringLiteral("/design.weft"); };
    try {
        const Design first = loadDesign(designIn(before).toStdString(), *bench_.kinds).design;
        if (files_->open(designIn(after))) {
            page()->feed().compareWith(first);
        }
    } catch (const Error& error) {
        emit bench_.notice(QString::fromUtf8(error.what()), true);
    }
    emit bench_.curvesWanted({before, after});
    docks_->reveal(QStringLiteral("monitor"));
}

void MainWindow::showStart() { bench_.designs.setCurrent(nullptr); }

void MainWindow::nameTabs() {
    for (int i = 0; i < tabs_->count() && i < pages_->count(); ++i) {
        const DesignDocument& document =
            static_cast<CanvasPage*>(pages_->widget(i))->design().document();
        tabs_->setTabText(i,
                          document.title() + (document.isModified() ? QStringLiteral(" •") : ""));
        tabs_->setTabToolTip(i, document.file());
    }
    tabs_->setVisible(tabs_->count() > 1);
    const OpenDesign* design = bench_.designs.current();
    setWindowTitle(design == nullptr ? QStringLiteral("Weft")
                                     : tr("%1[*] – Weft").arg(design->document().title()));
    setWindowModified(design != nullptr && design->document().isModified());
}

void MainWindow::allowRestore(bool isLost) {
    bench_.commands.allow(QStringLiteral("file.restore"),
                          isLost ? QString() : tr("Nothing was lost"));
}

void MainWindow::enableCommands() {
    OpenDesign* design = bench_.designs.current();
    const bool isOpen = design != nullptr;
    const bool isChosen = isOpen && !design->selection().layers().empty();
    const bool isWire = isOpen && design->selection().wire().has_value();
    const QString noDesign = isOpen ? QString() : tr("Open or make a design first");
    const QString noLayer = !isOpen ? noDesign : isChosen ? QString() : tr("Select a layer first");
    // A run's view is laid out for the room there is: what is edited there would stand elsewhere.
    const QString noEditing = docks_->workspace() == Workspace::run
                                  ? tr("Here the network is looked at: go to Design to edit it")
                                  : noDesign;
    CommandSet& commands = bench_.commands;
    for (const CommandInfo& info : commands.all()) {
        switch (info.needs) {
        case Needs::nothing: commands.allow(info.id, {}); break;
        case Needs::design: commands.allow(info.id, noDesign); break;
        case Needs::layers: commands.allow(info.id, noLayer); break;
        case Needs::editing: commands.allow(info.id, noEditing); break;
        case Needs::editingLayers:
            commands.allow(info.id, noEditing.isEmpty() ? noLayer : noEditing);
            break;
        case Needs::other: break;
        }
    }
    commands.allow("edit.delete", !noEditing.isEmpty() ? noEditing
                                  : isChosen || isWire ? QString()
                                                       : tr("Select a layer or a wire first"));
    const bool canUndo = isOpen && design->document().history().canUndo();
    const bool canRedo = isOpen && design->document().history().canRedo();
    commands.allow("edit.undo", canUndo ? QString() : tr("There is nothing to take back"));
    commands.allow("edit.redo", canRedo ? QString() : tr("Nothing was taken back"));
    QAction& undo = *commands.find("edit.undo");
    QAction& redo = *commands.find("edit.redo");
    undo.setText(canUndo ? tr("Undo %1").arg(design->document().history().undoText()) : tr("Undo"));
    redo.setText(canRedo ? tr("Redo %1").arg(design->document().history().redoText()) : tr("Redo"));
}

void MainWindow::showPalette() {
    if (palette_ == nullptr) {
        palette_ = new SearchPopup(bench_.look, *this);
    }
    constexpr int wide = 560;
    constexpr int down = 80;
    palette_->open(
        {(width() - wide) / 2, down}, wide, tr("Find a command or a layer"),
        [this](const QString& query) { return paletteRows(bench_, query); },
        [this](const QString& id) {
            if (id.startsWith(QLatin1String("layer:"))) {
                emit bench_.revealWanted(LayerId{id.mid(6).toUInt()});
            } else {
                bench_.commands.find(id)->trigger();
            }
        });
}

void MainWindow::showKeys() { (new KeyList(bench_, *this))->open(); }

void MainWindow::showHelp() {
    OpenDesign* design = bench_.designs.current();
    if (design == nullptr) {
        showKeys();
        return;
    }
    const auto* palette = static_cast<PalettePanel*>(docks_->panel(QStringLiteral("palette")));
    const Layer* layer = findLayer(design->selection().network(), design->selection().current());
    QString kind = layer == nullptr ? QString() : QString::fromStdString(layer->kind);
    if (palette->isAncestorOf(QApplication::focusWidget())) {
        kind = palette->chosen();
    }
    auto* help = static_cast<HelpPanel*>(docks_->panel(QStringLiteral("help")));
    docks_->reveal(QStringLiteral("help"));
    help->showKind(kind);
}

void MainWindow::survey() {
    aside(
        &bench_, [] { return std::make_shared<const MachineReport>(surveyMachine()); },
        [this](const std::shared_ptr<const MachineReport>& report) { bench_.setMachine(report); });
}

void MainWindow::remember() {
    docks_->save();
    QSettings().setValue("layout/window", saveGeometry());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    remember();
    if (files_->closeAll()) {
        event->accept();
    } else {
        event->ignore();
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList dropped;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            dropped << url.toLocalFile();
        }
    }
    event->acceptProposedAction();
    files_->take(dropped);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow() &&
        bench_.designs.current() != nullptr &&
        bench_.designs.current()->document().hasChangedOnDisk()) {
        DesignDocument& document = bench_.designs.current()->document();
        if (!document.isModified()) {
            files_->reload(*bench_.designs.current());
        }
        emit bench_.notice(
            document.isModified()
                ? tr("%1 has changed on disk. Saving asks; File, Read again from "
                     "disk takes it.")
                      .arg(document.title())
                : tr("%1 had changed on disk and was read again").arg(document.title()),
            false);
    }
}

} // namespace weft::ui
