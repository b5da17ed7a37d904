// SPDX-License-Identifier: Apache-2.0
// Every wait between the streams of a program is there for something: left out, the stand-in finds
// two steps that nothing orders, or the wait was implied by others and the numbers stay.

#include "backends/backends.h"
#include "contract/layers/layer_training.h"
#include "place/place.h"
#include "run/checkpoint/checkpoint.h"
#include "run/execute/worker_pool.h"
#include "schedule/schedule.h"
#include "support/fed_pool.h"
#include <weft/error.h>

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

/// One step of the program on the stand-in, a wait left out where one is named by its number.
class OneStep {
public:
    OneStep(std::shared_ptr<const Graph> graph, const OpList& ops, std::int64_t integersBelow)
        : integersBelow_(integersBelow) {
        backends::fill(backends_);
        PlacementResult placing = place(std::move(graph), ops, {.devices = {"sim:0"}});
        plan_ = std::make_shared<const Plan>(std::move(placing.plan));
        const Backend& backend = *backends_.find("sim");
        program_ = schedule(plan_, DeviceId{0}, backend, backend.find().front(),
                            {.order = "dataflow",
                             .streams = 3,
                             .seed = 3,
                             .fallback = &backends_.find("reference")->kernels});
    }

    [[nodiscard]] int waits() const {
        int count = 0;
        for (const Step& step : program_.steps) {
            count += static_cast<int>(step.waits.size());
        }
        return count;
    }

    /// The loss and the sums of all slots; throws what the stand-in finds.
    [[nodiscard]] std::vector<double> run(int without) const;

private:
    BackendList backends_;
    std::shared_ptr<const Plan> plan_;
    Program program_;
    std::int64_t integersBelow_;
};

std::vector<double> OneStep::run(int without) const {
    Program program = program_;
    int number = 0;
    for (Step& step : program.steps) {
        std::erase_if(step.waits, [&](const StepWait&) { return number++ == without; });
    }
    WorkerPool pool(openDevices(backends_, 1, "sim", 1), nullptr, false);
    pool.prepare([&](const LocalDevice&) { return std::vector{program}; });
    initialiseSlots(pool, 5);
    feed(pool, 0, *plan_->graph, 0, [&](const std::string&) { return integersBelow_; });
    pool.run(0);
    std::vector<double> numbers{lossOf(pool, 0, *plan_->graph)};
    for (std::size_t s = 0; s < plan_->graph->slots.size(); ++s) {
        std::ranges::copy(gather(pool, *plan_->graph, s, {}), std::back_inserter(numbers));
    }
    return numbers;
}

} // namespace

class TestDroppedWaits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areMissed() {
        const Lowerings lowerings;
        int waits = 0;
        int found = 0;
        for (const LayerTraining& training : layerTrainings(lowerings)) {
            if (!training.graph) {
                continue;
            }
            const OneStep step(training.graph, lowerings.ops(), training.integersBelow);
            const std::vector<double> whole = step.run(-1);
            for (int without = 0; without < step.waits(); ++without) {
                ++waits;
                try {
                    const std::string text = training.name + ", wait " + std::to_string(without);
                    QVERIFY2(step.run(without) == whole, text.c_str());
                } catch (const Error& error) {
                    QVERIFY2(error.code() == ErrorCode::device, error.what());
                    ++found;
                }
            }
        }
        qInfo("%d waits, %d of them missed", waits, found);
        QVERIFY(waits > 100);
        QVERIFY(found > waits / 2);
    }
};

std::unique_ptr<QObject> makeTestDroppedWaits() { return std::make_unique<TestDroppedWaits>(); }
#include "tst_dropped_waits.moc"
