// SPDX-License-Identifier: Apache-2.0
#include "observed.h"

#include "comm/world.h"
#include "compile/spread.h"
#include "run/checkpoint/selection.h"
#include "run/train/party.h"
#include "run/train/training_run.h"
#include <weft/design_file.h>

#include <fmt/format.h>

#include <cstring>

namespace weft::test {

namespace {

struct Prepared {
    Prepared(const std::string& text, int devices, const std::string& backend = "reference",
             bool hasObservedStep = false, const RecordedSelection* selection = nullptr,
             bool observes = false)
        : registry(makeRegistry()),
          design(parseDesign(text, registry->kinds).design),
          world(makeLoneWorld(false)) {
        std::vector<std::string> names;
        names.reserve(static_cast<std::size_t>(devices));
        for (int k = 0; k < devices; ++k) {
            names.push_back(backend + ":" + std::to_string(k));
        }
        spread = spreadOver(names, 1, 0);
        party = participantOf(*world, spread, {});
        RunRequest wanted{.design = &design, .registry = registry.get(), .devices = spread.devices};
        for (const DeviceId device : spread.local) {
            wanted.local.push_back(device.value);
        }
        wanted.party = &party;
        wanted.preparesObserved = hasObservedStep;
        wanted.selection = selection;
        wanted.observes = observes;
        run = std::make_unique<TrainingRun>(std::move(wanted));
    }

    std::unique_ptr<const Registry> registry;
    Design design;
    std::unique_ptr<World> world;
    RankSpread spread;
    RunParticipant party;
    std::unique_ptr<TrainingRun> run;
};

class Losses final : public TrainerListener {
public:
    void onStep(const StepReport& report, const WorkerPool& pool, std::size_t member) override {
        (void)pool;
        (void)member;
        all.push_back(report.loss);
    }
    void onEvaluation(const StepReport& report) override { (void)report; }
    void onCheckpoint(std::int64_t step, const std::string& path) override {
        (void)step;
        (void)path;
    }
    void onMessage(const std::string& text) override { (void)text; }
    std::vector<double> all = {};
};

} // namespace

std::string digitsDesign(const std::string& assign, double rate) {
    return fmt::format(R"({{"weft": 1, "name": "small", "assign": "{}",
 "data": {{"source": {{"kind": "digits", "with": {{"count": 100, "test_count": 0}}}},
  "feeds": {{"picture": "images", "digit": "labels"}}, "batch": 12}},
 "training": {{"optimizer": {{"kind": "sgd", "with": {{"momentum": 0.9}}}}, "learning_rate": {},
  "steps": 12, "checkpoint_every": 2}},
 "layers": [
  {{"id": 1, "name": "picture", "kind": "input", "with": {{"shape": [1, 28, 28]}}}},
  {{"id": 2, "name": "flat", "kind": "flatten"}},
  {{"id": 3, "name": "fc1", "kind": "dense", "with": {{"units": 14}}}},
  {{"id": 4, "name": "relu", "kind": "relu"}},
  {{"id": 5, "name": "fc2", "kind": "dense", "with": {{"units": 10}}}},
  {{"id": 6, "name": "digit", "kind": "input", "with": {{"dtype": "i64", "shape": []}}}},
  {{"id": 7, "name": "loss", "kind": "softmax_cross_entropy"}}],
 "wires": ["picture.y -> flat.x", "flat.y -> fc1.x", "fc1.y -> relu.x", "relu.y -> fc2.x",
  "fc2.y -> loss.logits", "digit.y -> loss.target"]}})",
                       assign, rate);
}

std::string hugeGradientsDesign() {
    std::string text = digitsDesign("data");
    const auto put = [&](const std::string& after, const std::string& what) {
        text.insert(text.find(after) + after.size(), what);
    };
    put(R"("with": {"units": 10)", R"(, "init": "constant", "init_scale": 0)");
    put(R"("kind": "softmax_cross_entropy")", R"(, "with": {"weight": 1e26})");
    return text;
}

std::optional<NotFinite> culpritOf(const std::string& design, const std::string& backend,
                                   bool hasObservedStep) {
    const Prepared prepared(design, 1, backend, hasObservedStep);
    const TrainingOutcome outcome = prepared.run->train();
    return outcome.end == TrainingEnd::notFinite ? outcome.culprit : std::nullopt;
}

ObservedSteps observedSteps(const std::string& design, int devices, int steps) {
    const Prepared prepared(design, devices);
    ObservedSteps observed;
    for (int step = 0; step < steps; ++step) {
        StepReport report;
        const std::vector<ObservedValue> values = prepared.run->observedStep(report);
        observed.losses.push_back(report.loss);
        observed.values.clear();
        observed.shapes.clear();
        for (const ObservedValue& value : values) {
            observed.shapes.emplace_back(value.name, value.value.shape);
            if (value.value.dtype == DType::f32) {
                std::vector<float> numbers(value.value.bytes.size() / sizeof(float));
                std::memcpy(numbers.data(), value.value.bytes.data(), value.value.bytes.size());
                observed.values[value.name] = std::move(numbers);
            }
        }
    }
    return observed;
}

std::vector<double> plainSteps(const std::string& design, int devices, int steps) {
    const Prepared prepared(design, devices);
    Losses losses;
    prepared.run->addListener(losses);
    prepared.run->train();
    losses.all.resize(static_cast<std::size_t>(steps));
    return losses.all;
}

std::string selectionOf(const std::string& design, int devices) {
    const Prepared prepared(design, devices);
    return selectionText(prepared.run->programSet(), prepared.run->pool());
}

std::string selectionAfter(const std::string& design, const std::string& backend,
                           const std::string& before, bool groups) {
    const RecordedSelection kept(before);
    const Prepared prepared(design, 1, backend, false, &kept, !groups);
    return selectionText(prepared.run->programSet(), prepared.run->pool());
}

std::vector<std::string> changesOf(const std::string& before, const std::string& now) {
    return changedSelections(before, now);
}

} // namespace weft::test
