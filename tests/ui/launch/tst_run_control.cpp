// SPDX-License-Identifier: Apache-2.0
// Runs started for real: in a process of their own and in this one.
#include "launch/run_control.h"
#include "runs/run_hub.h"
#include "support/places.h"
#include "support/test_main.h"
#include "ui/runs/run_writer.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>

#include <QFile>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <set>

using namespace weft;
using namespace weft::ui;

class TestRunControl : public QObject {
    Q_OBJECT

    static constexpr int patience = 120'000;

    [[nodiscard]] LaunchRequest order(RunWay way, std::int64_t steps) const {
        LaunchRequest order;
        order.design =
            loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", catalogue())
                .design;
        order.design.training.steps = steps;
        order.design.training.epochs = 0;
        order.design.training.evaluateEvery = steps;
        order.name = "Digits of mine";
        order.runs = folder_->path() + "/runs";
        order.way = way;
        return order;
    }
    static QString program() { return QString::fromStdString(test::weftProgram().string()); }
    /// The folder of the only run that was begun.
    static QString folderOf(const QSignalSpy& begun) { return begun[0][1].toString(); }

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aRunIsStartedAndFollowed_data() {
        QTest::addColumn<int>("way");
        QTest::newRow("process") << int(RunWay::process);
        QTest::newRow("window") << int(RunWay::window);
    }
    void aRunIsStartedAndFollowed() {
        QFETCH(int, way);
        RunControl control(program());
        QSignalSpy begun(&control, &RunControl::begun);
        QSignalSpy ended(&control, &RunControl::ended);
        control.start(order(RunWay(way), 5));
        QTRY_COMPARE_WITH_TIMEOUT(begun.size(), 1, patience);
        RunHub hub;
        hub.open(folderOf(begun));
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::done, patience);
        QCOMPARE(hub.series().find("loss", Split::train)->size(), std::size_t{5});
        QVERIFY(hub.design().training.steps == 5);
        QVERIFY(hub.name().endsWith("digits-of-mine"));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
        QCOMPARE(ended[0][1].toString(), QString());
        QVERIFY(!control.isBusy());
    }

    /// A full disk takes neither log nor end: the program's own output says why it gave up.
    void whyAProgramGaveUpIsToldWhereItsLogCouldNotSay() {
        const QString stub = folder_->path() + "/weft";
        const QString run = folder_->path() + "/kept";
        {
            test::RunWriter writer(run.toStdString());
            writer.step(1, {{"loss", 1.0}});
        }
        QFile file(stub);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\necho 'step 1, loss 1'\n"
                   "echo 'weft: /data/spans.bin: No space left on device; free space' >&2\n"
                   "exit 1\n");
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        RunControl control(stub);
        QSignalSpy ended(&control, &RunControl::ended);
        LaunchRequest resumed;
        resumed.name = "kept";
        resumed.resume = run;
        resumed.runs = folder_->path();
        control.start(std::move(resumed));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
        RunHub hub; // the hub of a window opened later
        hub.open(run);
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::lost && !hub.attempts().empty(),
                                 patience);
        const QString said = hub.failureText();
        QVERIFY2(said.contains("No space left on device; free space"), qPrintable(said));
        QVERIFY2(!said.contains("killed") && !said.contains("step 1, loss 1"), qPrintable(said));
    }

    void twoWindowsThatStartAtOnceRunEachItsOwn() {
        RunControl one(program());
        RunControl other(program());
        QSignalSpy oneBegun(&one, &RunControl::begun);
        QSignalSpy otherBegun(&other, &RunControl::begun);
        one.start(order(RunWay::process, 4));
        other.start(order(RunWay::process, 6));
        LaunchRequest beside = order(RunWay::process, 8);
        beside.isBeside = true;
        other.start(std::move(beside));
        QTRY_COMPARE_WITH_TIMEOUT(oneBegun.size(), 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(otherBegun.size(), 2, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!one.isBusy() && !other.isBusy(), patience);
        const auto stepsOf = [](const QList<QVariant>& begun) {
            RunHub hub;
            hub.open(begun[1].toString());
            (void)QTest::qWaitFor([&] { return hub.state() == RunState::done; }, patience);
            return hub.lastStep();
        };
        QCOMPARE(stepsOf(oneBegun[0]), std::int64_t{4});
        QCOMPARE(std::set<std::int64_t>({stepsOf(otherBegun[0]), stepsOf(otherBegun[1])}),
                 std::set<std::int64_t>({6, 8}));
    }

    void aSecondRunWaitsOrRunsBeside() {
        RunControl control(program());
        QSignalSpy begun(&control, &RunControl::begun);
        const int first = control.start(order(RunWay::process, 1'000'000));
        QTRY_COMPARE_WITH_TIMEOUT(begun.size(), 1, patience);
        const int second = control.start(order(RunWay::process, 3));
        QVERIFY(control.ticket(second)->state == TicketState::waiting);
        LaunchRequest beside = order(RunWay::process, 3);
        beside.isBeside = true;
        const int third = control.start(std::move(beside));
        QTRY_VERIFY_WITH_TIMEOUT(control.ticket(third)->state == TicketState::ended, patience);
        QVERIFY(control.ticket(second)->state == TicketState::waiting);
        const int fourth = control.start(order(RunWay::process, 3));
        control.cancel(fourth);
        QVERIFY(!control.ticket(fourth));
        QVERIFY(control.tell(control.ticket(first)->folder, "stop"));
        QTRY_VERIFY_WITH_TIMEOUT(control.ticket(second)->state == TicketState::ended, patience);
        QCOMPARE(begun.size(), 3);
    }

    void pausedSteppedAndStopped() {
        RunControl control(program());
        QSignalSpy begun(&control, &RunControl::begun);
        control.start(order(RunWay::process, 1'000'000));
        QTRY_COMPARE_WITH_TIMEOUT(begun.size(), 1, patience);
        RunHub hub;
        hub.open(folderOf(begun));
        QTRY_VERIFY_WITH_TIMEOUT(hub.lastStep() > 1, patience);
        QVERIFY(control.tell(hub.folder(), "pause"));
        QTRY_VERIFY_WITH_TIMEOUT(hub.isPaused(), patience);
        QVERIFY(control.tell(hub.folder(), "save"));
        const auto isSaved = [&] {
            return !hub.checkpoints().empty() && hub.checkpoints().back().step == hub.lastStep();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isSaved(), patience);
        QVERIFY(hub.isPaused());
        QVERIFY(control.tell(hub.folder(), "stop"));
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::stopped, patience);
        QSignalSpy refused(&control, &RunControl::refused);
        QVERIFY(!control.tell(hub.folder(), "pause"));
        QCOMPARE(refused.size(), 1);
    }

    void aRunOutlivesItsWindow() {
        QString folder;
        {
            RunControl control(program());
            QSignalSpy begun(&control, &RunControl::begun);
            control.start(order(RunWay::process, 1'000'000));
            QTRY_COMPARE_WITH_TIMEOUT(begun.size(), 1, patience);
            folder = folderOf(begun);
        }
        RunHub hub;
        hub.open(folder);
        QTRY_VERIFY_WITH_TIMEOUT(hub.lastStep() > 3, patience);
        QVERIFY(hub.isLiving());
        QCOMPARE(hub.series().find("loss", Split::train)->step(0), 1);
        RunControl other(program());
        QVERIFY(other.tell(folder, "stop"));
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::stopped, patience);
    }

    void whatCannotStartIsAMessage() {
        RunControl control(program());
        QSignalSpy ended(&control, &RunControl::ended);
        LaunchRequest broken = order(RunWay::process, 3);
        broken.design.data.source = "nowhere";
        control.start(broken);
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
        QVERIFY2(ended[0][1].toString().contains("nowhere"), qPrintable(ended[0][1].toString()));
        RunControl without("/none/weft");
        QSignalSpy never(&without, &RunControl::ended);
        without.start(order(RunWay::process, 3));
        QTRY_COMPARE_WITH_TIMEOUT(never.size(), 1, patience);
        QVERIFY(!never[0][1].toString().isEmpty());
    }

    void commandsAreQuoted() {
        LaunchRequest order;
        order.way = RunWay::ranks;
        order.ranks = 4;
        order.devices = {"cpu:0", "cpu:1"};
        order.dataFolder = "/my data/it's";
        QCOMPARE(RunControl::lineOf(RunControl::commandFor(order, "a.weft", {})),
                 QString("weft run a.weft --devices cpu:0,cpu:1 --data '/my data/it'\\''s' "
                         "--ranks 4"));
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestRunControl() { return std::make_unique<TestRunControl>(); }
#include "tst_run_control.moc"
