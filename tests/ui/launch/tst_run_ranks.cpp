// SPDX-License-Identifier: Apache-2.0
// A run of two ranks under mpirun, started from a window and followed like any other.
#include "launch/run_control.h"
#include "runs/run_hub.h"
#include "support/places.h"
#include "support/test_main.h"
#include "ui/runs/trained_run.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestRunRanks : public QObject {
    Q_OBJECT

    static constexpr int patience = 120'000;

private Q_SLOTS:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        if (QStandardPaths::findExecutable("mpirun").isEmpty()) {
            QSKIP("mpirun is not installed");
        }
    }

    void twoRanksAreOneRun() {
        const QTemporaryDir folder;
        RunControl control(QString::fromStdString(test::weftProgram().string()));
        QSignalSpy begun(&control, &RunControl::begun);
        QSignalSpy ended(&control, &RunControl::ended);
        LaunchRequest order;
        order.design = test::digitsDesign(6);
        order.design.devices = {{.name = "cpu:0", .cores = 1}, {.name = "cpu:1", .cores = 1}};
        order.design.assignment.words = {AxisWord::data};
        order.name = "two";
        order.runs = folder.path();
        order.way = RunWay::ranks;
        order.ranks = 2;
        control.start(std::move(order));
        QTRY_VERIFY_WITH_TIMEOUT(!begun.isEmpty() || !ended.isEmpty(), patience);
        QVERIFY2(ended.isEmpty() || ended[0][1].toString().isEmpty(),
                 qPrintable(ended.isEmpty() ? QString() : ended[0][1].toString()));
        RunHub hub;
        hub.open(begun[0][1].toString());
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::done, patience);
        QCOMPARE(hub.series().find("loss", Split::train)->size(), std::size_t{6});
        QCOMPARE(hub.attempts().back().ranks, 2);
        QTRY_VERIFY_WITH_TIMEOUT(hub.spans().devices().size() == 2, patience);
        QVERIFY(hub.totals(hub.spans().steps().back().step).size() == 2);
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
    }
};

std::unique_ptr<QObject> makeTestRunRanks() { return std::make_unique<TestRunRanks>(); }
#include "tst_run_ranks.moc"
