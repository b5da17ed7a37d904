// SPDX-License-Identifier: GPL-3.0-or-later
#include "handover/handover_dialog.h"
#include "shell/docks.h"
#include "shell/main_window.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>

namespace weft::ui {

namespace {

RunOrder orderFor(const DesignDocument& document) {
    RunOrder order;
    order.design = document.design();
    order.name = document.title().remove(QStringLiteral(".weft"));
    order.dataFolder = dataFolderOf(document);
    order.runs = runsFolderOf(document);
    return order;
}

/// The design as it stands runs; what is wrong with it is said where it is.
void start(MainWindow& window, RunOrder order) {
    Bench& bench = window.bench();
    OpenDesign* design = bench.designs.current();
    if (hasErrors(design->check().answer()->preview.problems)) {
        window.docks().reveal(QStringLiteral("problems"));
        Q_EMIT bench.notice(MainWindow::tr("The design has errors, which the panel Problems names: "
                                           "mend them, then run"),
                            false);
        return;
    }
    bench.control.start(std::move(order));
}

void follow(MainWindow& window) {
    Bench& bench = window.bench();
    QObject::connect(&bench.control, &RunControl::begun, &window,
                     [&window, &bench](int, const QString& folder) {
                         bench.hub.open(folder);
                         window.docks().setWorkspace(Workspace::run);
                     });
    QObject::connect(&bench.control, &RunControl::ended, &window,
                     [&bench](int, const QString& message) {
                         if (!message.isEmpty()) {
                             Q_EMIT bench.notice(message, true);
                         }
                     });
    QObject::connect(&bench.control, &RunControl::failed, &window,
                     [&bench](const QString& message) { Q_EMIT bench.notice(message, true); });
    QObject::connect(&bench.hub, &RunHub::grown, &window, [&bench](const RunGrowth& growth) {
        if (growth.hasState || growth.isNew) {
            const bool isLiving = bench.hub.isLiving();
            for (const char* id : {"run.pause", "run.resume", "run.stop", "run.save"}) {
                bench.commands.find(QLatin1String(id))->setEnabled(isLiving);
            }
        }
        if (growth.hasMessages && !bench.hub.failureText().isEmpty()) {
            Q_EMIT bench.notice(bench.hub.failureText(), true);
        }
    });
}

} // namespace

void addRunCommands(MainWindow& window) {
    Bench& bench = window.bench();
    const auto add = [&](const char* id, const QString& text, const QString& help, const char* icon,
                         const QList<QKeySequence>& keys, std::function<void()> run) {
        bench.commands.add({.id = QLatin1String(id),
                            .text = text,
                            .help = help,
                            .place = MainWindow::tr("Run"),
                            .icon = QLatin1String(icon),
                            .keys = keys},
                           [run = std::move(run)](bool) { run(); });
    };
    const auto tell = [&bench](const char* wish) {
        return [&bench, wish] {
            if (bench.hub.isOpen()) {
                bench.control.tell(bench.hub.folder(), QLatin1String(wish));
            }
        };
    };
    const auto withDesign = [&bench](const std::function<void(OpenDesign&)>& run) {
        return [&bench, run] {
            if (OpenDesign* design = bench.designs.current()) {
                run(*design);
            }
        };
    };
    add("run.start", MainWindow::tr("Run"),
        MainWindow::tr("Trains the design as it stands, in a process of its own"), "actions/run",
        {QKeySequence(Qt::CTRL | Qt::Key_Return)},
        withDesign([&window](OpenDesign& design) { start(window, orderFor(design.document())); }));
    add("run.step", MainWindow::tr("One step"),
        MainWindow::tr("One step of a paused run; without one, a run of a single step"),
        "actions/step", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return)},
        withDesign([&window, &bench](OpenDesign& design) {
            if (bench.hub.isLiving()) {
                bench.control.tell(bench.hub.folder(), QStringLiteral("step"));
                return;
            }
            RunOrder order = orderFor(design.document());
            order.design.training.steps = 1;
            start(window, std::move(order));
        }));
    add("run.window", MainWindow::tr("Run in this window"),
        MainWindow::tr("In this process: ends with the window"), "", {},
        withDesign([&window](OpenDesign& design) {
            RunOrder order = orderFor(design.document());
            order.way = RunWay::window;
            start(window, std::move(order));
        }));
    add("run.ranks", MainWindow::tr("Run on ranks"),
        MainWindow::tr("A process for each declared device, under mpirun"), "", {},
        withDesign([&window](OpenDesign& design) {
            RunOrder order = orderFor(design.document());
            order.way = RunWay::ranks;
            order.ranks = std::max(1, static_cast<int>(order.design.devices.size()));
            start(window, std::move(order));
        }));
    add("run.pause", MainWindow::tr("Pause"), MainWindow::tr("After the step that is running"),
        "actions/pause", {}, tell("pause"));
    add("run.resume", MainWindow::tr("Resume"), MainWindow::tr("Goes on where it paused"),
        "actions/run", {}, tell("resume"));
    add("run.stop", MainWindow::tr("Stop"), MainWindow::tr("Finishes the step, saves and ends"),
        "actions/stop", {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Return)}, tell("stop"));
    add("run.save", MainWindow::tr("Save checkpoint"),
        MainWindow::tr("After the step that is running"), "actions/save", {}, tell("save"));
    add("run.attach", MainWindow::tr("Attach to a run …"),
        MainWindow::tr("Opens the folder of a run, living or ended, from its first step"),
        "actions/attach", {QKeySequence(Qt::CTRL | Qt::Key_L)}, [&window, &bench] {
            const QString folder =
                QFileDialog::getExistingDirectory(&window, MainWindow::tr("Folder of a run"));
            if (!folder.isEmpty()) {
                bench.hub.open(folder);
                window.docks().setWorkspace(Workspace::run);
            }
        });
    add("run.copy-command", MainWindow::tr("Copy command line"),
        MainWindow::tr("What one would type for the same run"), "actions/copy", {},
        withDesign([&bench](OpenDesign& design) {
            const DesignDocument& document = design.document();
            if (document.file().isEmpty()) {
                Q_EMIT bench.notice(
                    MainWindow::tr("Save the design first: the line names its file"), false);
                return;
            }
            QGuiApplication::clipboard()->setText(RunControl::lineOf(
                RunControl::commandFor(orderFor(document), document.file(), {})));
        }));
    add("run.hand-over", MainWindow::tr("Hand over …"),
        MainWindow::tr("A folder that runs the design elsewhere: mpirun, Slurm, Kubernetes"),
        "actions/export", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)},
        withDesign([&window, &bench](OpenDesign& design) {
            auto* dialog = new HandoverDialog(bench.look, design.document().design(),
                                              dataFolderOf(design.document()), &window);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            QObject::connect(dialog, &HandoverDialog::failed, &bench,
                             [&bench](const QString& text) { Q_EMIT bench.notice(text, true); });
            dialog->open();
        }));
    for (const char* id : {"run.pause", "run.resume", "run.stop", "run.save"}) {
        bench.commands.find(QLatin1String(id))->setEnabled(false);
    }
    follow(window);
}

} // namespace weft::ui
