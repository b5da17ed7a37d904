// SPDX-License-Identifier: Apache-2.0
#include "runs/run_follower.h"
#include "runs/series_store.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestSeriesStore : public QObject {
    Q_OBJECT

    const std::vector<MetricInfo> metrics_{{"loss", "", true}, {"accuracy"}};

    static StepRecord record(std::int64_t step, double loss, std::uint32_t attempt = 1,
                             Split split = Split::train) {
        return {.attempt = attempt,
                .split = split,
                .step = step,
                .time = step * 1'000'000'000,
                .seconds = 0.5,
                .epoch = static_cast<float>(step) / 10,
                .values = {{0, loss}}};
    }
    void append(SeriesStore& store, const std::vector<StepRecord>& records,
                const std::vector<Attempt>& attempts = {{}}) const {
        for (const auto& [split, batch] : columnsOf(records, attempts)) {
            store.append(split, batch, metrics_);
        }
    }

private Q_SLOTS:
    void aSeriesThatIsHeldOutlivesItsRun() {
        auto store = std::make_unique<SeriesStore>();
        append(*store, {record(1, 3), record(2, 2), record(3, 1)});
        const SeriesHandle held = store->find("loss", Split::train);
        store->clear();
        QCOMPARE(store->size(), std::size_t{0});
        append(*store, {record(1, 9)});
        QVERIFY(store->find("loss", Split::train) != held);
        store.reset();
        QCOMPARE(held->size(), std::size_t{3});
        QCOMPARE(held->x(XAxis::step, 2), 3.0);
        QCOMPARE(held->firstIndexFrom(XAxis::step, 2), std::size_t{1});
        QCOMPARE(held->rows().size(), std::size_t{3});
    }

    void eachMetricAndSplitIsASeries() {
        SeriesStore store;
        std::vector<StepRecord> records{record(1, 3), record(2, 2),
                                        record(2, 2.5, 1, Split::evaluate), record(3, 1)};
        records[2].values.push_back({1, 0.75});
        append(store, records);
        const SeriesHandle loss = store.find("loss", Split::train);
        QVERIFY(loss != nullptr);
        QCOMPARE(loss->size(), std::size_t{3});
        QCOMPARE(loss->values().at(2), 1.0);
        QCOMPARE(loss->step(2), 3);
        QCOMPARE(loss->x(XAxis::epoch, 1), double(0.2F));
        QCOMPARE(loss->x(XAxis::time, 1), 2.0);
        QCOMPARE(store.find("accuracy", Split::evaluate)->values().at(0), 0.75);
        QCOMPARE(store.find(SeriesStore::stepTime, Split::train)->values().at(0), 0.5);
        QVERIFY(store.find("accuracy", Split::train) == nullptr);
    }

    void aResumedRunTakesThePlaceOfWhatItDoesAgain() {
        SeriesStore store;
        std::vector<StepRecord> records;
        for (int step = 1; step <= 40; ++step) {
            records.push_back(record(step, 100 - step));
        }
        append(store, records);
        const SeriesHandle loss = store.find("loss", Split::train);
        QCOMPARE(loss->values().at(*loss->best()), 60.0);
        append(store, {record(21, 500, 2), record(22, 501, 2)});
        QCOMPARE(loss->size(), std::size_t{22});
        QCOMPARE(loss->values().at(20), 500.0);
        QCOMPARE(loss->values().extremes(0, 22).most, 501.0);
        QCOMPARE(loss->values().at(*loss->best()), 80.0);
        QCOMPARE(loss->step(21), 22);
    }

    void aRestartWithinOneReadingIsCutApart() {
        SeriesStore store;
        append(store,
               {record(1, 1), record(2, 2), record(3, 3), record(2, 20, 2), record(3, 30, 2)});
        const SeriesHandle loss = store.find("loss", Split::train);
        QCOMPARE(loss->size(), std::size_t{3});
        QCOMPARE(loss->values().at(1), 20.0);
    }

    void timeGoesOnFromTheFirstAttempt() {
        SeriesStore store;
        Attempt first;
        first.wallClock = 1'000'000'000'000;
        Attempt second;
        second.number = 2;
        second.wallClock = 1'100'000'000'000;
        append(store, {record(1, 1), record(2, 2, 2)}, {first, second});
        const SeriesHandle loss = store.find("loss", Split::train);
        QCOMPARE(loss->x(XAxis::time, 0), 1.0);
        QCOMPARE(loss->x(XAxis::time, 1), 102.0);
    }

    void aMetricOfSomeStepsKnowsItsSteps() {
        SeriesStore store;
        std::vector<StepRecord> records;
        for (int step = 0; step < 10; ++step) {
            records.push_back(record(step, step));
            if (step % 3 == 1) {
                records.back().values.push_back({1, step * 10.0});
            }
        }
        append(store, records);
        const SeriesHandle some = store.find("accuracy", Split::train);
        QCOMPARE(some->size(), std::size_t{3});
        QCOMPARE(some->step(0), 1);
        QCOMPARE(some->step(2), 7);
        append(store, {record(5, 5, 2)});
        QCOMPARE(some->size(), std::size_t{2});
    }

    void looksUpAlongTheAxis() {
        SeriesStore store;
        std::vector<StepRecord> records;
        records.reserve(1000);
        for (int i = 0; i < 1000; ++i) {
            records.push_back(record(3 * i, i));
        }
        append(store, records);
        const Series& loss = *store.find("loss", Split::train);
        for (const std::size_t from : {0, 1, 300, 999, 1000}) {
            QCOMPARE(loss.firstIndexFrom(XAxis::step, -5, from), std::size_t{0});
            QCOMPARE(loss.firstIndexFrom(XAxis::step, 0, from), std::size_t{0});
            QCOMPARE(loss.firstIndexFrom(XAxis::step, 1, from), std::size_t{1});
            QCOMPARE(loss.firstIndexFrom(XAxis::step, 900, from), std::size_t{300});
            QCOMPARE(loss.firstIndexFrom(XAxis::step, 901, from), std::size_t{301});
            QCOMPARE(loss.firstIndexFrom(XAxis::step, 5000, from), std::size_t{1000});
        }
        QCOMPARE(loss.nearest(XAxis::step, 4).value(), std::size_t{1});
        QCOMPARE(loss.nearest(XAxis::step, 5).value(), std::size_t{2});
        QCOMPARE(loss.nearest(XAxis::step, 99999).value(), std::size_t{999});
    }
};

std::unique_ptr<QObject> makeTestSeriesStore() { return std::make_unique<TestSeriesStore>(); }
#include "tst_series_store.moc"
