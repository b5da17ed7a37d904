// SPDX-License-Identifier: Apache-2.0
// A rank or a process that is killed or stopped costs no step: what goes on from the checkpoint
// comes to the same numbers, and those of every step before it are there.
#include "disturbed_training.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>
#include <csignal>
#include <memory>

using namespace weft::test;

class TestDisturbedTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ofRanksLacksNoStep() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        DisturbedTraining training({.ranks = 2});
        QVERIFY2(training.fault().isEmpty(), qPrintable(training.fault()));
        // Rank 0 keeps the log that readers read: its last steps are on the disk of nobody else.
        for (const auto& [victim, signal, after] :
             {Disturbance{0, SIGKILL, 20}, {0, SIGKILL, 90}, {1, SIGKILL, 60}, {0, SIGSTOP, 50}}) {
            const QString wrong = training.differenceAfter({victim, signal, after});
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
    }

    void ofOneProcessLacksNoStep() {
        DisturbedTraining training({.devices = "cpu:0,cpu:1"});
        QVERIFY2(training.fault().isEmpty(), qPrintable(training.fault()));
        for (const auto& [victim, signal, after] :
             {Disturbance{0, SIGKILL, 70}, {0, SIGSTOP, 50}}) {
            const QString wrong = training.differenceAfter({victim, signal, after});
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
    }
};

std::unique_ptr<QObject> makeTestDisturbedTraining() {
    return std::make_unique<TestDisturbedTraining>();
}
#include "tst_disturbed_training.moc"
