// SPDX-License-Identifier: Apache-2.0
// The stand-in's streams see what they are there to see: a training loop on three streams (copies,
// computing, communication) with one mistake planted at a time, under many orders.

#include "support/sim/sim_backend.h"
#include "support/sim/streams.h"
#include <weft/error.h>

#include <QTest>
#include <array>
#include <cmath>

using namespace weft;
using namespace weft::sim;

namespace {

enum class Mistake : std::uint8_t {
    none,
    computesBeforeTheBatchIsThere,
    copiesOverABatchInUse,
    sendsBeforeTheGradient,
    updatesBeforeTheSum,
    readsTheLossEarly,
    freesWhatIsInUse
};

constexpr int streamsSeeds = 50;
constexpr std::int64_t whole = 4 * sizeof(double);

struct Loop {
    explicit Loop(unsigned seed) : streams(seed) {
        for (std::array<double, 4>* memory : {&batch, &gradient, &sum, &weights, &loss}) {
            streams.own(memory->data(), whole);
        }
        copying = streams.add();
        computing = streams.add();
        sending = streams.add();
    }

    Use reads(const std::array<double, 4>& memory) const { return {memory.data(), whole, false}; }
    Use writes(const std::array<double, 4>& memory) const { return {memory.data(), whole, true}; }

    /// Weights after some steps; throws what the streams find.
    double run(Mistake mistake) {
        for (int step = 0; step < 4; ++step) {
            streams.enqueue(copying, "copy", {writes(batch)},
                            [this, step] { batch.fill(step + 1); });
            const sim::Point there = streams.leave(copying);
            if (mistake != Mistake::computesBeforeTheBatchIsThere) {
                streams.waitFor(computing, there);
            }
            streams.enqueue(computing, "gradient",
                            {reads(batch), reads(weights), writes(gradient), writes(loss)}, [this] {
                                gradient.fill(weights[0] - batch[0]);
                                loss.fill(std::abs(gradient[0]));
                            });
            const sim::Point made = streams.leave(computing);
            if (mistake != Mistake::copiesOverABatchInUse) {
                streams.waitFor(copying, made);
            }
            if (mistake != Mistake::sendsBeforeTheGradient) {
                streams.waitFor(sending, made);
            }
            streams.enqueue(sending, "all-reduce", {reads(gradient), writes(sum)},
                            [this] { sum = gradient; });
            const sim::Point summed = streams.leave(sending);
            if (mistake != Mistake::updatesBeforeTheSum) {
                streams.waitFor(computing, summed);
            }
            streams.enqueue(computing, "update", {reads(sum), writes(weights)},
                            [this] { weights.fill(weights[0] - 0.5 * sum[0]); });
            if (mistake == Mistake::freesWhatIsInUse && step == 3) {
                streams.disown(sum.data(), whole);
            }
        }
        if (mistake != Mistake::readsTheLossEarly) {
            streams.finish(computing);
        }
        streams.touch("the host", reads(loss));
        streams.finish(computing);
        return weights[0];
    }

    Streams streams;
    int copying = 0;
    int computing = 0;
    int sending = 0;
    std::array<double, 4> batch{};
    std::array<double, 4> gradient{};
    std::array<double, 4> sum{};
    std::array<double, 4> weights{};
    std::array<double, 4> loss{};
};

} // namespace

class TestStreams : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatIsPlanted_data() {
        QTest::addColumn<int>("mistake");
        QTest::newRow("none") << static_cast<int>(Mistake::none);
        QTest::newRow("computes before the batch is there")
            << static_cast<int>(Mistake::computesBeforeTheBatchIsThere);
        QTest::newRow("copies over a batch in use")
            << static_cast<int>(Mistake::copiesOverABatchInUse);
        QTest::newRow("sends before the gradient")
            << static_cast<int>(Mistake::sendsBeforeTheGradient);
        QTest::newRow("updates before the sum") << static_cast<int>(Mistake::updatesBeforeTheSum);
        QTest::newRow("reads the loss early") << static_cast<int>(Mistake::readsTheLossEarly);
        QTest::newRow("frees what is in use") << static_cast<int>(Mistake::freesWhatIsInUse);
    }
    void findsWhatIsPlanted() {
        QFETCH(int, mistake);
        const auto planted = static_cast<Mistake>(mistake);
        int found = 0;
        for (unsigned seed = 0; seed < streamsSeeds; ++seed) {
            Loop loop(seed);
            try {
                const double weights = loop.run(planted);
                if (planted == Mistake::none) {
                    QCOMPARE(weights, 3.0625); // 0.5, 1.25, 2.125, 3.0625
                }
            } catch (const Error&) {
                ++found;
            }
        }
        QCOMPARE(found, planted == Mistake::none ? 0 : streamsSeeds);
    }

    /// A failure is reported to the next waiting thread, and cancels everything after it.
    void tellsWhatFailed() {
        Streams streams(3);
        const int one = streams.add();
        bool hasRun = false;
        try {
            streams.enqueue(one, "fails", {},
                            [] { throw Error(ErrorCode::device, {}, "out of order", "mend it"); });
            streams.enqueue(one, "after it", {}, [&] { hasRun = true; });
            streams.finish(one);
            QFAIL("nothing was told");
        } catch (const Error& error) {
            QVERIFY(std::string(error.what()).find("out of order") != std::string::npos);
        }
        QVERIFY(!hasRun);
    }

    /// The first event of a run stands behind work that is queued.
    void eventsAreOfTheHostsClock() {
        const auto device = simBackend().open("sim:0", 1);
        const auto stream = device->makeStream(0, 1);
        std::int64_t ran = 0;
        stream->call([&] { ran = nowNanoseconds(); });
        const auto event = stream->makeEvent();
        stream->leave(*event);
        stream->finish();
        QVERIFY(event->time() >= ran);
        QVERIFY(event->time() <= nowNanoseconds());
    }
};

std::unique_ptr<QObject> makeTestStreams() { return std::make_unique<TestStreams>(); }
#include "tst_streams.moc"
