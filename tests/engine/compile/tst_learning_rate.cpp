// SPDX-License-Identifier: Apache-2.0
#include "compile/learning_rate.h"

#include <QTest>
#include <memory>

using namespace weft;

namespace {

TrainingSettings scheduled(const char* schedule, Attributes attributes) {
    TrainingSettings training;
    training.learningRate = 1;
    training.schedule = schedule;
    training.scheduleAttributes = std::move(attributes);
    return training;
}

} // namespace

class TestLearningRate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endsWithTheRunUnlessALengthIsSaid() {
        const TrainingSettings training = scheduled("cosine", {{"end", 0.1}});
        QCOMPARE(learningRate(training, 0, 100), 1.0);
        QCOMPARE(learningRate(training, 50, 100), 0.55);
        QCOMPARE(learningRate(training, 100, 100), 0.1);
    }

    void endsBeforeTheRunAndStays_data() {
        QTest::addColumn<QString>("schedule");
        QTest::newRow("cosine") << "cosine";
        QTest::newRow("polynomial") << "polynomial";
    }
    void endsBeforeTheRunAndStays() {
        QFETCH(QString, schedule);
        const TrainingSettings training =
            scheduled(qPrintable(schedule), {{"end", 0.1}, {"steps", std::int64_t{40}}});
        QCOMPARE(learningRate(training, 0, 100), 1.0);
        QCOMPARE(learningRate(training, 20, 100), 0.55);
        QCOMPARE(learningRate(training, 40, 100), 0.1);
        QCOMPARE(learningRate(training, 99, 100), 0.1);
    }

    void beginsAfterItsWarmUp() {
        const TrainingSettings training =
            scheduled("cosine", {{"warmup_steps", std::int64_t{10}}, {"steps", std::int64_t{50}}});
        QCOMPARE(learningRate(training, 0, 100), 0.1);
        QCOMPARE(learningRate(training, 9, 100), 1.0);
        QCOMPARE(learningRate(training, 10, 100), 1.0);
        QCOMPARE(learningRate(training, 30, 100), 0.5);
        QVERIFY(learningRate(training, 50, 100) < 1e-15);
    }

    void dropsAreCountedFromTheRunsFirst() {
        const TrainingSettings training = scheduled(
            "step",
            {{"warmup_steps", std::int64_t{10}}, {"every", std::int64_t{8}}, {"factor", 0.5}});
        QCOMPARE(learningRate(training, 9, 100), 1.0);
        QCOMPARE(learningRate(training, 10, 100), 0.5);
        QCOMPARE(learningRate(training, 16, 100), 0.25);
    }
};

std::unique_ptr<QObject> makeTestLearningRate() { return std::make_unique<TestLearningRate>(); }
#include "tst_learning_rate.moc"
