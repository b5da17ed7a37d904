// SPDX-License-Identifier: Apache-2.0
#include "commands/command_place.h"
#include "handover/handover_dialog.h"
#include "handover/run_there_dialog.h"
#include "shell/commands/run_permits.h"
#include "shell/docks/docks.h"
#include "shell/main_window.h"
#include "workspace/absent_devices.h"
#include "workspace/mend.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <algorithm>

namespace weft::ui {

namespace {

LaunchRequest orderFor(const DesignDocument& document) {
    LaunchRequest order;
    order.design = document.design();
    order.name = document.title().remove(QStringLiteral(".weft"));
    order.dataFolder = dataFolderOf(document);
    order.runs = runsFolderOf(document);
    return order;
}

/// Out of memory would end the run, or freeze the machine, so asks the user before the run begins.
bool isMemoryEnough(MainWindow& window, OpenDesign& design) {
    const auto answer = design.check().answer(); // a copy: the check may replace its answer
    const std::vector<Diagnostic>& problems = answer->preview->problems;
    const auto found = std::ranges::find(problems, "W070", &Diagnostic::code);
    if (found == problems.end()) {
        return true;
    }
    window.docks().reveal(QStringLiteral("problems"));
    QMessageBox question(QMessageBox::NoIcon, MainWindow::tr("Not enough memory"),
                         QString::fromStdString(found->text), QMessageBox::Cancel, &window);
    question.setInformativeText(
        MainWindow::tr("Possible fix: %1.").arg(QString::fromStdString(found->fix.text)));
    const QPushButton* anyway =
        question.addButton(MainWindow::tr("Run anyway"), QMessageBox::AcceptRole);
    const QPushButton* mended =
        canMend(*found)
            ? question.addButton(QString::fromStdString(found->fix.text), QMessageBox::ActionRole)
            : nullptr;
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    if (mended != nullptr && question.clickedButton() == mended) {
        mend(design.document(), *found);
    }
    return question.clickedButton() == anyway;
}

void startThere(MainWindow& window, OpenDesign& design, const QString& host);
void start(MainWindow& window, LaunchRequest order);

/// Runs the design after its next complete check.
void startOnceChecked(MainWindow& window, OpenDesign& design) {
    QObject::connect(
        &design.check(), &LiveCheck::finished, &window,
        [&window, &design] {
            if (window.context().designs.current() == &design) {
                start(window, orderFor(design.document()));
            }
        },
        Qt::SingleShotConnection);
}

/// If devices are absent, offers to run on a host, to use local CPUs, or only to plan.
bool areDevicesHere(MainWindow& window, OpenDesign& design) {
    const QStringList absent = absentDevices(window.context(), design);
    if (absent.isEmpty()) {
        return true;
    }
    QMessageBox question(QMessageBox::NoIcon, MainWindow::tr("Missing devices"),
                         absentText(absent) + '.', QMessageBox::NoButton, &window);
    question.setInformativeText(
        MainWindow::tr("The design is planned for them from their data sheets. To run it, choose "
                       "a host that has them, or use CPUs of this machine instead."));
    const QPushButton* there =
        question.addButton(MainWindow::tr("Run on a host …"), QMessageBox::ActionRole);
    const QPushButton* cpus =
        question.addButton(MainWindow::tr("Use CPUs of this machine"), QMessageBox::ActionRole);
    QPushButton* plan = question.addButton(MainWindow::tr("Plan only"), QMessageBox::RejectRole);
    question.setDefaultButton(plan);
    question.setEscapeButton(plan);
    question.exec();
    if (question.clickedButton() == there) {
        startThere(window, design, {});
    } else if (question.clickedButton() == cpus &&
               design.document()
                   .edit(MainWindow::tr("Use CPUs of this machine"),
                         [&](Design& target) { return replaceByCpus(target, absent); })
                   .isDone()) {
        startOnceChecked(window, design);
    }
    return false;
}

/// Runs the present design; shows its errors in the Problems panel.
void start(MainWindow& window, LaunchRequest order) {
    WindowContext& context = window.context();
    OpenDesign* design = context.designs.current();
    if (hasErrors(design->check().answer()->preview->problems)) {
        window.docks().reveal(QStringLiteral("problems"));
        Q_EMIT context.notice(
            MainWindow::tr(
                "The design has errors, which the panel Problems lists: fix them, then run"),
            false);
        return;
    }
    if (!areDevicesHere(window, *design) || !isMemoryEnough(window, *design)) {
        return;
    }
    design->recordRunStart();
    context.control.start(std::move(order));
}

/// Resumes the last run from its last checkpoint.
void goOn(MainWindow& window) {
    WindowContext& context = window.context();
    if (context.hub.isPaused()) {
        context.control.tell(context.hub.folder(), QStringLiteral("resume"));
        return;
    }
    const QFileInfo run(context.hub.folder());
    LaunchRequest order;
    order.name = run.fileName();
    order.resume = run.absoluteFilePath();
    order.runs = run.absolutePath();
    context.control.start(std::move(order));
}

void permit(MainWindow& window) {
    for (const RunPermit& one : runPermits(window.context())) {
        window.context().commands.setRefusal(QLatin1String(one.command), one.why);
    }
}

/// Shows a notice of the failure, unless the run strip is visible and shows it.
void showFailure(MainWindow& window, const QString& message) {
    const bool isSeen =
        window.docks().workspace() == Workspace::run && window.context().hub.isOpen();
    if (!message.isEmpty() && !isSeen) {
        Q_EMIT window.context().notice(message, true);
    }
}

void follow(MainWindow& window) {
    WindowContext& context = window.context();
    const auto update = [&window] { permit(window); };
    QObject::connect(&context.control, &RunControl::begun, &window,
                     [&window, &context](int, const QString& folder) {
                         context.hub.open(folder);
                         window.docks().setWorkspace(Workspace::run);
                     });
    QObject::connect(&context.control, &RunControl::ended, &window,
                     [&window, &context](int number, const QString& message) {
                         const auto ticket = context.control.ticket(number);
                         if (ticket && ticket->folder == context.hub.folder()) {
                             showFailure(window, message);
                         } else if (!message.isEmpty()) {
                             Q_EMIT context.notice(message, true);
                         }
                     });
    QObject::connect(&context.control, &RunControl::refused, &window,
                     [&context](const QString& message) { Q_EMIT context.notice(message, true); });
    QObject::connect(&context.control, &RunControl::changed, &window, update);
    QObject::connect(&context.designs, &OpenDesigns::currentChanged, &window, update);
    QObject::connect(&context.hub, &RunHub::grown, &window,
                     [&window, &context](const RunGrowth& growth) {
                         if (growth.hasState || growth.isNew || growth.hasFiles) {
                             permit(window);
                         }
                         if (growth.hasState && !context.hub.isLiving()) {
                             showFailure(window, context.hub.failureText());
                         }
                     });
    // A design planned for a host runs on that host.
    QObject::connect(&context, &WindowContext::machineKnown, &window, [&context] {
        context.commands.find(QStringLiteral("run.start"))
            ->setText(context.predictionHostName().isEmpty()
                          ? MainWindow::tr("Run")
                          : MainWindow::tr("Run on %1 …").arg(context.predictionHostName()));
    });
    permit(window);
}

/// The dialog reports problems on that host before the run begins.
void startThere(MainWindow& window, OpenDesign& design, const QString& host) {
    WindowContext& context = window.context();
    auto* dialog = new RunThereDialog(context.look, context.previewQueue, context.control,
                                      orderFor(design.document()), host, &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &RunThereDialog::hostsWanted, &window,
                     [&window] { window.docks().reveal(QStringLiteral("hosts")); });
    QObject::connect(dialog, &RunThereDialog::runWanted, &context,
                     [&context, asked = QPointer<OpenDesign>(&design)](const LaunchRequest& order) {
                         if (asked) {
                             asked->recordRunStart();
                         }
                         context.control.start(order);
                     });
    dialog->open();
}

auto withDesign(WindowContext& context, const std::function<void(OpenDesign&)>& run) {
    return [&context, run] {
        if (OpenDesign* design = context.designs.current()) {
            run(*design);
        }
    };
}

void addStarts(MainWindow& window, const CommandPlace& add) {
    WindowContext& context = window.context();
    add("run.start", MainWindow::tr("Run"),
        MainWindow::tr("Trains the design as it is now, in a separate process or on the chosen "
                       "host; waits while another run is live on this machine"),
        "actions/run", {QKeySequence(Qt::CTRL | Qt::Key_Return)},
        withDesign(context, [&window, &context](OpenDesign& design) {
            if (context.predictionHostName().isEmpty()) {
                start(window, orderFor(design.document()));
            } else {
                startThere(window, design, context.predictionHostName());
            }
        }));
    add("run.beside", MainWindow::tr("Run beside"),
        MainWindow::tr("Starts immediately beside the live run, without waiting"), "", {},
        withDesign(context, [&window](OpenDesign& design) {
            LaunchRequest order = orderFor(design.document());
            order.isBeside = true;
            start(window, std::move(order));
        }));
    add.byHand()(
        "run.from-weights", MainWindow::tr("Run from weights …"),
        MainWindow::tr("Trains the design from the weights of a safetensors file, such as those of "
                       "an imported model"),
        "", {}, withDesign(context, [&window](OpenDesign& design) {
            const QString folder = dataFolderOf(design.document());
            const QString file =
                QFileDialog::getOpenFileName(&window, MainWindow::tr("Initial weights"), folder,
                                             MainWindow::tr("Weights (*.safetensors)"));
            if (!file.isEmpty()) {
                LaunchRequest order = orderFor(design.document());
                order.weights = file;
                start(window, std::move(order));
            }
        }));
    add("run.step", MainWindow::tr("Step"),
        MainWindow::tr(
            "Runs one more step, then pauses; without a live run, starts a run of a single step"),
        "actions/step", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return)}, [&window, &context] {
            if (context.hub.isLiving()) {
                context.control.tell(context.hub.folder(), QStringLiteral("step"));
            } else if (OpenDesign* design = context.designs.current()) {
                LaunchRequest order = orderFor(design->document());
                order.design.training.steps = 1;
                start(window, std::move(order));
            }
        });
    add("run.window", MainWindow::tr("Run in this window"),
        MainWindow::tr("Runs in this process and ends with the window"), "", {},
        withDesign(context, [&window](OpenDesign& design) {
            LaunchRequest order = orderFor(design.document());
            order.way = RunWay::window;
            start(window, std::move(order));
        }));
    add.byHand()(
        "run.on", MainWindow::tr("Run on a host …"),
        MainWindow::tr("Starts a job on another host, planned for its devices and followed here"),
        "actions/export", {QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_Return)},
        withDesign(context, [&window](OpenDesign& design) { startThere(window, design, {}); }));
    add("run.ranks", MainWindow::tr("Run on ranks"),
        MainWindow::tr("Starts a process for each declared device, with mpirun"), "", {},
        withDesign(context, [&window](OpenDesign& design) {
            LaunchRequest order = orderFor(design.document());
            order.way = RunWay::ranks;
            order.ranks = std::max(1, static_cast<int>(order.design.devices.size()));
            start(window, std::move(order));
        }));
}

void addCommands(MainWindow& window, const CommandPlace& add) {
    WindowContext& context = window.context();
    const auto sender = [&context](const char* command) {
        return [&context, command] {
            if (context.hub.isOpen()) {
                context.control.tell(context.hub.folder(), QLatin1String(command));
            }
        };
    };
    add("run.pause", MainWindow::tr("Pause"), MainWindow::tr("Pauses after the current step"),
        "actions/pause", {}, sender("pause"));
    add("run.resume", MainWindow::tr("Resume"),
        MainWindow::tr("Continues a paused run, or resumes an ended run from its last checkpoint"),
        "actions/run", {}, [&window] { goOn(window); });
    add("run.stop", MainWindow::tr("Stop"),
        MainWindow::tr("Finishes the step, saves a checkpoint and ends the run"), "actions/stop",
        {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Return)}, [&context, sender] {
            // A run that waits in a host's queue has no step to finish, so it is cancelled.
            sender(context.hub.state() == RunState::waiting ? "cancel" : "stop")();
        });
    add("run.save", MainWindow::tr("Save checkpoint"),
        MainWindow::tr(
            "Saves a checkpoint after the current step, or immediately if the run is paused"),
        "actions/save", {}, sender("save"));
    add.byHand()("run.attach", MainWindow::tr("Attach to a run …"),
                 MainWindow::tr("Shows a live run, or the folder of any run, from its first step"),
                 "actions/attach", {QKeySequence(Qt::CTRL | Qt::Key_L)},
                 [&window] { window.showRunsToAttach(); });
}

void addHandingOn(MainWindow& window, const CommandPlace& add) {
    WindowContext& context = window.context();
    add("run.copy-command", MainWindow::tr("Copy command line"),
        MainWindow::tr("Copies the command that starts the same run"), "actions/copy", {},
        withDesign(context, [&context](OpenDesign& design) {
            const DesignDocument& document = design.document();
            if (document.file().isEmpty()) {
                Q_EMIT context.notice(
                    MainWindow::tr("Save the design first: the command names its file"), false);
                return;
            }
            QGuiApplication::clipboard()->setText(RunControl::lineOf(
                RunControl::commandFor(orderFor(document), document.file(), {})));
        }));
    add.byHand()(
        "run.hand-over", MainWindow::tr("Export …"),
        MainWindow::tr("Writes a folder that runs the design elsewhere: mpirun, Slurm, Kubernetes"),
        "actions/export", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)},
        withDesign(context, [&window, &context](OpenDesign& design) {
            auto* dialog = new HandoverDialog(context.look, design.document().design(),
                                              dataFolderOf(design.document()), &window);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            QObject::connect(
                dialog, &HandoverDialog::failed, &context,
                [&context](const QString& text) { Q_EMIT context.notice(text, true); });
            QObject::connect(
                dialog, &HandoverDialog::saved, &context, [&context](const QString& path) {
                    Q_EMIT context.notice(MainWindow::tr("Saved as %1").arg(path), false);
                });
            dialog->open();
        }));
}

} // namespace

void addRunCommands(MainWindow& window) {
    const CommandPlace add(window.context().commands, MainWindow::tr("Run"), Needs::other);
    addStarts(window, add);
    addCommands(window, add);
    addHandingOn(window, add);
    follow(window);
}

} // namespace weft::ui
