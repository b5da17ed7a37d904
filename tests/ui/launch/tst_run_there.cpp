// SPDX-License-Identifier: Apache-2.0
// A run on another host, which is this one behind a shell: in the list, followed, told, looked into
// and asked as one here.
#include "cli/weft_process.h"
#include "history/history_view.h"
#include "history/waiting_runs.h"
#include "runs/run_failure.h"
#include "shell/bars/run_strip.h"
#include "support/own_user.h"
#include "support/places.h"
#include "support/test_main.h"
#include "tensors/tensors_view.h"
#include "theme/look.h"
#include "tryit/try_view.h"
#include "workspace/window_context.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/hosts.h>
#include <weft/session.h>

#include <fcntl.h>

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::ui;
using test::endless;
using test::patience;
using test::SmallDesign;

class TestRunThere : public QObject {
    Q_OBJECT

    /// A window's parts, with a list of runs whose own folder is empty.
    struct Parts {
        explicit Parts(Look& look)
            : context(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
              list(look, context.control) {
            list.setFolder(own.path());
        }
        QTemporaryDir own;
        WindowContext context;
        HistoryView list;
    };

    [[nodiscard]] QString there() const { return folder_->filePath("there"); }
    [[nodiscard]] LaunchRequest order(const SmallDesign& small) const {
        const QString file = folder_->filePath("small.weft");
        writeDesign(file, small);
        LaunchRequest order;
        order.design = loadDesign(file.toStdString(), catalogue()).design;
        order.name = "small";
        order.way = RunWay::host;
        order.host = "near";
        return order;
    }
    /// Begun and looked at; its folder here.
    [[nodiscard]] QString begun(WindowContext& context, LaunchRequest order) const {
        QSignalSpy begun(&context.control, &RunControl::begun);
        QSignalSpy ended(&context.control, &RunControl::ended);
        context.control.start(std::move(order));
        if (!QTest::qWaitFor([&] { return !ended.isEmpty(); }, patience) || begun.isEmpty()) {
            return "not begun: " + (ended.isEmpty() ? QString() : ended[0][1].toString());
        }
        context.hub.open(begun[0][1].toString());
        return context.hub.folder();
    }
    [[nodiscard]] static const ListedRun* listed(HistoryView& list, const QString& folder) {
        list.refresh();
        return list.model().find(folder);
    }
    /// In the list, after the folders were read anew.
    [[nodiscard]] static bool isSaid(HistoryView& list, const QString& run, int column,
                                     const QString& words) {
        list.refresh();
        const RunModel& model = list.model();
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row, 0).data(RunModel::folderRole).toString() == run) {
                return model.index(row, column).data().toString() == words;
            }
        }
        return false;
    }
    [[nodiscard]] static bool says(QWidget& view, const QString& words) {
        const auto labels = view.findChildren<QLabel*>();
        return std::ranges::any_of(labels,
                                   [&](const QLabel* one) { return one->text().contains(words); });
    }
    [[nodiscard]] static QStringList checkpointsIn(const QString& run) {
        return QDir(run + "/checkpoints").entryList({"*.safetensors"});
    }

    /// A copy of which nothing is here but what its host said last.
    [[nodiscard]] static QString writtenCopy(const QString& run, const QByteArray& word) {
        QString folder = QString::fromStdString(mirrorFolder({"near", run.toStdString()}).string());
        QDir().mkpath(folder);
        test::writeBytes(folder + "/mirror.json",
                         R"({"host": "near", "run": ")" + run.toUtf8() + R"(", )" + word + "}");
        return folder;
    }
    [[nodiscard]] static QAbstractButton* button(QWidget& in, const QString& text) {
        for (auto* one : in.findChildren<QPushButton*>()) {
            if (one->text() == text && one->isVisibleTo(&in)) {
                return one;
            }
        }
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }
    void init() {
        folder_ = std::make_unique<test::OwnUser>();
        keepHost({.name = "near",
                  .via = "sh -c",
                  .folder = there().toStdString(),
                  .program = test::weftProgram().string()});
    }
    void cleanup() {
        const auto living = [this] { return livingRuns(there().toStdString()); };
        for (const std::filesystem::path& run : living()) {
            tellRun(run, "stop");
        }
        QTRY_VERIFY_WITH_TIMEOUT(living().empty(), patience);
    }

    void isListedFollowedToldAndGoesOn() {
        Parts parts(look_);
        WindowContext& context = parts.context;
        const QString run = begun(context, order({.steps = endless, .checkpointEvery = endless}));
        QVERIFY2(QDir(run).exists(), qPrintable(run));
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.isLiving() && context.hub.lastStep() > 1, patience);
        QCOMPARE(context.hub.copy()->host, std::string("near"));
        QCOMPARE(titleOfRun(run).section(',', 0, 0), QString("small on near"));
        QCOMPARE(runsFolderOf(run + "/design.weft"), runsFolderOf(QString()));

        QTRY_VERIFY_WITH_TIMEOUT(isSaid(parts.list, run, RunModel::state, "running"), patience);
        QVERIFY(isSaid(parts.list, run, RunModel::devices, "near: cpu:0"));
        QVERIFY(parts.list.model().setData(parts.list.model().index(0, RunModel::note), "mine",
                                           Qt::EditRole));
        parts.list.choose({run});
        parts.list.copyCommand();
        QCOMPARE(QGuiApplication::clipboard()->text(), "weft attach near:" + run.section('/', -1));
        // It goes on there: its copy stays.
        parts.list.setConfirmation([](const QStringList&) { return true; });
        parts.list.deleteChosen();
        QVERIFY(QDir(run).exists());

        context.control.tell(run, "pause");
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.isPaused(), patience);
        context.control.tell(run, "resume");
        QTRY_VERIFY_WITH_TIMEOUT(!context.hub.isPaused(), patience);
        context.control.tell(run, "stop");
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.state() == RunState::stopped, patience);

        LaunchRequest again;
        again.resume = run;
        QCOMPARE(begun(context, std::move(again)), run);
        QTRY_COMPARE_WITH_TIMEOUT(context.hub.attempts().size(), std::size_t{2}, patience);
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.isLiving(), patience);
        QVERIFY(QDir(there() + '/' + run.section('/', -1)).exists());
        QCOMPARE(readMarks(run).note, QString("mine"));
    }

    void goesOnHereAsANewRun() {
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH",
                QByteArray::fromStdString(test::weftProgram().parent_path().string()) + ':' + path);
        Parts parts(look_);
        qputenv("PATH", path);
        parts.list.show();
        const QString run = begun(parts.context, order({.steps = endless, .checkpointEvery = 5}));
        QTRY_VERIFY_WITH_TIMEOUT(!checkpointsIn(there() + '/' + run.section('/', -1)).isEmpty(),
                                 patience);
        QTRY_VERIFY_WITH_TIMEOUT(isSaid(parts.list, run, RunModel::state, "running"), patience);
        parts.list.choose({run});
        const auto buttons = parts.list.findChildren<QPushButton*>();
        QPushButton* const resume = *std::ranges::find(buttons, "Resume", &QPushButton::text);
        QVERIFY(resume->menu() != nullptr);
        QVERIFY(!resume->menu()->actions()[0]->isEnabled()); // there it lives
        QSignalSpy started(&parts.context.control, &RunControl::begun);
        const auto chooseLast = [menu = resume->menu()] {
            QTest::keyClick(menu, Qt::Key_Up);
            QTest::keyClick(menu, Qt::Key_Return);
        };
        connect(resume->menu(), &QMenu::aboutToShow, this, chooseLast, Qt::QueuedConnection);
        QTest::mouseClick(resume, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!started.isEmpty(), patience);
        const QString own = started[0][1].toString();
        QCOMPARE(QFileInfo(own).path(), parts.own.path());
        parts.context.hub.open(own);
        QTRY_VERIFY_WITH_TIMEOUT(parts.context.hub.lastStep() > 5, patience);
        QVERIFY(parts.context.hub.attempts().front().stepsBefore >= 5);
        QVERIFY(parts.context.hub.isLiving());
        parts.context.control.tell(own, "stop");
        QTRY_VERIFY_WITH_TIMEOUT(parts.context.hub.state() == RunState::stopped, patience);
        parts.list.choose({own});
        QVERIFY(resume->menu() == nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(isSaid(parts.list, run, RunModel::state, "running"), patience);
    }

    void whatAStepShowedComesWhenItIsLookedAt() {
        Parts parts(look_);
        WindowContext& context = parts.context;
        const QString run = begun(context, order({.steps = endless, .checkpointEvery = endless}));
        QVERIFY2(QDir(run).exists(), qPrintable(run));
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.lastStep() > 1, patience);
        OpenDesign& design =
            context.designs.add(std::make_unique<OpenDesign>(context.kinds, context.previewQueue));
        design.document().setDesign(context.hub.design(), false);
        design.selection().select(
            {findLayer(design.document().design().network, std::string_view("conv"))->id});
        TensorsView view(look_, context.hub, context.control);
        view.follow(&design.document(), &design.selection());
        context.control.tell(run, "observe", "conv");
        QTRY_VERIFY_WITH_TIMEOUT(!context.hub.tensors().empty(), patience);
        context.control.tell(run, "stop");
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.state() == RunState::stopped, patience);
        auto* list = view.findChild<QListWidget*>();
        QTRY_COMPARE_WITH_TIMEOUT(list->findItems("y", Qt::MatchExactly).size(), 1, patience);
        list->setCurrentItem(list->findItems("y", Qt::MatchExactly).front());
        QVERIFY(!QDir(run + "/tensors").exists()); // nobody looked
        view.show();
        QTRY_VERIFY_WITH_TIMEOUT(view.numbers().tensor() != nullptr, patience);
        QCOMPARE(QDir(run + "/tensors").entryList(QDir::Files).size(), 1); // the one that is chosen
        QTRY_COMPARE_WITH_TIMEOUT(checkpointsIn(run).size(), 1, patience);
    }

    void isAskedByACheckpointThatComes() {
        Parts parts(look_);
        WindowContext& context = parts.context;
        TryView view(look_, context.hub, context.control.hosts());
        const QString run = begun(context, order({.steps = 6, .checkpointEvery = 3}));
        QVERIFY2(QDir(run).exists(), qPrintable(run));
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.state() == RunState::done, patience);
        QCOMPARE(context.hub.checkpoints().size(), std::size_t{2});
        QVERIFY(checkpointsIn(run).isEmpty());
        view.show();
        // Showing may take long enough for it to come.
        QVERIFY(says(view, "being fetched from near") || !checkpointsIn(run).isEmpty());
        view.pad().setImage(picture());
        QTRY_VERIFY_WITH_TIMEOUT(!view.answers().guesses().empty(), patience);
        QCOMPARE(checkpointsIn(run).size(), 1);

        // One that is gone there is told of once.
        const QString last = run + '/' + QString::fromStdString(context.hub.checkpoints()[1].path);
        QSignalSpy refused(&context.control, &RunControl::refused);
        QDir(there() + '/' + run.section('/', -1) + "/checkpoints").removeRecursively();
        QDir(run + "/checkpoints").removeRecursively();
        context.hub.announceFile(last);
        QTRY_COMPARE_WITH_TIMEOUT(refused.size(), 1, patience);
        context.hub.announceFile(last);
        QVERIFY(!context.control.hosts().whyMissing(last.toStdString()).isEmpty());
        QVERIFY(!says(view, "being fetched"));
    }

    void withoutACopyItIsListedAsItsHostSays() {
        Parts parts(look_);
        WindowContext& context = parts.context;
        const QString run = begun(context, order({.steps = 2}));
        QVERIFY2(QDir(run).exists(), qPrintable(run));
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.state() == RunState::done, patience);
        context.hub.close();
        QTRY_VERIFY_WITH_TIMEOUT(isSaid(parts.list, run, RunModel::state, "done"), patience);
        parts.list.choose({run});
        parts.list.setConfirmation([](const QStringList&) { return true; });
        parts.list.deleteChosen();
        QVERIFY(!QDir(run).exists());
        QVERIFY(QDir(there() + '/' + run.section('/', -1)).exists());
        context.control.hosts().requestRuns();
        QTRY_VERIFY_WITH_TIMEOUT(
            listed(parts.list, run) != nullptr && !parts.list.model().find(run)->isHere, patience);
        QVERIFY(isSaid(parts.list, run, RunModel::state, "done"));
        QVERIFY(isSaid(parts.list, run, RunModel::step, "2"));
        QVERIFY(!parts.list.model().setData(parts.list.model().index(0, RunModel::note), "mine",
                                            Qt::EditRole));
        connect(&parts.list, &HistoryView::runWanted, &context.hub, &RunHub::open);
        parts.list.choose({run});
        parts.list.openChosen();
        QTRY_VERIFY_WITH_TIMEOUT(
            context.hub.state() == RunState::done && context.hub.lastStep() == 2, patience);
    }

    void whatIsSentIsTakenOff() {
        keepHost({.name = "silent", .via = "tail -f /dev/null"}); // a shell line is no file to it
        Parts parts(look_);
        WaitingRuns waiting(parts.context.control);
        QSignalSpy ended(&parts.context.control, &RunControl::ended);
        LaunchRequest sent = order({});
        sent.host = "silent";
        const int number = parts.context.control.start(std::move(sent));
        QVERIFY(waiting.isVisibleTo(nullptr) || !waiting.isHidden());
        QVERIFY(says(waiting, "starts on silent"));
        QVERIFY(button(waiting, "Run beside") == nullptr);
        QTest::mouseClick(button(waiting, "Cancel"), Qt::LeftButton);
        QTRY_VERIFY(waiting.isHidden());
        QVERIFY(!parts.context.control.ticket(number));
        QCOMPARE(ended.size(), 0);
    }

    void whatItsHostSaidLastIsTold() {
        Parts parts(look_);
        RunHub& hub = parts.context.hub;
        hub.open(writtenCopy("2026-01-01_100000_small",
                             R"("state": "failed", "cause": "its job ended: no module mpi\n")"));
        QTRY_VERIFY(hub.state() == RunState::failed);
        QCOMPARE(failureOf(hub).what, QString("its job ended: no module mpi"));
        QVERIFY(RunStrip(parts.context).text().startsWith("small on near failed"));
        const QString lost = writtenCopy(
            "2026-01-02_100000_small",
            R"("state": "living", "up": false, "why": "no route", "since": 1767261600)");
        QTRY_VERIFY_WITH_TIMEOUT(isSaid(parts.list, lost, RunModel::state, "unknown"), patience);
        QVERIFY(listed(parts.list, lost)->summary.cause.ends_with(": no route"));
    }

    void whatWaitsSaysForWhat() {
        Parts parts(look_);
        const QString run = writtenCopy(
            "2026-01-01_100000_small",
            R"("state": "waiting", "queue": "job 7, place 3 in the queue", "up": true)");
        QFile lock(run + "/mirror.lock"); // as the program has it that makes a copy grow
        QVERIFY(lock.open(QIODevice::WriteOnly));
        struct flock whole {};
        whole.l_type = F_WRLCK;
        QCOMPARE(fcntl(lock.handle(), F_OFD_SETLK, &whole), 0);
        parts.context.hub.open(run);
        QTRY_VERIFY(parts.context.hub.state() == RunState::waiting);
        const RunStrip strip(parts.context);
        QCOMPARE(strip.text(), QString("small on near waiting: job 7, place 3 in the queue"));
        QVERIFY(!strip.failure());
        QTRY_VERIFY_WITH_TIMEOUT(isSaid(parts.list, run, RunModel::state, "waiting"), patience);
        QCOMPARE(listed(parts.list, run)->summary.cause,
                 std::string("job 7, place 3 in the queue"));
        parts.list.choose({run});
        QVERIFY(!button(parts.list, "Resume")->isEnabled());
        QVERIFY(button(parts.list, "Open")->isEnabled());
    }

private:
    /// Something drawn.
    [[nodiscard]] static QImage picture() {
        QImage image(28, 28, QImage::Format_Grayscale8);
        image.fill(Qt::black);
        for (int row = 5; row < 23; ++row) {
            image.setPixelColor(14, row, Qt::white);
        }
        return image;
    }

    std::unique_ptr<test::OwnUser> folder_;
    Look look_;
};

std::unique_ptr<QObject> makeTestRunThere() { return std::make_unique<TestRunThere>(); }
#include "tst_run_there.moc"
