// SPDX-License-Identifier: Apache-2.0
#include "data/prefetch.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"
#include "support/heap.h"

#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

namespace weft {

using namespace std::chrono_literals;
using test::errorOf;
using test::MadeSource;
using Ids = std::vector<std::int64_t>;

class TestPrefetch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void deliversBatchesInOrder();
    void goesOnWhereARunStopped();
    void fillsEveryWorkersRows();
    void readsNoFurtherThanItsRing();
    void handsOnTheReadersErrorAfterWhatWasGood();
    void namesTheWaitThatTookTooLong();
    void wakesTheConsumerWhenStopped();
    void endsWhileTheReaderWaitsOrReads();
    void saysWhereARowBeginsAnew();
    void tellsTheSourceItsEpoch();
    void allocatesNothingInSteadyState();
};

namespace {

/// Buffers for whole batches of MadeSource's ids, and the ring over them.
struct Ring {
    Ring(const Batcher& batcher, std::size_t count, DataPosition start = {})
        : ids(count, Ids(static_cast<std::size_t>(batcher.settings().batch))) {
        for (Ids& buffer : ids) {
            PrefetchSlot slot;
            for (const std::int64_t rows : batcher.rowCounts(start)) {
                const auto some = std::span(buffer).first(static_cast<std::size_t>(rows));
                slot.layouts.push_back({rows, {{1, 0, rows, std::as_writable_bytes(some)}}});
            }
            places.push_back(std::move(slot));
        }
    }

    [[nodiscard]] Ids taken(const Prefetch::FilledSlot& filled) const {
        const Ids& all = ids[filled.slot];
        return {all.begin(), all.begin() + filled.batch.rows};
    }

    std::vector<Ids> ids;
    std::vector<PrefetchSlot> places;
};

Deadline soon() { return Deadline(20s); }

/// Counts reads, holds them until let go, and fails at one example.
class WatchedSource final : public MadeSource {
public:
    using MadeSource::MadeSource;

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ++reads;
        isHeld.wait(true);
        for (const std::int64_t example : examples) {
            if (example == failsAt) {
                throw Error(ErrorCode::file, {.file = "gone.bin"}, "cannot be read",
                            "mount the disk");
            }
        }
        MadeSource::read(examples, field, destination);
    }
    void letGo() {
        isHeld = false;
        isHeld.notify_all();
    }

    mutable std::atomic<int> reads = 0;
    std::atomic<bool> isHeld = false;
    std::int64_t failsAt = -1;
};

} // namespace

void TestPrefetch::deliversBatchesInOrder() {
    const Batcher batcher({10, 4, LastBatch::keep, true, 3});
    Ring ring(batcher, 3);
    Prefetch prefetch(std::make_shared<MadeSource>(10), batcher, ring.places, {.name = "data"});
    for (std::int64_t step = 0; step < 20; ++step) {
        const auto filled = prefetch.take(soon());
        QVERIFY(filled.has_value());
        QCOMPARE(filled->batch, batcher.at({step / 3, step % 3 * 4}));
        Ids expected(static_cast<std::size_t>(filled->batch.rows));
        batcher.fill(filled->batch, 0, expected);
        QCOMPARE(ring.taken(*filled), expected);
        prefetch.give(filled->slot);
    }
}

void TestPrefetch::goesOnWhereARunStopped() {
    const Batcher batcher({10, 4, LastBatch::keep, false, 3});
    const DataPosition start{2, 3};
    Ring ring(batcher, 2, start);
    Prefetch prefetch(std::make_shared<MadeSource>(10), batcher, ring.places,
                      {.name = "data", .start = start, .batches = 3});
    std::vector<Ids> taken;
    while (const auto filled = prefetch.take(soon())) {
        taken.push_back(ring.taken(*filled));
        prefetch.give(filled->slot);
    }
    QCOMPARE(taken, (std::vector<Ids>{{3, 4, 5, 6}, {7, 8, 9}, {0, 1, 2, 3}}));
    QVERIFY(!prefetch.take(soon()).has_value());
}

void TestPrefetch::fillsEveryWorkersRows() {
    const Batcher batcher({8, 5, LastBatch::drop, false, 3});
    std::array<Ids, 2> ids = {Ids(3), Ids(2)};
    std::vector<float> x(10);
    PrefetchSlot slot{{{5,
                        {{1, 0, 3, std::as_writable_bytes(std::span(ids[0]))},
                         {1, 3, 5, std::as_writable_bytes(std::span(ids[1]))},
                         {0, 0, 5, std::as_writable_bytes(std::span(x))}}}}};
    Prefetch prefetch(std::make_shared<MadeSource>(8), batcher, {slot}, {.name = "data"});
    QVERIFY(prefetch.take(soon()).has_value());
    QCOMPARE(ids[0], (Ids{0, 1, 2}));
    QCOMPARE(ids[1], (Ids{3, 4}));
    QCOMPARE(x[9], 4.25F);
}

void TestPrefetch::readsNoFurtherThanItsRing() {
    const Batcher batcher({100, 1, LastBatch::keep, false, 3});
    Ring ring(batcher, 3);
    const auto source = std::make_shared<WatchedSource>(100);
    Prefetch prefetch(source, batcher, ring.places, {.name = "data"});
    // Three are taken and kept: a fourth read would need a place that is still taken.
    for (int i = 0; i < 3; ++i) {
        QVERIFY(prefetch.take(soon()).has_value());
    }
    QCOMPARE(source->reads.load(), 3);
    prefetch.give(1);
    prefetch.give(0);
    const auto next = prefetch.take(soon());
    QCOMPARE(next->slot, std::size_t{0});
    QCOMPARE(ring.taken(*next), Ids{3});
    QCOMPARE(ring.ids[2], Ids{2});
}

void TestPrefetch::handsOnTheReadersErrorAfterWhatWasGood() {
    const Batcher batcher({10, 2, LastBatch::keep, false, 3});
    Ring ring(batcher, 4);
    const auto source = std::make_shared<WatchedSource>(10);
    source->failsAt = 5;
    Prefetch prefetch(source, batcher, ring.places, {.name = "data"});
    QCOMPARE(ring.taken(*prefetch.take(soon())), (Ids{0, 1}));
    QCOMPARE(ring.taken(*prefetch.take(soon())), (Ids{2, 3}));
    for (int again = 0; again < 2; ++again) {
        const auto error = errorOf([&] { (void)prefetch.take(soon()); });
        QVERIFY(error.has_value());
        QCOMPARE(error->code(), ErrorCode::file);
        QCOMPARE(error->where().file, std::string("gone.bin"));
    }
}

void TestPrefetch::namesTheWaitThatTookTooLong() {
    const Batcher batcher({10, 2, LastBatch::keep, false, 3});
    Ring ring(batcher, 2);
    const auto source = std::make_shared<WatchedSource>(10);
    source->isHeld = true;
    Prefetch prefetch(source, batcher, ring.places, {.name = "training data"});
    const auto error = errorOf([&] { (void)prefetch.take(Deadline(1ms)); });
    source->letGo();
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::timeout);
    QVERIFY(error->problem().find("training data") != std::string::npos);
    // A limit that has passed spoils nothing.
    QCOMPARE(ring.taken(*prefetch.take(soon())), (Ids{0, 1}));
}

void TestPrefetch::wakesTheConsumerWhenStopped() {
    const Batcher batcher({10, 2, LastBatch::keep, false, 3});
    Ring ring(batcher, 2);
    const auto source = std::make_shared<WatchedSource>(10);
    source->isHeld = true;
    Prefetch prefetch(source, batcher, ring.places, {.name = "data"});
    std::jthread stopper([&] {
        while (source->reads == 0) {
            std::this_thread::yield();
        }
        prefetch.stop();
    });
    const auto error = errorOf([&] { (void)prefetch.take(soon()); });
    source->letGo();
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::stopped);
}

void TestPrefetch::endsWhileTheReaderWaitsOrReads() {
    const Batcher batcher({10, 2, LastBatch::keep, true, 3});
    for (int round = 0; round < 200; ++round) {
        Ring ring(batcher, 2);
        Prefetch prefetch(std::make_shared<MadeSource>(10), batcher, ring.places, {.name = "data"});
        for (int taken = 0; taken < round % 4; ++taken) {
            const auto filled = prefetch.take(soon());
            QVERIFY(filled.has_value());
            prefetch.give(filled->slot);
        }
    }
}

void TestPrefetch::saysWhereARowBeginsAnew() {
    // The source's own field holds the numbers of examples: 1 stands where none of them does.
    const Batcher batcher({.examples = 8,
                           .batch = 2,
                           .lastBatch = LastBatch::drop,
                           .order = {.watch = MovieOrder::byList, .films = {0, 6}, .begins = 0}});
    std::vector<float> x(2);
    const PrefetchSlot slot{{{2, {{0, 0, 2, std::as_writable_bytes(std::span(x))}}}}};
    Prefetch prefetch(std::make_shared<MadeSource>(8, Shape{}), batcher, {slot}, {.name = "data"});
    for (const std::vector<float>& expected :
         {std::vector<float>{1, 1}, std::vector<float>{1, 5}, std::vector<float>{2, 1},
          std::vector<float>{3, 7}, std::vector<float>{1, 1}}) {
        const auto filled = prefetch.take(soon());
        QCOMPARE(x, expected);
        prefetch.give(filled->slot);
    }
}

void TestPrefetch::tellsTheSourceItsEpoch() {
    struct Told final : MadeSource {
        using MadeSource::MadeSource;
        void readIn(std::int64_t epoch, std::span<const std::int64_t> examples, std::size_t field,
                    std::span<std::byte> destination) const override {
            read(examples, field, destination);
            std::memcpy(destination.data(), &epoch, sizeof(epoch));
        }
    };
    const Batcher batcher({4, 2, LastBatch::drop, false, 3});
    Ring ring(batcher, 1);
    Prefetch prefetch(std::make_shared<Told>(4), batcher, ring.places, {.name = "data"});
    for (std::int64_t step = 0; step < 6; ++step) {
        const auto filled = prefetch.take(soon());
        QCOMPARE(ring.taken(*filled).front(), step / 2);
        prefetch.give(filled->slot);
    }
}

void TestPrefetch::allocatesNothingInSteadyState() {
    const Batcher batcher({103, 10, LastBatch::keep, true, 3});
    Ring ring(batcher, 3);
    Prefetch prefetch(std::make_shared<MadeSource>(103), batcher, ring.places, {.name = "data"});
    const auto step = [&] {
        const auto filled = prefetch.take(soon());
        prefetch.give(filled->slot);
    };
    step();
    const std::int64_t before = test::allocations();
    for (int i = 0; i < 100; ++i) {
        step();
    }
    QCOMPARE(test::allocations() - before, std::int64_t{0});
}

} // namespace weft

std::unique_ptr<QObject> makeTestPrefetch() { return std::make_unique<weft::TestPrefetch>(); }
#include "tst_prefetch.moc"
