// SPDX-License-Identifier: Apache-2.0
#include "transform/training_step.h"

#include <QTest>
#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>

using namespace weft;

namespace {

TrainingSettings block(std::int64_t period, std::int64_t first, std::int64_t every, bool isLate) {
    TrainingSettings training;
    training.updatePeriod = period;
    training.firstUpdate = first;
    training.syncEvery = every;
    training.sync = isLate ? "one period late" : "at once";
    return training;
}

/// A letter per step: i idle, a adds, A applies; r before it: a sum is reduced.
std::string stepsOf(const TrainingSettings& training, std::int64_t steps) {
    std::string text;
    for (std::int64_t step = 1; step <= steps; ++step) {
        const TrainingStep does = stepDue(training, step).does;
        text += does.reduces ? "r" : "";
        text += does.applies ? "A" : does.adds ? "a" : "i";
    }
    return text;
}

} // namespace

class TestTrainingStep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatAStepDoes_data() {
        QTest::addColumn<int>("period");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("every");
        QTest::addColumn<bool>("late");
        QTest::addColumn<QString>("steps");
        QTest::newRow("as ever") << 1 << 1 << 1 << false << "rArArA";
        QTest::newRow("every second step") << 2 << 1 << 1 << false << "rAirAi";
        QTest::newRow("from the third on") << 1 << 3 << 1 << false << "iirArA";
        QTest::newRow("of two") << 1 << 1 << 2 << false << "arAarA";
        QTest::newRow("of three") << 1 << 1 << 3 << false << "aarAaarA";
        QTest::newRow("of two, every second, from the second on")
            << 2 << 2 << 2 << false << "iairAiairAi";
        QTest::newRow("one step late") << 1 << 1 << 1 << true << "arArArA";
        QTest::newRow("late of two") << 1 << 1 << 2 << true << "aaraAraAraA";
        QTest::newRow("late of three") << 1 << 1 << 3 << true << "aaaraaAraaA";
        QTest::newRow("late, every second step") << 2 << 1 << 1 << true << "ariAriAriA";
        QTest::newRow("late of two, every third step")
            << 3 << 1 << 2 << true << "aiiariiaiiAriiaiiAri";
    }
    void saysWhatAStepDoes() {
        QFETCH(const int, period);
        QFETCH(const int, first);
        QFETCH(const int, every);
        QFETCH(const bool, late);
        QFETCH(const QString, steps);
        const auto count =
            static_cast<std::int64_t>(steps.count('i') + steps.count('a') + steps.count('A'));
        QCOMPARE(QString::fromStdString(stepsOf(block(period, first, every, late), count)), steps);
    }

    void countsWhatIsAppliedAndNamesAllKinds() {
        for (const bool late : {false, true}) {
            for (const std::int64_t period : {1, 2, 3}) {
                for (const std::int64_t first : {1, 2, 5}) {
                    for (const std::int64_t every : {1, 2, 3, 4}) {
                        holdsOver(block(period, first, every, late));
                    }
                }
            }
        }
    }

    void staysANumberInARunWithoutEnd() {
        const std::int64_t last = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(meansAppliedIn(block(1, 1, 1, false), last), last);
        QCOMPARE(meansAppliedIn(block(1'000'000'000, 1'000'000'000, 1'000'000'000, true), last), 8);
    }

    void findsWhereAMeanBegan() {
        QCOMPARE(periodBegin(block(1, 1, 1, false), 5), 4);
        QCOMPARE(periodBegin(block(1, 1, 3, false), 3), 0);
        QCOMPARE(periodBegin(block(1, 1, 3, false), 4), 3);
        QCOMPARE(periodBegin(block(1, 1, 3, true), 6), 0);
        QCOMPARE(periodBegin(block(1, 1, 3, true), 9), 3);
        QCOMPARE(periodBegin(block(2, 1, 2, false), 7), 3);
    }

private:
    static void holdsOver(const TrainingSettings& training) {
        const std::vector<StepKindCount> kinds = trainingSteps(training);
        const std::int64_t period = stepsOfPeriod(training);
        const std::int64_t settled = training.firstUpdate + 2 * period;
        std::int64_t applied = 0;
        std::vector<std::int64_t> all(kinds.size());
        std::vector<std::int64_t> inPeriod(kinds.size());
        for (std::int64_t step = 1; step < settled + period; ++step) {
            const StepDue due = stepDue(training, step);
            QCOMPARE(due.applied, applied);
            applied += due.does.applies ? 1 : 0;
            QCOMPARE(meansAppliedIn(training, step), applied);
            const auto kind = std::ranges::find(kinds, due.does, &StepKindCount::does);
            QVERIFY(kind != kinds.end());
            const auto k = static_cast<std::size_t>(kind - kinds.begin());
            ++all[k];
            inPeriod[k] += step >= settled ? 1 : 0;
        }
        QVERIFY(kinds.front().does.applies);
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            QVERIFY(all[k] > 0);
            QCOMPARE(inPeriod[k], kinds[k].count);
        }
    }
};

std::unique_ptr<QObject> makeTestTrainingStep() { return std::make_unique<TestTrainingStep>(); }
#include "tst_training_step.moc"
