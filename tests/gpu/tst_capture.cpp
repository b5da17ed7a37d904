// SPDX-License-Identifier: Apache-2.0
// Stream capture: operations are recorded, replayed unchanged, and refused if incomplete; each flaw
// is planted, under many orders. Also the parts of a program that a device replays, and where the
// host splits it.

#include "backends/backends.h"
#include "contract/layers/layer_training.h"
#include "place/place.h"
#include "schedule/predict/simulate.h"
#include "schedule/program_parts.h"
#include "schedule/schedule.h"
#include "support/sim/streams.h"
#include <weft/error.h>

#include <QTest>
#include <array>

using namespace weft;
using namespace weft::sim;
using namespace weft::test;

namespace {

enum class Flaw : std::uint8_t {
    none,
    doesNotWaitWithin, ///< a captured stream for another
    doesNotJoin,
    waitsForWhatIsNotCaptured,
    hostWaitsMeanwhile,
    hostAsksForAnEventOfIt,
    forgetsTheBatch ///< the repetition is not behind the copy that it reads
};

constexpr unsigned captureSeeds = 50;
constexpr std::int64_t wholeMemory = 4 * sizeof(double);
using Memory = std::array<double, 4>;

struct CapturedLoop {
    explicit CapturedLoop(unsigned seed) : streams(seed) {
        for (Memory* memory : {&batch, &gradient, &weights}) {
            streams.own(memory->data(), wholeMemory);
        }
        copying = streams.add();
        computing = streams.add();
        beside = streams.add();
    }

    static Use reads(const Memory& memory) { return {memory.data(), wholeMemory, false}; }
    static Use writes(const Memory& memory) { return {memory.data(), wholeMemory, true}; }

    /// Gradient beside, update in the stream that captures.
    std::shared_ptr<const Recording> capture(Flaw flaw) {
        const sim::Point before = streams.leave(copying);
        streams.beginCapture(computing);
        streams.waitFor(beside, streams.leave(computing));
        if (flaw == Flaw::waitsForWhatIsNotCaptured) {
            streams.waitFor(beside, before);
        }
        streams.enqueue(beside, "gradient", {reads(batch), reads(weights), writes(gradient)},
                        [this] { gradient.fill(weights[0] - batch[0]); });
        const sim::Point made = streams.leave(beside);
        if (flaw != Flaw::doesNotWaitWithin && flaw != Flaw::doesNotJoin) {
            streams.waitFor(computing, made);
        }
        if (flaw == Flaw::hostWaitsMeanwhile) {
            streams.finish(computing);
        }
        if (flaw == Flaw::hostAsksForAnEventOfIt) {
            (void)streams.hasEnded(made);
        }
        streams.enqueue(computing, "update", {reads(gradient), writes(weights)},
                        [this] { weights.fill(weights[0] - 0.5 * gradient[0]); });
        if (flaw == Flaw::doesNotWaitWithin) {
            streams.waitFor(computing, made);
        }
        return streams.endCapture(computing);
    }

    /// Weights after some steps; throws what the streams find.
    double run(Flaw flaw) {
        const std::shared_ptr<const Recording> captured = capture(flaw);
        for (int step = 0; step < 4; ++step) {
            streams.enqueue(copying, "copy", {writes(batch)},
                            [this, step] { batch.fill(step + 1); });
            if (flaw != Flaw::forgetsTheBatch) {
                streams.waitFor(computing, streams.leave(copying));
            }
            streams.repeat(computing, *captured);
            streams.waitFor(copying, streams.leave(computing));
        }
        streams.finish(computing);
        streams.touch("the host", reads(weights));
        return weights[0];
    }

    Streams streams;
    int copying = 0;
    int computing = 0;
    int beside = 0;
    Memory batch{};
    Memory gradient{};
    Memory weights{};
};

int foundOf(Flaw flaw) {
    int found = 0;
    for (unsigned seed = 0; seed < captureSeeds; ++seed) {
        CapturedLoop loop(seed);
        try {
            const double weights = loop.run(flaw);
            [&] { QCOMPARE(weights, 3.0625); }(); // 0.5, 1.25, 2.125, 3.0625
        } catch (const Error&) {
            ++found;
        }
    }
    return found;
}

} // namespace

class TestCapture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void repeatsWhatWasSaid() { QCOMPARE(foundOf(Flaw::none), 0); }

    void findsWhatIsPlanted() {
        for (const Flaw flaw :
             {Flaw::doesNotWaitWithin, Flaw::doesNotJoin, Flaw::waitsForWhatIsNotCaptured,
              Flaw::hostWaitsMeanwhile, Flaw::hostAsksForAnEventOfIt, Flaw::forgetsTheBatch}) {
            const std::string which = "flaw " + std::to_string(static_cast<int>(flaw));
            QVERIFY2(foundOf(flaw) == captureSeeds, which.c_str());
        }
    }

    /// Each step is in one part, behind all that it waits for, and what the host takes part in
    /// is alone.
    void cutsProgramsWhereTheHostTakesPart() {
        BackendList backends;
        backends::fill(backends);
        const Backend& backend = *backends.find("sim");
        const Lowerings lowerings;
        int whole = 0;
        int cut = 0;
        for (const LayerTraining& training : layerTrainings(lowerings)) {
            for (const std::size_t devices : {1, 2}) {
                if (!training.graph) {
                    continue;
                }
                PlacementRequest request{.devices = {"sim:0", "sim:1"}};
                request.devices.resize(devices);
                request.fallback.words = {AxisWord::data};
                PlacementResult placing = place(training.graph, lowerings.ops(), request);
                const Program program =
                    schedule(std::make_shared<const Plan>(std::move(placing.plan)), DeviceId{0},
                             backend, backend.find().front(),
                             {.order = "dataflow",
                              .streams = 3,
                              .fallback = &backends.find("reference")->kernels});
                const std::vector<ProgramPart> parts = partsOf(program);
                requireOrdered(program, parts, training.name);
                (parts.size() == 1 ? whole : cut) += 1;
            }
        }
        QVERIFY(whole > 10);
        QVERIFY(cut > 10);
    }

private:
    /// Each part's name says how many steps it has, and the parts together have all steps.
    static void requireNamed(const Program& program, const std::vector<ProgramPart>& parts,
                             const std::string& name) {
        const std::vector<SpanSite> steps = spanSitesOf(program);
        const std::vector<SpanSite> sites = spanSitesOf(program, parts);
        QCOMPARE(sites.size(), parts.size());
        Flops flops;
        for (const SpanSite& step : steps) {
            flops += step.flops;
        }
        for (std::size_t s = 0; s < sites.size(); ++s) {
            const std::size_t count = parts[s].steps.size();
            QCOMPARE(sites[s].kind == SpanKind::repeat, count > 1);
            QVERIFY2(count == 1 ? sites[s] == steps[parts[s].steps.front()]
                                : sites[s].op.starts_with(std::to_string(count) + " kernels, "),
                     name.c_str());
            flops = flops - sites[s].flops;
        }
        QCOMPARE(flops.count, std::int64_t{0});
    }

    static void requireOrdered(const Program& program, const std::vector<ProgramPart>& parts,
                               const std::string& name) {
        std::vector<int> in(program.steps.size(), -1);
        std::vector<std::vector<std::uint32_t>> streams(program.streams.size());
        for (std::uint32_t k = 0; k < program.steps.size(); ++k) {
            streams[program.steps[k].stream].push_back(k);
        }
        for (std::size_t s = 0; s < parts.size(); ++s) {
            for (const std::uint32_t k : parts[s].steps) {
                const Step& step = program.steps[k];
                QVERIFY2(in[k] < 0, name.c_str());
                in[k] = static_cast<int>(s);
                QCOMPARE(!isCapturable(program, step), !parts[s].isCapturable);
                QVERIFY(parts[s].isCapturable || parts[s].steps.size() == 1);
                for (const StepWait& wait : step.waits) {
                    QVERIFY2(in[streams[wait.stream][wait.count - 1]] >= 0, name.c_str());
                }
                QVERIFY(step.position == 0 || in[streams[step.stream][step.position - 1]] >= 0);
            }
        }
        QVERIFY2(std::ranges::find(in, -1) == in.end(), name.c_str());
        requireNamed(program, parts, name);
    }
};

std::unique_ptr<QObject> makeTestCapture() { return std::make_unique<TestCapture>(); }
#include "tst_capture.moc"
