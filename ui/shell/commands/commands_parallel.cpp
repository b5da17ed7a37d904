// SPDX-License-Identifier: Apache-2.0
// Commands that assign by key or brush, and the proof that an assigned network computes the same as
// one device.
#include "canvas/page/strips.h"
#include "commands/command_place.h"
#include "shell/docks/docks.h"
#include "shell/main_window.h"
#include "workspace/aside.h"
#include <weft/error.h>
#include <weft/prove.h>

#include <QMessageBox>
#include <QPointer>

namespace weft::ui {

namespace {

struct Proved {
    std::shared_ptr<ProofDifferences> marks = std::make_shared<ProofDifferences>();
    QString text;
    bool isFailure = false;
};

/// Callable from any thread.
Proved proved(const ProofRequest& request) {
    Proved made;
    try {
        const Proof proof = prove(request);
        made.isFailure = !proof.holds();
        made.marks->tolerance = proof.tolerance;
        for (const LayerProof& layer : proof.layers) {
            made.marks->differences[layer.layer] = layer.largest();
        }
        made.text = made.isFailure
                        ? MainWindow::tr("%1 differs from one device by more than %2: its "
                                         "assignment changes the mathematics")
                              .arg(QString::fromStdString(proof.firstFailing()))
                              .arg(proof.tolerance)
                    : !proof.isSpread
                        ? MainWindow::tr("Nothing is split over devices or sent between them, so "
                                         "nothing was proved: assign layers to several devices")
                        : MainWindow::tr("Proved: the same mathematics as one device in all %1 "
                                         "layers, %2 values a step, loss within %3")
                              .arg(proof.layers.size())
                              .arg(proof.values)
                              .arg(QString::number(proof.loss, 'g', 2));
    } catch (const Error& error) {
        made.text = QString::fromStdString(error.what());
        made.isFailure = true;
    }
    return made;
}

/// Proves the assignment by running a few steps twice. Shows the result as a notice and, if the
/// design has not changed meanwhile, marks it on every layer.
void proveNow(MainWindow& window) {
    OpenDesign* design = window.context().designs.current();
    ProofRequest request;
    request.design = design->document().design();
    request.folder = dataFolderOf(design->document()).toStdString();
    Q_EMIT window.context().notice(
        MainWindow::tr("Proving: three steps as assigned, and on one device …"), false);
    const QPointer<CanvasView> view(&window.page()->view());
    const std::uint64_t revision = design->document().revision();
    runInBackground(
        &window.context(), [request] { return proved(request); },
        [&context = window.context(), view, revision](const Proved& made) {
            if (view && view->document().revision() == revision) {
                view->setProof(made.marks);
            }
            Q_EMIT context.notice(made.text, made.isFailure);
        });
}

/// Starts or stops the recalibration. During a run, first asks the user.
void recalibrate(MainWindow& window) {
    WindowContext& context = window.context();
    if (context.calibration.isMeasuring()) {
        context.calibration.stop();
        return;
    }
    if (!context.hub.isLiving() && !context.control.isBusy()) {
        context.calibration.start();
        return;
    }
    auto* question = new QMessageBox(
        QMessageBox::NoIcon, MainWindow::tr("A run is using this machine"),
        MainWindow::tr(
            "Rates measured beside a run are too low, and every prediction would be too slow."),
        QMessageBox::Cancel, &window);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->addButton(MainWindow::tr("Measure anyway"), QMessageBox::AcceptRole);
    QObject::connect(question, &QMessageBox::accepted, &context.calibration, &Calibration::start);
    question->open();
}

void addMeasuring(MainWindow& window, const CommandPlace& add) {
    WindowContext& context = window.context();
    add("parallel.recalibrate", MainWindow::tr("Recalibrate"),
        MainWindow::tr("Measures the rates of this machine and of the link between two processes "
                       "again, for all predictions; stops a measurement in progress"),
        "actions/measure", {}, [&window] { recalibrate(window); });
    Calibration& calibration = context.calibration;
    QAction* action = context.commands.find(QStringLiteral("parallel.recalibrate"));
    QObject::connect(&calibration, &Calibration::changed, action, [action, &calibration] {
        action->setText(calibration.isMeasuring() ? MainWindow::tr("Stop measuring")
                                                  : MainWindow::tr("Recalibrate"));
    });
    QObject::connect(&calibration, &Calibration::measured, &window, [&context] {
        Q_EMIT context.notice(
            MainWindow::tr("This machine was measured again; every prediction is updated"), false);
    });
    QObject::connect(&calibration, &Calibration::linkNotMeasured, &window,
                     [&context](const QString& message) { Q_EMIT context.notice(message, true); });
    QObject::connect(&calibration, &Calibration::failed, &window,
                     [&context](const QString& message, bool isStopped) {
                         Q_EMIT context.notice(
                             isStopped ? MainWindow::tr("The previous rates are kept") : message,
                             !isStopped);
                     });
}

void addWords(MainWindow& window, const CommandPlace& layers) {
    WindowContext& context = window.context();
    const std::pair<AxisWord, int> words[] = {
        {AxisWord::data, 1},      {AxisWord::batch, 2},     {AxisWord::modelStack, 3},
        {AxisWord::modelAdd, 4},  {AxisWord::spaceRows, 5}, {AxisWord::spaceColumns, 6},
        {AxisWord::replicate, 7}, {AxisWord::follow, 8}};
    for (const auto& [word, digit] : words) {
        const QString name = QString::fromStdString(std::string(nameOf(word)));
        QString glyph = name;
        const std::string icon = word == AxisWord::follow
                                     ? std::string()
                                     : "glyphs/" + glyph.replace('.', '-').toStdString();
        layers("parallel." + name, MainWindow::tr("Assign %1").arg(name),
               MainWindow::tr("Assigns the selected layers to all declared devices"),
               QString::fromStdString(icon),
               {QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + digit))},
               [&window, &context, word = word, name] {
                   OpenDesign* design = context.designs.current();
                   const std::vector<LayerId> layers =
                       design == nullptr ? std::vector<LayerId>{} : design->selection().list();
                   if (layers.empty()) {
                       return;
                   }
                   std::optional<Assignment> assignment;
                   if (word != AxisWord::follow) {
                       assignment = Assignment{{}, {}, {word}};
                   }
                   window.edit(MainWindow::tr("Assign %1").arg(name),
                               [&](Design& target, const NetworkPath& path) {
                                   return assign(target, path, layers, assignment);
                               });
               });
    }
}

} // namespace

void addParallelCommands(MainWindow& window) {
    WindowContext& context = window.context();
    const CommandPlace add(context.commands, MainWindow::tr("Parallel"), Needs::design);
    addWords(window, add.needing(Needs::layers));
    add.byHand()(
        "view.brush", MainWindow::tr("Brush"),
        MainWindow::tr(
            "Paints an assignment onto layers with the pointer; repeat or press Escape to end"),
        "actions/brush", {QKeySequence(Qt::Key_R)}, [&window] {
            if (window.page() != nullptr) {
                CanvasView& view = window.page()->view();
                view.setBrush(view.brush() ? std::nullopt
                                           : std::optional(BrushStrip::brushOf(AxisWord::data)));
            }
        });
    add("view.rank-lens", MainWindow::tr("Rank"),
        MainWindow::tr("Shows the network as one device holds it; repeat for the next device, last "
                       "for all devices"),
        "actions/lens", {QKeySequence(Qt::SHIFT | Qt::Key_R)}, [&window] {
            if (window.page() != nullptr) {
                CanvasView& view = window.page()->view();
                const int next = view.rank() + 1;
                view.setRank(next < static_cast<int>(view.checked().preview->devices.size()) ? next
                                                                                             : -1);
            }
        });
    addMeasuring(window, add.needing(Needs::nothing).byHand());
    add("parallel.prove", MainWindow::tr("Prove"),
        MainWindow::tr("Checks that a few steps give the same values as on one device"),
        "states/good", {}, [&window, &context] {
            if (context.designs.current() != nullptr) {
                proveNow(window);
            }
        });
}

} // namespace weft::ui
