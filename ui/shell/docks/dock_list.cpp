// SPDX-License-Identifier: Apache-2.0
#include "shell/docks/dock_list.h"

#include "history/history_view.h"
#include "monitor/log_view.h"
#include "monitor/monitor_view.h"
#include "monitor/run_overlay.h"
#include "panels/assignment/assignment_panel.h"
#include "panels/data/data_panel.h"
#include "panels/devices/devices_panel.h"
#include "panels/help/help_panel.h"
#include "panels/hosts/hosts_panel.h"
#include "panels/inspector/inspector_panel.h"
#include "panels/palette/palette_panel.h"
#include "panels/prediction/prediction_panel.h"
#include "panels/problems/problems_panel.h"
#include "panels/training/training_panel.h"
#include "tensors/tensors_view.h"
#include "timeline/memory_view.h"
#include "timeline/run_devices.h"
#include "timeline/timeline_view.h"
#include "tryit/try_view.h"
#include <weft/error.h>

#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

template <class PanelType>
QWidget* make(WindowContext& context) {
    return new PanelType(context);
}

/// Calls `run` with the current design, now and whenever it changes.
void followDesign(WindowContext& context, QWidget* view,
                  const std::function<void(OpenDesign*)>& run) {
    const auto follow = [run, &context] { run(context.designs.current()); };
    QObject::connect(&context.designs, &OpenDesigns::currentChanged, view, follow);
    follow();
}

/// Like `followDesign`, for views that show a run by the design's layers: nullptr if the run
/// belongs to another design.
void followOwner(WindowContext& context, QWidget* view,
                 const std::function<void(OpenDesign*)>& run) {
    const auto follow = [run, &context, last = QPointer<OpenDesign>(), isFirst = true]() mutable {
        OpenDesign* design = context.designs.current();
        if (design != nullptr && context.hub.isOpen() && !design->owns(context.hub)) {
            design = nullptr;
        }
        if (std::exchange(isFirst, false) || design != last) {
            last = design;
            run(design);
        }
    };
    const auto shared = std::make_shared<std::function<void()>>(follow);
    QObject::connect(&context.designs, &OpenDesigns::currentChanged, view,
                     [shared] { (*shared)(); });
    QObject::connect(&context.hub, &RunHub::grown, view, [shared](const RunGrowth& growth) {
        if (growth.isNew || growth.hasState) {
            (*shared)();
        }
    });
    (*shared)();
}

DesignDocument* documentOf(OpenDesign* design) {
    return design == nullptr ? nullptr : &design->document();
}

Selection* selectionOf(OpenDesign* design) {
    return design == nullptr ? nullptr : &design->selection();
}

/// Asks for a file name and saves; shows a notice with the result. `filters`: such as "Pictures
/// (*.png)", the default first.
void saveFrom(QWidget* view, WindowContext& context, const QString& title, const QString& name,
              const QStringList& filters, const std::function<void(const QString&)>& save) {
    QString chosen;
    QString file = QFileDialog::getSaveFileName(view, title, name,
                                                filters.join(QStringLiteral(";;")), &chosen);
    if (file.isEmpty()) {
        return;
    }
    if (QFileInfo(file).suffix().isEmpty()) {
        const QString filter = chosen.isEmpty() ? filters.front() : chosen;
        file += filter.section('*', -1).section(')', 0, 0);
    }
    try {
        save(file);
        emit context.notice(WindowContext::tr("Saved %1").arg(file), false);
    } catch (const Error& error) {
        emit context.notice(QString::fromUtf8(error.what()), true);
    }
}

/// The monitor, with the overlay of other runs.
class MonitorPage : public QWidget {
public:
    explicit MonitorPage(WindowContext& context)
        : view_(new MonitorView(context.look, context.hub, this)),
          overlay_(std::make_unique<RunOverlay>(*view_)) {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(view_);
        setFocusProxy(view_);
        connect(&context, &WindowContext::curvesWanted, overlay_.get(), &RunOverlay::show);
        connect(view_, &MonitorView::exportWanted, this, [this, &context] {
            saveFrom(this, context, MonitorView::tr("Save curves"), QStringLiteral("curves.png"),
                     {MonitorView::tr("Pictures (*.png)"), MonitorView::tr("Drawings (*.svg)"),
                      MonitorView::tr("Numbers (*.csv)")},
                     [this](const QString& file) { view_->exportTo(file); });
        });
        // Opening a run ends the overlay, since the user wants to see that run.
        connect(&context.hub, &RunHub::grown, overlay_.get(), [this](const RunGrowth& growth) {
            if (growth.isNew && !overlay_->folders().isEmpty()) {
                overlay_->show({});
            }
        });
    }

private:
    MonitorView* view_;
    std::unique_ptr<RunOverlay> overlay_;
};

QWidget* makeLog(WindowContext& context) { return new LogView(context.look, context.hub); }

QWidget* makeTimeline(WindowContext& context) {
    auto* view = new TimelineView(context.look, context.hub, context.prediction);
    followOwner(context, view, [view](OpenDesign* design) {
        view->follow(documentOf(design), selectionOf(design));
    });
    QObject::connect(view, &TimelineView::stepShown, &context, &WindowContext::stepShown);
    return view;
}

QWidget* makeRunDevices(WindowContext& context) {
    auto* view = new RunDevices(context.look, context.hub, context.prediction);
    QObject::connect(&context, &WindowContext::stepShown, view, &RunDevices::showStep);
    return view;
}

QWidget* makeTensors(WindowContext& context) {
    auto* view = new TensorsView(context.look, context.hub, context.control);
    view->setPrediction(context.prediction);
    QObject::connect(view, &TensorsView::exportWanted, view, [view, &context] {
        saveFrom(view, context, TensorsView::tr("Save what is shown"), view->nameToSave(),
                 {TensorsView::tr("Pictures (*.png)"), TensorsView::tr("Numbers (*.npy)")},
                 [view](const QString& file) { view->exportTo(file); });
    });
    followOwner(context, view, [view](OpenDesign* design) {
        view->follow(documentOf(design), selectionOf(design));
    });
    return view;
}

QWidget* makeTry(WindowContext& context) {
    auto* view = new TryView(context.look, context.hub, context.control.hosts());
    followDesign(context, view, [view](OpenDesign* design) {
        view->setDataFolder(design == nullptr ? QString() : dataFolderOf(design->document()));
    });
    return view;
}

QWidget* makeHistory(WindowContext& context) {
    auto* view = new HistoryView(context.look, context.control);
    // Runs from before the first save are in the folder shared by all designs without a file.
    const auto show = [view](const DesignDocument& document) {
        std::vector<RunPlace> places{{.folder = runsFolderOf(document)}};
        const QString unsaved = runsFolderOf(QString());
        const std::string& name = document.design().name;
        if (!name.empty() && unsaved != places.front().folder) {
            places.push_back({unsaved, QString::fromStdString(name)});
        }
        view->setPlaces(std::move(places));
    };
    const auto saved = std::make_shared<QMetaObject::Connection>();
    followDesign(context, view, [view, show, saved](OpenDesign* design) {
        QObject::disconnect(*saved);
        if (design == nullptr) {
            view->setPlaces({});
            return;
        }
        const DesignDocument& document = design->document();
        *saved = QObject::connect(&document, &DesignDocument::fileChanged, view,
                                  [show, &document] { show(document); });
        show(document);
    });
    QObject::connect(view, &HistoryView::runWanted, &context.hub, &RunHub::open);
    QObject::connect(view, &HistoryView::curvesWanted, &context, &WindowContext::curvesWanted);
    QObject::connect(view, &HistoryView::differenceWanted, &context,
                     &WindowContext::differenceWanted);
    QObject::connect(view, &HistoryView::designWanted, &context, [&context](const QString& folder) {
        Q_EMIT context.openWanted(folder + QStringLiteral("/design.weft"));
    });
    QObject::connect(view, &HistoryView::failed, &context,
                     [&context](const QString& message) { Q_EMIT context.notice(message, true); });
    return view;
}

} // namespace

// Adding a panel takes one entry here.
const std::vector<DockInfo>& dockInfos() {
    static const std::vector<DockInfo> all = {
        {"palette", QT_TRANSLATE_NOOP("docks", "Layers"), Qt::LeftDockWidgetArea, Workspace::design,
         DockPosition::asTab, make<PalettePanel>},
        {"inspector", QT_TRANSLATE_NOOP("docks", "Inspector"), Qt::RightDockWidgetArea,
         Workspace::design, DockPosition::asTab, make<InspectorPanel>},
        {"training", QT_TRANSLATE_NOOP("docks", "Training"), Qt::RightDockWidgetArea,
         Workspace::design, DockPosition::asTab, make<TrainingPanel>},
        {"data", QT_TRANSLATE_NOOP("docks", "Data"), Qt::RightDockWidgetArea, Workspace::design,
         DockPosition::asTab, make<DataPanel>},
        {"help", QT_TRANSLATE_NOOP("docks", "Help"), Qt::RightDockWidgetArea, Workspace::design,
         DockPosition::asTab, make<HelpPanel>, InitialVisibility::hidden},
        {"assignment", QT_TRANSLATE_NOOP("docks", "Assignment"), Qt::RightDockWidgetArea,
         Workspace::design, DockPosition::belowOrBesideWhereWide, make<AssignmentPanel>},
        {"prediction", QT_TRANSLATE_NOOP("docks", "Prediction"), Qt::BottomDockWidgetArea,
         Workspace::design, DockPosition::asTab, make<PredictionPanel>},
        {"problems", QT_TRANSLATE_NOOP("docks", "Problems"), Qt::BottomDockWidgetArea,
         Workspace::design, DockPosition::asTab, make<ProblemsPanel>,
         InitialVisibility::shownWhereRoom},
        {"devices", QT_TRANSLATE_NOOP("docks", "Devices"), Qt::BottomDockWidgetArea,
         Workspace::design, DockPosition::asTab, make<DevicesPanel>,
         InitialVisibility::shownWhereRoom},
        {"hosts", QT_TRANSLATE_NOOP("docks", "Hosts"), Qt::BottomDockWidgetArea, Workspace::design,
         DockPosition::asTab, make<HostsPanel>, InitialVisibility::hidden, Qt::RightDockWidgetArea},
        {"memory", QT_TRANSLATE_NOOP("docks", "Memory"), Qt::BottomDockWidgetArea,
         Workspace::design, DockPosition::asTab, make<MemoryView>,
         InitialVisibility::shownWhereRoom},
        {"monitor", QT_TRANSLATE_NOOP("docks", "Monitor"), Qt::RightDockWidgetArea, Workspace::run,
         DockPosition::asTab, make<MonitorPage>},
        {"timeline", QT_TRANSLATE_NOOP("docks", "Timeline"), Qt::RightDockWidgetArea,
         Workspace::run, DockPosition::below, makeTimeline},
        {"at-work", QT_TRANSLATE_NOOP("docks", "Devices at work"), Qt::RightDockWidgetArea,
         Workspace::run, DockPosition::beside, makeRunDevices, InitialVisibility::shownWhereRoom},
        {"tensors", QT_TRANSLATE_NOOP("docks", "Tensors"), Qt::RightDockWidgetArea, Workspace::run,
         DockPosition::asTab, makeTensors},
        {"log", QT_TRANSLATE_NOOP("docks", "Log"), Qt::RightDockWidgetArea, Workspace::run,
         DockPosition::asTab, makeLog},
        {"history", QT_TRANSLATE_NOOP("docks", "Runs"), Qt::RightDockWidgetArea, Workspace::run,
         DockPosition::asTab, makeHistory},
        {"try", QT_TRANSLATE_NOOP("docks", "Try it"), Qt::RightDockWidgetArea, Workspace::run,
         DockPosition::asTab, makeTry},
    };
    return all;
}

} // namespace weft::ui
