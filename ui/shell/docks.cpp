// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/docks.h"

#include "history/history_view.h"
#include "monitor/log_view.h"
#include "monitor/monitor_view.h"
#include "monitor/run_overlay.h"
#include "panels/assignment/assignment_panel.h"
#include "panels/data/data_panel.h"
#include "panels/devices/devices_panel.h"
#include "panels/inspector/inspector_panel.h"
#include "panels/palette/palette_panel.h"
#include "panels/prediction/prediction_panel.h"
#include "panels/problems/problems_panel.h"
#include "panels/training/training_panel.h"
#include "tensors/tensors_view.h"
#include "theme/style.h"
#include "timeline/timeline_view.h"
#include "tryit/try_view.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QPainter>
#include <QSettings>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

struct DockInfo {
    const char* id;
    const char* title;
    Qt::DockWidgetArea area;
    Workspace workspace; ///< in which it is shown at first
    bool isBelow;        ///< below the ones before it in its area; else a tab among them
    std::function<QWidget*(Bench&)> make;
};

template <class PanelType>
QWidget* make(Bench& bench) {
    return new PanelType(bench);
}

/// Calls `run` for the design that is looked at, now and whenever another is.
void followDesign(Bench& bench, QWidget* view, const std::function<void(OpenDesign*)>& run) {
    const auto follow = [run, &bench] { run(bench.designs.current()); };
    QObject::connect(&bench.designs, &OpenDesigns::currentChanged, view, follow);
    follow();
}

DesignDocument* documentOf(OpenDesign* design) {
    return design == nullptr ? nullptr : &design->document();
}

Selection* selectionOf(OpenDesign* design) {
    return design == nullptr ? nullptr : &design->selection();
}

/// The curves, and what lays other runs over them, which must go first.
class MonitorPage : public QWidget {
public:
    explicit MonitorPage(Bench& bench)
        : view_(new MonitorView(bench.look, bench.hub, this)),
          overlay_(std::make_unique<RunOverlay>(*view_)) {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(view_);
        setFocusProxy(view_);
        connect(&bench, &Bench::curvesWanted, overlay_.get(), &RunOverlay::show);
        // Who opens a run wants to see it.
        connect(&bench.hub, &RunHub::grown, overlay_.get(), [this](const RunGrowth& growth) {
            if (growth.isNew && !overlay_->folders().isEmpty()) {
                overlay_->show({});
            }
        });
    }

private:
    MonitorView* view_;
    std::unique_ptr<RunOverlay> overlay_;
};

QWidget* makeLog(Bench& bench) { return new LogView(bench.look, bench.hub); }

QWidget* makeTimeline(Bench& bench) {
    auto* view = new TimelineView(bench.look, bench.hub, bench.prediction);
    followDesign(bench, view, [view](OpenDesign* design) {
        view->follow(documentOf(design), selectionOf(design));
    });
    return view;
}

QWidget* makeTensors(Bench& bench) {
    auto* view = new TensorsView(bench.look, bench.hub, bench.control);
    followDesign(bench, view, [view](OpenDesign* design) {
        view->follow(documentOf(design), selectionOf(design));
    });
    return view;
}

QWidget* makeTry(Bench& bench) {
    auto* view = new TryView(bench.look, bench.hub);
    followDesign(bench, view, [view](OpenDesign* design) {
        view->setDataFolder(design == nullptr ? QString() : dataFolderOf(design->document()));
    });
    return view;
}

QWidget* makeHistory(Bench& bench) {
    auto* view = new HistoryView(bench.look, bench.control);
    followDesign(bench, view, [view](OpenDesign* design) {
        view->setFolder(design == nullptr ? QString() : runsFolderOf(design->document()));
    });
    QObject::connect(view, &HistoryView::runWanted, &bench.hub, &RunHub::open);
    QObject::connect(view, &HistoryView::curvesWanted, &bench, &Bench::curvesWanted);
    QObject::connect(view, &HistoryView::differenceWanted, &bench, &Bench::differenceWanted);
    QObject::connect(view, &HistoryView::designWanted, &bench, [&bench](const QString& folder) {
        Q_EMIT bench.openWanted(folder + QStringLiteral("/design.weft"));
    });
    QObject::connect(view, &HistoryView::failed, &bench,
                     [&bench](const QString& message) { Q_EMIT bench.notice(message, true); });
    return view;
}

// A panel is one line here.
const std::vector<DockInfo>& infos() {
    static const std::vector<DockInfo> all = {
        {"palette", QT_TRANSLATE_NOOP("docks", "Layers"), Qt::LeftDockWidgetArea, Workspace::design,
         false, make<PalettePanel>},
        {"inspector", QT_TRANSLATE_NOOP("docks", "Inspector"), Qt::RightDockWidgetArea,
         Workspace::design, false, make<InspectorPanel>},
        {"training", QT_TRANSLATE_NOOP("docks", "Training"), Qt::RightDockWidgetArea,
         Workspace::design, false, make<TrainingPanel>},
        {"data", QT_TRANSLATE_NOOP("docks", "Data"), Qt::RightDockWidgetArea, Workspace::design,
         false, make<DataPanel>},
        {"assignment", QT_TRANSLATE_NOOP("docks", "Assignment"), Qt::RightDockWidgetArea,
         Workspace::design, true, make<AssignmentPanel>},
        {"prediction", QT_TRANSLATE_NOOP("docks", "Prediction"), Qt::BottomDockWidgetArea,
         Workspace::design, false, make<PredictionPanel>},
        {"problems", QT_TRANSLATE_NOOP("docks", "Problems"), Qt::BottomDockWidgetArea,
         Workspace::design, false, make<ProblemsPanel>},
        {"devices", QT_TRANSLATE_NOOP("docks", "Devices"), Qt::BottomDockWidgetArea,
         Workspace::design, false, make<DevicesPanel>},
        {"monitor", QT_TRANSLATE_NOOP("docks", "Monitor"), Qt::RightDockWidgetArea, Workspace::run,
         false, make<MonitorPage>},
        {"timeline", QT_TRANSLATE_NOOP("docks", "Timeline"), Qt::RightDockWidgetArea,
         Workspace::run, true, makeTimeline},
        {"tensors", QT_TRANSLATE_NOOP("docks", "Tensors"), Qt::RightDockWidgetArea, Workspace::run,
         false, makeTensors},
        {"log", QT_TRANSLATE_NOOP("docks", "Log"), Qt::RightDockWidgetArea, Workspace::run, false,
         makeLog},
        {"history", QT_TRANSLATE_NOOP("docks", "Runs"), Qt::RightDockWidgetArea, Workspace::run,
         false, makeHistory},
        {"try", QT_TRANSLATE_NOOP("docks", "Try it"), Qt::RightDockWidgetArea, Workspace::run,
         false, makeTry},
    };
    return all;
}

constexpr int layoutVersion = 1;

/// The title of a dock that stands alone.
class DockTitle : public QWidget {
public:
    DockTitle(const QString& text, Look& look, QWidget* parent) : QWidget(parent), look_(look) {
        auto* label = new QLabel(text, this);
        label->setFont(Look::sans(tokens().sizes.type.body, tokens().sizes.type.semibold));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(tokens().sizes.space.l, 0, tokens().sizes.space.l, 0);
        layout->addWidget(label);
        setFixedHeight(tokens().sizes.size.dockTitle);
    }
    [[nodiscard]] QSize sizeHint() const override { return {60, tokens().sizes.size.dockTitle}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), look_.theme().surface.dock);
        painter.fillRect(0, height() - 1, width(), 1, look_.theme().line.subtle);
    }

private:
    Look& look_;
};

} // namespace

struct Docks::Dock {
    const DockInfo* info = nullptr;
    QDockWidget* widget = nullptr;
    QWidget* panel = nullptr;
    QWidget* title = nullptr;
    QWidget* noTitle = nullptr;
};

Docks::Docks(Bench& bench, QMainWindow& window) : QObject(&window), bench_(bench), window_(window) {
    window_.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    window_.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (const DockInfo& info : infos()) {
        auto dock = std::make_shared<Dock>();
        dock->info = &info;
        const QString title = QCoreApplication::translate("docks", info.title);
        dock->widget = new QDockWidget(title, &window_);
        dock->widget->setObjectName(QLatin1String(info.id));
        dock->widget->setAccessibleName(title);
        dock->title = new DockTitle(title, bench_.look, dock->widget);
        dock->noTitle = new QWidget(dock->widget);
        dock->noTitle->setFixedHeight(0);
        window_.addDockWidget(info.area, dock->widget);
        dock->widget->hide();
        connect(dock->widget, &QDockWidget::visibilityChanged, this, [this, dock](bool isVisible) {
            if (isVisible) {
                make(*dock);
            }
            QTimer::singleShot(0, this, &Docks::showTitles);
        });
        docks_.push_back(dock);
        bench_.commands.add({.id = QLatin1String("dock.") + QLatin1String(info.id),
                             .text = title,
                             .help = tr("Shows the panel %1").arg(title),
                             .place = tr("View")},
                            [this, id = info.id](bool) { reveal(QLatin1String(id)); });
    }
}

void Docks::make(Dock& dock) {
    if (dock.panel == nullptr) {
        dock.panel = dock.info->make(bench_);
        dock.widget->setWidget(dock.panel);
    }
}

QWidget* Docks::panel(const QString& id) {
    for (const auto& dock : docks_) {
        if (id == QLatin1String(dock->info->id)) {
            make(*dock);
            return dock->panel;
        }
    }
    return nullptr;
}

void Docks::arrange() {
    // First those that stand below one another, then the tabs among them: a dock cannot be put
    // below one that is a tab.
    std::map<Qt::DockWidgetArea, QDockWidget*> last;
    std::vector<QDockWidget*> first;
    std::vector<std::pair<QDockWidget*, QDockWidget*>> tabs;
    for (const auto& dock : docks_) {
        if (dock->info->workspace != workspace_) {
            dock->widget->hide();
            continue;
        }
        dock->widget->setFloating(false);
        dock->widget->show();
        QDockWidget*& lead = last[dock->info->area];
        if (lead != nullptr && !dock->info->isBelow) {
            tabs.emplace_back(lead, dock->widget);
            continue;
        }
        if (lead != nullptr) {
            window_.splitDockWidget(lead, dock->widget, Qt::Vertical);
        } else {
            window_.addDockWidget(dock->info->area, dock->widget);
        }
        lead = dock->widget;
        first.push_back(lead);
    }
    for (const auto& [lead, dock] : tabs) {
        window_.tabifyDockWidget(lead, dock);
    }
    for (QDockWidget* dock : first) {
        dock->raise();
    }
    const bool isSmall = window_.width() < 1500;
    const auto sizeOf = [&](Qt::DockWidgetArea area, int size) {
        if (last[area] != nullptr) {
            window_.resizeDocks({last[area]}, {size},
                                area == Qt::BottomDockWidgetArea ? Qt::Vertical : Qt::Horizontal);
        }
    };
    // Tenths of the height for the upper of those on the right.
    const auto shareRight = [&](int tenths) {
        QList<QDockWidget*> right;
        QList<int> heights;
        for (QDockWidget* dock : first) {
            if (window_.dockWidgetArea(dock) == Qt::RightDockWidgetArea) {
                right << dock;
                heights << window_.height() * (right.size() == 1 ? tenths : 10 - tenths) / 10;
            }
        }
        window_.resizeDocks(right, heights, Qt::Vertical);
    };
    if (workspace_ == Workspace::design) {
        sizeOf(Qt::LeftDockWidgetArea, isSmall ? 168 : 196);
        sizeOf(Qt::RightDockWidgetArea, isSmall ? 300 : 340);
        sizeOf(Qt::BottomDockWidgetArea, isSmall ? 96 : 144);
        shareRight(4);
    } else {
        sizeOf(Qt::RightDockWidgetArea, window_.width() - (isSmall ? 240 : 350));
        shareRight(5);
    }
    showTitles();
}

void Docks::showTitles() {
    for (const auto& dock : docks_) {
        if (dock->widget->isHidden()) {
            continue;
        }
        const bool isTab = !window_.tabifiedDockWidgets(dock->widget).isEmpty();
        QWidget* wanted = isTab ? dock->noTitle : dock->title;
        if (dock->widget->titleBarWidget() != wanted) {
            (isTab ? dock->title : dock->noTitle)->hide();
            dock->widget->setTitleBarWidget(wanted);
            wanted->show();
        }
    }
    for (auto* bar : window_.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        bar->setDrawBase(false);
        bar->setExpanding(false);
        bar->setElideMode(Qt::ElideRight);
        bar->setAutoFillBackground(true);
    }
}

QString Docks::key() const {
    return workspace_ == Workspace::design ? QStringLiteral("layout/design")
                                           : QStringLiteral("layout/run");
}

void Docks::save() {
    if (areShown_) {
        QSettings().setValue(key(), window_.saveState(layoutVersion));
    }
}

void Docks::restore() {
    const QByteArray state = QSettings().value(key()).toByteArray();
    if (state.isEmpty() || !window_.restoreState(state, layoutVersion)) {
        arrange();
    }
    QTimer::singleShot(0, this, &Docks::showTitles);
}

void Docks::reset() {
    QSettings().remove(key());
    arrange();
}

void Docks::showAll(bool areShown) {
    if (areShown == areShown_) {
        return;
    }
    if (areShown_) {
        save();
    }
    areShown_ = areShown;
    if (areShown) {
        restore();
        return;
    }
    for (const auto& dock : docks_) {
        dock->widget->hide();
    }
}

void Docks::setWorkspace(Workspace workspace) {
    if (workspace == workspace_) {
        return;
    }
    save();
    workspace_ = workspace;
    if (areShown_) {
        restore();
    }
    emit workspaceChanged(workspace_);
}

void Docks::reveal(const QString& id) {
    for (const auto& dock : docks_) {
        if (id == QLatin1String(dock->info->id)) {
            if (!areShown_) {
                return;
            }
            dock->widget->show();
            dock->widget->raise();
            make(*dock);
            dock->panel->setFocus(Qt::ShortcutFocusReason);
        }
    }
}

void Docks::walk(bool isForward) {
    std::vector<QWidget*> stops{window_.centralWidget()};
    for (const auto& dock : docks_) {
        if (dock->widget->isVisible() && !dock->widget->visibleRegion().isEmpty()) {
            stops.push_back(dock->panel);
        }
    }
    QWidget* focus = QApplication::focusWidget();
    const auto at = std::ranges::find_if(stops, [focus](QWidget* stop) {
        return stop != nullptr && (stop == focus || stop->isAncestorOf(focus));
    });
    const auto count = static_cast<std::ptrdiff_t>(stops.size());
    std::ptrdiff_t next = at == stops.end() ? 0 : at - stops.begin() + (isForward ? 1 : -1);
    next = (next + count) % count;
    QWidget* stop = stops[static_cast<std::size_t>(next)];
    stop->setFocus(Qt::TabFocusReason);
    if (!stop->hasFocus() && stop->focusProxy() == nullptr) {
        // Whatever in it can have it.
        for (auto* child : stop->findChildren<QWidget*>()) {
            if (child->isVisible() && (child->focusPolicy() & Qt::TabFocus) != 0 &&
                child->focusProxy() == nullptr) {
                child->setFocus(Qt::TabFocusReason);
                break;
            }
        }
    }
}

} // namespace weft::ui
