// SPDX-License-Identifier: Apache-2.0
#include "shell/main_window.h"

#include "canvas/page/live_feed.h"
#include "handover/import_dialog.h"
#include "panels/help/help_panel.h"
#include "panels/palette/palette_panel.h"
#include "shell/bars/menus.h"
#include "shell/bars/run_strip.h"
#include "shell/bars/status_line.h"
#include "shell/bars/top_bar.h"
#include "shell/commands/command_permits.h"
#include "shell/commands/palette_rows.h"
#include "shell/commands/run_permits.h"
#include "shell/data_drop.h"
#include "shell/docks/docks.h"
#include "shell/files.h"
#include "shell/keys/key_list.h"
#include "shell/keys/key_places.h"
#include "shell/macros/macros.h"
#include "shell/notices.h"
#include "shell/start/start_page.h"
#include "theme/symbols.h"
#include "widgets/attribute_field.h"
#include "widgets/search_popup.h"
#include "workspace/aside.h"
#include <weft/design_file.h>

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

constexpr QSize leastCentre(240, 120);
/// Required by the top bar; panels scroll and never enlarge the window.
constexpr QSize leastWindow(800, 480);

} // namespace

MainWindow::MainWindow(Look& look)
    : context_(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
      files_(std::make_unique<Files>(context_, *this)),
      macros_(std::make_unique<Macros>(context_, *this)) {
    setWindowTitle(QStringLiteral("Weft"));
    setMinimumSize(leastWindow);
    addFileCommands(*this);
    addEditCommands(*this);
    addLayerCommands(*this);
    addViewCommands(*this);
    addParallelCommands(*this);
    addRunCommands(*this);
    addLensCommands(*this);
    macros_->addCommands();
    build();
    connect(&context_.designs, &OpenDesigns::added, this, &MainWindow::addPage);
    connect(&context_.designs, &OpenDesigns::closing, this, &MainWindow::removePage);
    connect(&context_.designs, &OpenDesigns::currentChanged, this, &MainWindow::follow);
    connect(&context_, &WindowContext::differenceWanted, this, &MainWindow::showDifference);
    connect(&context_, &WindowContext::attachWanted, this, &MainWindow::attach);
    connect(&context_, &WindowContext::openWanted, this,
            [this](const QString& file) { files_->open(file); });
    connect(files_.get(), &Files::dataDropped, this,
            [this](const QStringList& files) { setDesignData(context_, files); });
    connect(files_.get(), &Files::modelDropped, this, &MainWindow::importModel);
    const QSize room = screen()->availableGeometry().size();
    const QByteArray geometry = QSettings().value("layout/window").toByteArray();
    if (geometry.isEmpty() || !restoreGeometry(geometry)) {
        resize(room.boundedTo({1600, 1000}));
    }
    resize(size().boundedTo(room)); // the saved screen may no longer exist
    follow();
    findDevices();
    allowRestore(!files_->lost().isEmpty());
    if (const QString lost = files_->lost(); !lost.isEmpty()) {
        start_->offerRecovery(lost, *context_.commands.find(QStringLiteral("file.restore")),
                              [this] {
                                  files_->forgetLost();
                                  allowRestore(false);
                              });
    }
}

MainWindow::~MainWindow() {
    context_.designs.disconnect(this);
    // The context destroys the open designs later, and their undo stacks emit signals then.
    for (const QMetaObject::Connection& one : std::exchange(designConnections_, {})) {
        disconnect(one);
    }
    docks_->endDrags();
    // Panels refer to the context, which is destroyed before QMainWindow's children.
    docks_.reset();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

void MainWindow::build() {
    docks_ = std::make_unique<Docks>(context_, *this);
    bar_ = new TopBar(context_, this);
    addMenus(*bar_, context_.commands);
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
    buildTop();
    buildCentre();
    status_ = new StatusLine(context_, macros_->recorder(), this);
    statusBar()->addWidget(status_, 1);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setFixedHeight(tokens().sizes.size.statusBar);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->layout()->setContentsMargins(0, 0, 0, 0);
    notices_ = new Notices(context_, *centre_);
    setAcceptDrops(true);

    placeKeys(context_.commands, *this, *pages_);
    enableCommands();
    connect(&context_.commands, &CommandSet::added, this, &MainWindow::enableCommands);
    connect(&context_.look, &Look::changed, this, &MainWindow::applyLook);
    applyLook();
}

void MainWindow::buildTop() {
    auto* top = new QWidget(this);
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    strip_ = new RunStrip(context_, top);
    rows->addWidget(bar_);
    rows->addWidget(strip_);
    setMenuWidget(top);
    const auto showPanel = [this](const char* dock) {
        docks_->setWorkspace(Workspace::run);
        docks_->reveal(QLatin1String(dock));
    };
    connect(strip_, &RunStrip::logWanted, this, [showPanel] { showPanel("log"); });
    connect(bar_, &TopBar::waitingWanted, this, [showPanel] { showPanel("history"); });
    connect(&context_.hub, &RunHub::grown, this, [this](const RunGrowth& growth) {
        if (growth.hasState || growth.isNew) {
            showRunParts();
            lookForRuns();
        }
    });
    connect(&context_.control, &RunControl::changed, this, &MainWindow::showRunParts);
}

void MainWindow::buildCentre() {
    centre_ = new QStackedWidget(this);
    centre_->setMinimumSize(leastCentre); // independent of the size hints of its pages
    start_ = new StartPage(context_, *files_, centre_);
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
            context_.designs.setCurrent(&page->design());
        }
    });
    connect(tabs_, &QTabBar::tabCloseRequested, this, [this](int number) {
        files_->close(static_cast<CanvasPage*>(pages_->widget(number))->design());
    });
}

void MainWindow::applyLook() const {
    const Theme& theme = context_.look.theme();
    for (const CommandInfo& info : context_.commands.all()) {
        if (!info.icon.isEmpty()) {
            context_.commands.find(info.id)->setIcon(
                symbolIcon(info.icon, theme.text.secondary, theme.text.disabled));
        }
    }
}

CanvasPage* MainWindow::page() const {
    const auto found = pageOfDesign_.find(context_.designs.current());
    return found == pageOfDesign_.end() ? nullptr : found->second;
}

bool MainWindow::edit(const QString& name,
                      const std::function<Edited(Design&, const NetworkPath&)>& change) const {
    OpenDesign* design = context_.designs.current();
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
    auto* page = new CanvasPage(context_, *design, pages_);
    pageOfDesign_[design] = page;
    pages_->addWidget(page);
    const QSignalBlocker quiet(tabs_);
    tabs_->addTab(design->document().title());
    page->view().setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&page->view(), &QWidget::customContextMenuRequested, this, [this, page](QPoint at) {
        showCanvasMenu(context_.commands, *this, page->view().mapToGlobal(at));
    });
    if (const auto machine = context_.plannedMachine()) {
        design->check().setMachine(*machine);
    }
    connect(&design->document(), &DesignDocument::fileChanged, this, &MainWindow::nameTabs);
}

void MainWindow::removePage(OpenDesign* design) {
    const auto found = pageOfDesign_.find(design);
    if (found == pageOfDesign_.end()) {
        return;
    }
    CanvasPage* page = found->second;
    pageOfDesign_.erase(found);
    const QSignalBlocker quiet(tabs_);
    tabs_->removeTab(pages_->indexOf(page));
    pages_->removeWidget(page);
    delete page;
    nameTabs();
}

void MainWindow::follow() {
    for (const QMetaObject::Connection& one : std::exchange(designConnections_, {})) {
        disconnect(one);
    }
    OpenDesign* design = context_.designs.current();
    centre_->setCurrentIndex(design == nullptr ? 0 : 1);
    docks_->showAll(design != nullptr);
    showRunParts();
    if (CanvasPage* shown = page()) {
        pages_->setCurrentWidget(shown);
        const QSignalBlocker quiet(tabs_);
        tabs_->setCurrentIndex(pages_->indexOf(shown));
        designConnections_ << connect(&design->document(), &DesignDocument::changed, this,
                                      &MainWindow::enableCommands)
                           << connect(&design->document().history(), &QUndoStack::indexChanged,
                                      this, &MainWindow::enableCommands)
                           << connect(&design->selection(), &Selection::changed, this,
                                      &MainWindow::enableCommands)
                           << connect(&context_, &WindowContext::revealWanted, this,
                                      [shown](LayerId layer) {
                                          shown->design().selection().select({layer});
                                          shown->view().camera().reveal(layer);
                                      });
        designConnections_ << connect(
            &context_, &WindowContext::placeWanted, this, [shown](const QString& kind) {
                const bool isGroup = kind.startsWith(QLatin1String("group:"));
                shown->appendLayer(isGroup ? kind.mid(6) : kind, isGroup);
            });
        shown->setFocus();
    }
    nameTabs();
    enableCommands();
    lookForRuns();
}

void MainWindow::showRunParts() {
    const bool isRun = docks_->workspace() == Workspace::run;
    strip_->setVisible(context_.designs.current() != nullptr && isRun);
    for (const auto& [design, page] : pageOfDesign_) {
        page->view().setRun(isRun);
    }
    bar_->showButtons(runButtons(context_));
    const auto tickets = context_.control.tickets();
    bar_->showWaiting(
        static_cast<int>(std::ranges::count(tickets, TicketState::waiting, &RunTicket::state)));
}

void MainWindow::showDifference(const QString& before, const QString& after) {
    const auto designIn = [](const QString& run) { return run + QStringLiteral("/design.weft"); };
    try {
        const Design first = loadDesign(designIn(before).toStdString(), *context_.kinds).design;
        if (files_->open(designIn(after))) {
            page()->feed().compareWith(first);
        }
    } catch (const Error& error) {
        emit context_.notice(QString::fromUtf8(error.what()), true);
    }
    emit context_.curvesWanted({before, after});
    docks_->reveal(QStringLiteral("monitor"));
}

void MainWindow::attach(const QString& run) {
    context_.hub.open(run);
    const auto owns = [this](OpenDesign* one) { return one != nullptr && one->owns(context_.hub); };
    const auto& all = context_.designs.all();
    const auto owner = std::ranges::find_if(all, [&](const auto& one) { return owns(one.get()); });
    if (owns(context_.designs.current())) {
        // the run's design is already the current one
    } else if (owner != all.end()) {
        context_.designs.setCurrent(owner->get());
    } else {
        files_->openOwner();
    }
    docks_->setWorkspace(Workspace::run);
}

void MainWindow::lookForRuns() {
    QStringList places{runsFolderOf(QString())};
    for (const QString& file : Files::recent()) {
        places << runsFolderOf(file);
    }
    for (const auto& design : context_.designs.all()) {
        places << runsFolderOf(design->document());
    }
    for (const KnownHost& host : context_.control.hosts().all()) {
        places << QString::fromStdString(mirrorsOf(host.host.name).string());
    }
    places.removeDuplicates();
    context_.living.searchFolders(places);
}

void MainWindow::showStart() { context_.designs.setCurrent(nullptr); }

void MainWindow::nameTabs() {
    for (int i = 0; i < tabs_->count() && i < pages_->count(); ++i) {
        const DesignDocument& document =
            static_cast<CanvasPage*>(pages_->widget(i))->design().document();
        tabs_->setTabText(i,
                          document.title() + (document.isModified() ? QStringLiteral(" •") : ""));
        tabs_->setTabToolTip(i, document.file());
    }
    tabs_->setVisible(tabs_->count() > 1);
    const OpenDesign* design = context_.designs.current();
    setWindowTitle(design == nullptr ? QStringLiteral("Weft")
                                     : tr("%1[*] – Weft").arg(design->document().title()));
    setWindowModified(design != nullptr && design->document().isModified());
}

void MainWindow::allowRestore(bool isLost) {
    context_.commands.setRefusal(QStringLiteral("file.restore"),
                                 isLost ? QString() : tr("Nothing was lost"));
}

void MainWindow::enableCommands() {
    permitCommands(context_.commands, context_.designs.current(), docks_->workspace());
}

void MainWindow::importModel(QString file) {
    if (file.isEmpty()) {
        file = QFileDialog::getOpenFileName(this, tr("Import ONNX model"), {},
                                            tr("ONNX models (*.onnx)"));
    }
    if (file.isEmpty()) {
        return;
    }
    auto* dialog = new ImportDialog(context_.look, file, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportDialog::imported, this, [this](const QString& design) {
        if (files_->open(design)) {
            emit context_.notice(
                tr("The weights of the model are in weights.safetensors beside the "
                   "design; \"Run from weights\" begins with them"),
                false);
        }
    });
    dialog->open();
}

void MainWindow::showPalette() {
    if (palette_ == nullptr) {
        palette_ = new SearchPopup(context_.look, *this);
    }
    constexpr int wide = 560;
    constexpr int down = 80;
    palette_->open(
        {(width() - wide) / 2, down}, wide, tr("Find a command or a layer"),
        [this](const QString& query) { return paletteRows(context_, query); },
        [this](const QString& id) {
            if (id.startsWith(QLatin1String("layer:"))) {
                emit context_.revealWanted(LayerId{id.mid(6).toUInt()});
            } else if (id.startsWith(QLatin1String("line:"))) {
                macros_->playLine(id.mid(5));
            } else {
                context_.commands.find(id)->trigger();
            }
        });
}

void MainWindow::showRunsToAttach() {
    const auto ask = [this] {
        const QString folder = QFileDialog::getExistingDirectory(
            this, tr("Folder of a run"),
            context_.designs.current() == nullptr
                ? QString()
                : runsFolderOf(context_.designs.current()->document()));
        if (!folder.isEmpty()) {
            Q_EMIT context_.attachWanted(folder);
        }
    };
    if (context_.unseenRuns().isEmpty()) {
        ask();
        return;
    }
    if (attachPopup_ == nullptr) {
        attachPopup_ = new SearchPopup(context_.look, *this);
        attachPopup_->setObjectName(QStringLiteral("attach"));
    }
    constexpr int wide = 560;
    constexpr int down = 80;
    attachPopup_->open(
        {(width() - wide) / 2, down}, wide, tr("Attach to a live run"),
        [this](const QString& query) { return attachRows(context_, query); },
        [this, ask](const QString& folder) {
            if (folder.isEmpty()) {
                ask();
            } else {
                Q_EMIT context_.attachWanted(folder);
            }
        });
}

void MainWindow::showKeys() { (new KeyList(context_, *this))->open(); }

void MainWindow::showHelp() {
    OpenDesign* design = context_.designs.current();
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
    auto* panel = static_cast<HelpPanel*>(docks_->panel(QStringLiteral("help")));
    docks_->reveal(QStringLiteral("help"));
    panel->showKind(kind);
}

void MainWindow::findDevices() {
    const auto isKnown = [this](const std::shared_ptr<const MachineReport>& report) {
        context_.setMachine(report);
        runInBackground(
            &context_,
            [report, program = RunControl::findProgram()] {
                MachineReport asked = *report;
                program.isEmpty() ? void() : askFreeMemory(asked, program.toStdString());
                return std::make_shared<const MachineReport>(std::move(asked));
            },
            [this](const std::shared_ptr<const MachineReport>& asked) {
                asked->freeMemory.empty() ? void() : context_.setMachine(asked);
            });
    };
    runInBackground(
        &context_, [] { return std::make_shared<const MachineReport>(surveyMachine()); }, isKnown);
}

void MainWindow::saveLayout() {
    docks_->save();
    QSettings().setValue("layout/window", saveGeometry());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveLayout();
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
    event->acceptProposedAction();
    files_->openDropped(pathsOf(*event->mimeData()));
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() != QEvent::ActivationChange || !isActiveWindow()) {
        return;
    }
    lookForRuns();
    if (context_.designs.current() != nullptr &&
        context_.designs.current()->document().hasChangedOnDisk()) {
        DesignDocument& document = context_.designs.current()->document();
        if (!document.isModified()) {
            files_->reload(*context_.designs.current());
        }
        emit context_.notice(
            document.isModified()
                ? tr("%1 has changed on disk. Saving will ask; File, Read again from disk loads "
                     "it.")
                      .arg(document.title())
                : tr("%1 had changed on disk and was read again").arg(document.title()),
            false);
    }
}

} // namespace weft::ui
