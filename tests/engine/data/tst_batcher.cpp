// SPDX-License-Identifier: Apache-2.0
#include "data/batcher.h"
#include "engine/data/raises.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <vector>

namespace weft {

using test::errorOf;
using Examples = std::vector<std::int64_t>;

class TestBatcher : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsDropsOrWrapsTheLastBatch_data();
    void keepsDropsOrWrapsTheLastBatch();
    void wrapsRoundABatchLargerThanTheWhole();
    void givesWorkersTheirRowsOfOneBatch();
    void goesOnAnywhere();
    void goesOnWithAnotherBatchSize();
    void visitsEveryExampleOncePerEpochShuffled();
    void refusesWhatMakesNoBatch();
    void readsTheDesign();
    void watchesFilmsInTheOrderOfTheirSource_data();
    void watchesFilmsInTheOrderOfTheirSource();
    void watchesTheSameWhereverItStarts();
    void evaluatesEveryFrameOnceInShares();
    void takesTheSourcesOrderBeforeTheDesigns();
    void refusesStartsThatAreNotOneForEachElement();
};

namespace {

Examples examplesOf(const Batcher& batcher, const Batch& batch) {
    Examples examples(static_cast<std::size_t>(batch.rows));
    batcher.fill(batch, 0, examples);
    return examples;
}

std::vector<float> beginsOf(const Batcher& batcher, const Batch& batch) {
    std::vector<float> begins(static_cast<std::size_t>(batch.rows), 0);
    batcher.markFilmBegins(batch, 0, begins);
    return begins;
}

DataSettings settingsOf(std::int64_t batch) {
    DataSettings settings;
    settings.batch = batch;
    return settings;
}

using Begins = std::vector<float>;

} // namespace

void TestBatcher::keepsDropsOrWrapsTheLastBatch_data() {
    QTest::addColumn<int>("policy");
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("shortRows");
    QTest::addColumn<std::vector<Examples>>("batches");
    QTest::newRow("keep") << int(LastBatch::keep) << 3 << 2
                          << std::vector<Examples>{
                                 {0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}, {0, 1, 2, 3}};
    QTest::newRow("drop") << int(LastBatch::drop) << 2 << 0
                          << std::vector<Examples>{{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 2, 3}};
    QTest::newRow("wrap") << int(LastBatch::wrap) << 3 << 0
                          << std::vector<Examples>{
                                 {0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 0, 1}, {0, 1, 2, 3}};
}

void TestBatcher::keepsDropsOrWrapsTheLastBatch() {
    QFETCH(int, policy);
    QFETCH(int, steps);
    QFETCH(int, shortRows);
    QFETCH(std::vector<Examples>, batches);
    const Batcher batcher({10, 4, static_cast<LastBatch>(policy), false, 1});
    QCOMPARE(batcher.stepsPerEpoch(), std::int64_t{steps});
    QCOMPARE(batcher.shortRows(), std::int64_t{shortRows});
    DataPosition position;
    for (const Examples& expected : batches) {
        const Batch batch = batcher.at(position);
        QCOMPARE(examplesOf(batcher, batch), expected);
        position = batcher.after(batch);
    }
    QCOMPARE(position.epoch, std::int64_t{1});
}

void TestBatcher::wrapsRoundABatchLargerThanTheWhole() {
    const Batcher batcher({3, 8, LastBatch::wrap, false, 1});
    QCOMPARE(batcher.stepsPerEpoch(), std::int64_t{1});
    QCOMPARE(examplesOf(batcher, batcher.at({})), (Examples{0, 1, 2, 0, 1, 2, 0, 1}));
    const Batcher kept({3, 8, LastBatch::keep, false, 1});
    QCOMPARE(kept.at({}).rows, std::int64_t{3});
    QCOMPARE(kept.shortRows(), std::int64_t{3});
}

void TestBatcher::givesWorkersTheirRowsOfOneBatch() {
    const Batcher batcher({100, 10, LastBatch::keep, true, 5});
    const Batch batch = batcher.at({1, 30});
    const Examples whole = examplesOf(batcher, batch);
    Examples parts;
    for (const auto& [begin, end] : {std::pair{0, 3}, std::pair{3, 3}, std::pair{3, 10}}) {
        Examples rows(static_cast<std::size_t>(end - begin));
        batcher.fill(batch, begin, rows);
        parts.insert(parts.end(), rows.begin(), rows.end());
    }
    QCOMPARE(parts, whole);
}

void TestBatcher::goesOnAnywhere() {
    const Batcher batcher({23, 5, LastBatch::keep, true, 9});
    DataPosition position;
    for (int step = 0; step < 12; ++step) {
        const Batch batch = batcher.at(position);
        const DataPosition known{step / 5, step % 5 * 5};
        QCOMPARE(examplesOf(batcher, batch), examplesOf(batcher, batcher.at(known)));
        position = batcher.after(batch);
    }
}

void TestBatcher::goesOnWithAnotherBatchSize() {
    // A run that stopped after 10 of 23 examples visits the other 13 whatever its batch is now.
    const Batcher before({23, 5, LastBatch::keep, true, 9});
    const Batcher now({23, 8, LastBatch::keep, true, 9});
    Examples seen;
    for (DataPosition at; at.example < 10; at = before.after(before.at(at))) {
        const Examples some = examplesOf(before, before.at(at));
        seen.insert(seen.end(), some.begin(), some.end());
    }
    for (DataPosition at{0, 10}; at.epoch == 0; at = now.after(now.at(at))) {
        const Examples some = examplesOf(now, now.at(at));
        seen.insert(seen.end(), some.begin(), some.end());
    }
    std::sort(seen.begin(), seen.end());
    Examples all(23);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<std::int64_t>(i);
    }
    QCOMPARE(seen, all);
    const Batcher dropping({23, 8, LastBatch::drop, true, 9});
    QCOMPARE(dropping.at({0, 20}), (Batch{{1, 0}, 8}));
    QCOMPARE(before.rowCounts(), (Examples{5, 3}));
    QCOMPARE(now.rowCounts({0, 10}), (Examples{8, 7, 5}));
    QCOMPARE(dropping.rowCounts({0, 10}), (Examples{8}));
}

void TestBatcher::visitsEveryExampleOncePerEpochShuffled() {
    const Batcher batcher({23, 5, LastBatch::keep, true, 9});
    std::array<Examples, 2> orders;
    for (std::int64_t step = 0; step < 10; ++step) {
        const Batch batch = batcher.at({step / 5, step % 5 * 5});
        const Examples some = examplesOf(batcher, batch);
        Examples& order = orders.at(static_cast<std::size_t>(batch.position.epoch));
        order.insert(order.end(), some.begin(), some.end());
    }
    QVERIFY(orders[0] != orders[1]);
    std::sort(orders[0].begin(), orders[0].end());
    std::sort(orders[1].begin(), orders[1].end());
    QCOMPARE(orders[0], orders[1]);
    QCOMPARE(std::adjacent_find(orders[0].begin(), orders[0].end()), orders[0].end());
    QCOMPARE(orders[0].back(), std::int64_t{22});
}

void TestBatcher::refusesWhatMakesNoBatch() {
    for (const Batcher::Settings& settings : {Batcher::Settings{10, 0, LastBatch::keep, true, 1},
                                              {0, 4, LastBatch::keep, true, 1},
                                              {3, 4, LastBatch::drop, true, 1}}) {
        const auto error = errorOf([&] { const Batcher batcher(settings); });
        QVERIFY(error.has_value());
        QCOMPARE(error->code(), ErrorCode::design);
        QVERIFY(!error->remedy().empty());
    }
}

void TestBatcher::readsTheDesign() {
    DataSettings settings;
    settings.batch = 7;
    settings.order = "file";
    settings.lastBatch = "wrap";
    const Batcher training = trainingBatcher(settings, 20, 3);
    QCOMPARE(training.settings().lastBatch, LastBatch::wrap);
    QVERIFY(!training.settings().isShuffled);
    settings.order = "shuffled";
    QVERIFY(trainingBatcher(settings, 20, 3).settings().isShuffled);
    // Without a full batch nothing is trained as the design says.
    settings.batch = 21;
    QCOMPARE(trainingBatcher(settings, 20, 3).stepsPerEpoch(), std::int64_t{1});
    settings.lastBatch = "keep";
    const auto error = errorOf([&] { (void)trainingBatcher(settings, 20, 3); });
    QVERIFY2(
        error->problem().starts_with("data.batch is 21, but the run trains on only 20 examples"),
        error->what());
    settings.batch = 7;
    const Batcher evaluation = evaluationBatcher(settings, 20);
    QCOMPARE(evaluation.shortRows(), std::int64_t{6});
    QVERIFY(!evaluation.settings().isShuffled);
    settings.lastBatch = "forget";
    QCOMPARE(errorOf([&] { (void)trainingBatcher(settings, 20, 3); })->code(), ErrorCode::design);
}

void TestBatcher::watchesFilmsInTheOrderOfTheirSource_data() {
    QTest::addColumn<int>("watch");
    QTest::addColumn<int>("examples");
    QTest::addColumn<Examples>("starts");
    QTest::addColumn<Examples>("skips");
    QTest::addColumn<std::vector<Examples>>("shown");
    QTest::addColumn<std::vector<Begins>>("begins");
    QTest::newRow("by file")
        << int(MovieOrder::byFile) << 10 << Examples{} << Examples{}
        << std::vector<Examples>{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}, {0, 1, 2, 3}}
        << std::vector<Begins>{{1, 1, 1, 1}, {0, 0, 0, 1}, {1, 1}, {1, 1, 1, 1}};
    // Three frames are left over; elements come back to where they began.
    QTest::newRow("by list")
        << int(MovieOrder::byList) << 15 << Examples{} << Examples{}
        << std::vector<Examples>{{0, 3, 6, 9}, {1, 4, 7, 10}, {2, 5, 8, 11}, {0, 3, 6, 9}}
        << std::vector<Begins>{{1, 1, 1, 1}, {0, 0, 1, 0}, {0, 0, 0, 0}, {1, 1, 1, 1}};
    // Two steps are an epoch, of which those who walk round know nothing.
    QTest::newRow("given") << int(MovieOrder::given) << 10 << Examples{4, 0, 9, 6}
                           << Examples{1, 2, 1, 3}
                           << std::vector<Examples>{{4, 0, 9, 6},
                                                    {5, 2, 0, 9},
                                                    {6, 4, 1, 2},
                                                    {7, 6, 2, 5},
                                                    {8, 8, 3, 8}}
                           << std::vector<Begins>{{1, 1, 1, 1},
                                                  {0, 0, 1, 1},
                                                  {0, 0, 0, 1},
                                                  {1, 0, 0, 0},
                                                  {0, 1, 0, 1}};
}

void TestBatcher::watchesFilmsInTheOrderOfTheirSource() {
    QFETCH(int, watch);
    QFETCH(int, examples);
    QFETCH(Examples, starts);
    QFETCH(Examples, skips);
    QFETCH(std::vector<Examples>, shown);
    QFETCH(std::vector<Begins>, begins);
    const ExampleOrder order{
        .watch = static_cast<MovieOrder>(watch), .starts = starts, .skips = skips, .films = {0, 7}};
    const Batcher batcher = trainingBatcher(settingsOf(4), examples, 3, order);
    DataPosition position;
    for (std::size_t step = 0; step < shown.size(); ++step) {
        const Batch batch = batcher.at(position);
        QCOMPARE(examplesOf(batcher, batch), shown[step]);
        QCOMPARE(beginsOf(batcher, batch), begins[step]);
        position = batcher.after(batch);
    }
}

void TestBatcher::watchesTheSameWhereverItStarts() {
    for (const ExampleOrder& order :
         {ExampleOrder{.watch = MovieOrder::byFile, .films = {0, 9, 20}},
          ExampleOrder{.watch = MovieOrder::byList, .films = {0, 9, 20}},
          ExampleOrder{.watch = MovieOrder::given,
          .starts = {3, 30, 17},
          .skips = {2, 1, 5},
          .films = {0, 9, 20}},
          ExampleOrder{.watch = MovieOrder::random, .films = {0, 9, 20}}}) {
        const Batcher batcher = trainingBatcher(settingsOf(3), 32, 3, order);
        DataPosition position;
        for (int step = 0; step < 40; ++step) {
            const Batch batch = batcher.at(position);
            // Another that goes on from the checkpoint, and one that wants but some rows.
            const Batcher resumed = trainingBatcher(settingsOf(3), 32, 3, order);
            QCOMPARE(examplesOf(resumed, resumed.at(position)), examplesOf(batcher, batch));
            Examples last(1);
            Begins begins(1, 0);
            resumed.fill(batch, batch.rows - 1, last);
            resumed.markFilmBegins(batch, batch.rows - 1, begins);
            QCOMPARE(last.front(), examplesOf(batcher, batch).back());
            QCOMPARE(begins.front(), beginsOf(batcher, batch).back());
            position = batcher.after(batch);
        }
    }
}

void TestBatcher::evaluatesEveryFrameOnceInShares() {
    for (const auto watch : {MovieOrder::byList, MovieOrder::given}) {
        const ExampleOrder order{
            .watch = watch, .starts = {1, 2, 3}, .skips = {1, 1, 1}, .films = {0}};
        const Batcher batcher = evaluationBatcher(settingsOf(3), 11, order);
        QCOMPARE(batcher.stepsPerEpoch(), std::int64_t{4});
        QCOMPARE(batcher.rowCounts(), (Examples{3, 2}));
        std::vector<Examples> shown;
        for (DataPosition at; at.epoch == 0; at = batcher.after(batcher.at(at))) {
            shown.push_back(examplesOf(batcher, batcher.at(at)));
        }
        QCOMPARE(shown, (std::vector<Examples>{{0, 4, 8}, {1, 5, 9}, {2, 6, 10}, {3, 7}}));
        QCOMPARE(beginsOf(batcher, batcher.at({0, 9})), (Begins{0, 0}));
    }
    QCOMPARE(
        examplesOf(evaluationBatcher(settingsOf(3), 2, {.watch = MovieOrder::byList}), {{}, 2}),
        (Examples{0, 1}));
    const Batcher random = evaluationBatcher(settingsOf(3), 11, {.watch = MovieOrder::random});
    QCOMPARE(examplesOf(random, random.at({0, 3})), (Examples{3, 4, 5}));
}

void TestBatcher::takesTheSourcesOrderBeforeTheDesigns() {
    DataSettings settings = settingsOf(4);
    QVERIFY(!trainingBatcher(settings, 9, 1, {.watch = MovieOrder::byFile}).settings().isShuffled);
    settings.order = "file";
    QVERIFY(trainingBatcher(settings, 9, 1, {.watch = MovieOrder::random}).settings().isShuffled);
    QVERIFY(overriddenOrderText(settings, {.watch = MovieOrder::random}).find("random") !=
            std::string::npos);
    QVERIFY(overriddenOrderText(settings, {.watch = MovieOrder::byList}).empty());
    QVERIFY(overriddenOrderText(settings, {}).empty());
    settings.order = "shuffled";
    QVERIFY(overriddenOrderText(settings, {.watch = MovieOrder::byList}).find("by_list") !=
            std::string::npos);
    QVERIFY(overriddenOrderText(settings, {.watch = MovieOrder::random}).empty());
    // Each element has a film of its own to watch, so that none may be missing.
    QCOMPARE(trainingBatcher(settings, 9, 1, {.watch = MovieOrder::byList}).rowCounts(),
             (Examples{4}));
    const auto error =
        errorOf([&] { (void)trainingBatcher(settings, 3, 1, {.watch = MovieOrder::byList}); });
    QVERIFY(error && error->problem().starts_with("data.batch is 4"));
}

void TestBatcher::refusesStartsThatAreNotOneForEachElement() {
    const auto saidOf = [](Examples starts, Examples skips) {
        const ExampleOrder order{
            .watch = MovieOrder::given, .starts = std::move(starts), .skips = std::move(skips)};
        const auto error = errorOf([&] { (void)trainingBatcher(settingsOf(2), 10, 3, order); });
        return error ? error->problem() : std::string();
    };
    QVERIFY(saidOf({0, 1, 2}, {1, 1}).find("starts has 3 numbers") != std::string::npos);
    QVERIFY(saidOf({0, 1}, {1}).find("skips has 1 numbers") != std::string::npos);
    QVERIFY(saidOf({0, 10}, {1, 1}).find("example 10") != std::string::npos);
    QCOMPARE(saidOf({0, 9}, {1, 1}), std::string());
}

} // namespace weft

std::unique_ptr<QObject> makeTestBatcher() { return std::make_unique<weft::TestBatcher>(); }
#include "tst_batcher.moc"
