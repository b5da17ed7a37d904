// SPDX-License-Identifier: Apache-2.0
#include "comm/host/clock_probe.h"

#include <QTest>
#include <cstdlib>
#include <memory>
#include <random>

using namespace weft;

namespace {

/// Another host: its clock, and what a message takes there and back.
struct Elsewhere {
    std::int64_t ahead = 0;
    std::mt19937 draw{3}; // NOLINT(cert-msc51-cpp): the same ways each time
    std::int64_t now = 1'000'000;

    [[nodiscard]] std::int64_t way(std::int64_t least, std::int64_t spread) {
        return least + static_cast<std::int64_t>(draw() % static_cast<std::uint32_t>(spread));
    }
    /// Until a round has ended; how many questions it took.
    int ask(ClockProbe& probe) {
        for (int questions = 1;; ++questions) {
            const auto question = probe.nextQuestion(now);
            if (!question) {
                return 0;
            }
            now += way(200'000, 300'000); // the way there is much longer than the way back
            const std::string answer = ClockProbe::answer(*question, now + ahead);
            now += way(1000, 900'000);
            if (probe.takeAnswer(answer, now)) {
                return questions;
            }
        }
    }
};

} // namespace

class TestClockProbe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTruthIsWithinTheError_data() {
        QTest::addColumn<qint64>("ahead");
        QTest::newRow("ahead") << qint64(5'000'000'000'123);
        QTest::newRow("behind") << qint64(-77'000'000'000'001);
        QTest::newRow("the same") << qint64(0);
    }
    void theTruthIsWithinTheError() {
        QFETCH(const qint64, ahead);
        Elsewhere other{.ahead = ahead};
        ClockProbe probe;
        QVERIFY(other.ask(probe) > 10);
        QVERIFY(probe.measure().has_value());
        QVERIFY(std::llabs(probe.measure()->offset + ahead) <= probe.measure()->error);
        // The shortest of many round trips is close to the minimum.
        QVERIFY(probe.measure()->error < 250'000);
    }

    void isMeasuredAgainAfterAWhile() {
        Elsewhere other;
        ClockProbe probe;
        QVERIFY(other.ask(probe) > 0);
        const ClockMeasure before = *probe.measure();
        QCOMPARE(other.ask(probe), 0); // not yet
        other.now += 10'000'000'000;
        other.ahead = 40'000'000; // it has drifted
        QVERIFY(other.ask(probe) > 0);
        QVERIFY(*probe.measure() != before);
        QVERIFY(std::llabs(probe.measure()->offset + other.ahead) <= probe.measure()->error);
    }

    void whatWasNotAskedIsNoAnswer() {
        ClockProbe probe;
        QVERIFY(!probe.takeAnswer("1 5", 10));
        const auto question = probe.nextQuestion(0);
        QVERIFY(question.has_value());
        QVERIFY(!probe.nextQuestion(1).has_value()); // one at a time
        for (const char* nonsense :
             {"", "1", "1 ", "x 5", "2 5", "1 5 6", "1 99999999999999999999"}) {
            QVERIFY2(!probe.takeAnswer(nonsense, 10), nonsense);
            QVERIFY(!probe.nextQuestion(10).has_value());
        }
        QVERIFY(!probe.takeAnswer("1 5", 10));
        QVERIFY(probe.nextQuestion(10).has_value());
    }

    void measuresTravelAsText() {
        const ClockMeasure measure{-12, 34};
        QVERIFY(clockMeasureFrom(textOf(measure)) == measure);
        QVERIFY(!clockMeasureFrom("5 -1").has_value());
        QVERIFY(!clockMeasureFrom("5").has_value());
    }
};

std::unique_ptr<QObject> makeTestClockProbe() { return std::make_unique<TestClockProbe>(); }
#include "tst_clock_probe.moc"
