// SPDX-License-Identifier: Apache-2.0
#include "contract/sharing/sync_training.h"

#include "comm/world.h"
#include "compile/registry.h"
#include "compile/spread.h"
#include "data/arrays/safetensors.h"
#include "run/train/party.h"
#include "run/train/training_run.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <sstream>
#include <utility>

namespace weft::test {

namespace {

const char* const denseText = R"({"weft": 1, "name": "dense",
 "data": {"source": {"kind": "random", "with": {"shape": [6], "classes": 4, "count": 20}},
  "feeds": {"x": "images", "digit": "labels"}, "batch": 6},
 "training": {"optimizer": "sgd", "learning_rate": 0.2},
 "layers": [
  {"id": 1, "name": "x", "kind": "input", "with": {"shape": [6]}},
  {"id": 2, "name": "fc1", "kind": "dense", "with": {"units": 6}},
  {"id": 3, "name": "tanh", "kind": "tanh"},
  {"id": 4, "name": "fc2", "kind": "dense", "with": {"units": 4}},
  {"id": 5, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 6, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["x.y -> fc1.x", "fc1.y -> tanh.x", "tanh.y -> fc2.x", "fc2.y -> loss.logits",
  "digit.y -> loss.target"]})";

const char* const convText = R"({"weft": 1, "name": "conv",
 "data": {"source": {"kind": "random", "with": {"shape": [2, 5, 5], "classes": 4, "count": 20}},
  "feeds": {"x": "images", "digit": "labels"}, "batch": 6},
 "training": {"optimizer": {"kind": "adamw", "with": {"epsilon": 0.01, "weight_decay": 0.05}},
  "learning_rate": 0.05, "clip_norm": 0.5,
  "schedule": {"kind": "cosine", "with": {"warmup_steps": 2, "steps": 9}}},
 "layers": [
  {"id": 1, "name": "x", "kind": "input", "with": {"shape": [2, 5, 5]}},
  {"id": 2, "name": "conv", "kind": "conv2d", "with": {"filters": 4, "kernel": [3, 3]}},
  {"id": 3, "name": "norm", "kind": "batch_norm"},
  {"id": 4, "name": "relu", "kind": "relu"},
  {"id": 5, "name": "flat", "kind": "flatten"},
  {"id": 6, "name": "drop", "kind": "dropout", "with": {"rate": 0.3}},
  {"id": 7, "name": "fc2", "kind": "dense", "with": {"units": 4}},
  {"id": 8, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 9, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["x.y -> conv.x", "conv.y -> norm.x", "norm.y -> relu.x", "relu.y -> flat.x",
  "flat.y -> drop.x", "drop.y -> fc2.x", "fc2.y -> loss.logits", "digit.y -> loss.target"]})";

const char* const attentionText = R"({"weft": 1, "name": "attention",
 "data": {"source": {"kind": "random",
   "with": {"values": "ids", "shape": [5], "classes": 7, "count": 20}},
  "feeds": {"ids": "ids", "next": "targets"}, "batch": 6},
 "training": {"optimizer": {"kind": "sgd", "with": {"momentum": 0.8, "weight_decay": 0.02}},
  "learning_rate": 0.1},
 "layers": [
  {"id": 1, "name": "ids", "kind": "input", "with": {"dtype": "i64", "shape": [5]}},
  {"id": 2, "name": "table", "kind": "embedding", "with": {"rows": 7, "features": 8}},
  {"id": 3, "name": "look", "kind": "attention", "with": {"heads": 2, "causal": true}},
  {"id": 4, "name": "fc2", "kind": "dense", "with": {"units": 7}},
  {"id": 5, "name": "next", "kind": "input", "with": {"dtype": "i64", "shape": [5]}},
  {"id": 6, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["ids.y -> table.ids", "table.y -> look.x", "look.y -> fc2.x", "fc2.y -> loss.logits",
  "next.y -> loss.target"]})";

const char* const setsText = R"({"weft": 1, "name": "sets",
 "data": {"source": {"kind": "random", "with": {"shape": [1, 5, 5], "classes": 4, "count": 20}},
  "feeds": {"x": "images", "digit": "labels"}, "batch": 6, "last_batch": "drop"},
 "training": {"optimizer": {"kind": "sgd", "with": {"momentum": 0.5}}, "learning_rate": 0.05},
 "layers": [
  {"id": 1, "name": "x", "kind": "input", "with": {"shape": [1, 5, 5]}},
  {"id": 2, "name": "own", "kind": "conv2d",
   "with": {"filters": 2, "kernel": [3, 3], "per_element": true}},
  {"id": 3, "name": "tanh", "kind": "tanh"},
  {"id": 4, "name": "local", "kind": "conv2d",
   "with": {"filters": 2, "kernel": [2, 2], "per_position": true}},
  {"id": 5, "name": "both", "kind": "conv2d",
   "with": {"filters": 2, "kernel": [1, 1], "per_element": true, "per_position": true}},
  {"id": 6, "name": "flat", "kind": "flatten"},
  {"id": 7, "name": "fc2", "kind": "dense", "with": {"units": 4, "per_element": true}},
  {"id": 8, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 9, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["x.y -> own.x", "own.y -> tanh.x", "tanh.y -> local.x", "local.y -> both.x",
  "both.y -> flat.x", "flat.y -> fc2.x", "fc2.y -> loss.logits", "digit.y -> loss.target"]})";

const char* const lcaText = R"({"weft": 1, "name": "lca",
 "data": {"source": {"kind": "random", "with": {"shape": [1, 8, 8], "classes": 4, "count": 20}},
  "feeds": {"x": "images"}, "batch": 6, "last_batch": "drop"},
 "training": {"optimizer": "sgd", "learning_rate": 0.1},
 "layers": [
  {"id": 1, "name": "x", "kind": "input", "with": {"shape": [1, 8, 8]}},
  {"id": 2, "name": "code", "kind": "lca",
   "with": {"atoms": 6, "kernel": [4, 4], "stride": [2, 2], "iterations": 6, "threshold": 0.3,
    "tau": 4.0, "two_sided": true, "count": "activations"}}],
 "wires": ["x.y -> code.x"]})";

const Registry& registry() {
    static const std::unique_ptr<const Registry> made = makeRegistry();
    return *made;
}

std::vector<double> numbersOf(const SafetensorsReader& reader, const TensorEntry& entry) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(elementsOf(entry.shape)) *
                                 byteSize(entry.dtype));
    reader.read(entry, 0, bytes);
    std::vector<double> numbers;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(float)) {
        float number = 0;
        std::memcpy(&number, bytes.data() + at, sizeof(number));
        numbers.push_back(static_cast<double>(number));
    }
    return numbers;
}

bool isLearnt(const PlanNode& node) {
    return node.name.ends_with("gradient") || node.name.ends_with("sync") ||
           node.name.starts_with("gradients ") || node.name.starts_with("sync ");
}

/// Returns the bytes sent for the training's own updates, or for everything else.
std::int64_t bytesSent(const Plan& plan, bool isForUpdates) {
    std::vector<std::int64_t> sent(plan.devices.size(), 0);
    for (const PlanNode& node : plan.nodes) {
        if (node.node.isNone() && isLearnt(node) == isForUpdates) {
            std::ranges::transform(sent, elementsSent(plan, node), sent.begin(), std::plus{});
        }
    }
    return sent.empty() ? 0 : std::ranges::max(sent) * static_cast<std::int64_t>(sizeof(float));
}

class Told final : public TrainerListener {
public:
    Told(SyncOutcome& outcome, const TrainingRun& run, std::filesystem::path folder)
        : outcome_(outcome), run_(run), folder_(std::move(folder)) {}

    void onStep(const StepReport& report, const WorkerPool& pool, std::size_t member) override {
        (void)pool;
        const Variant& ran = run_.programSet().members[member];
        outcome_.losses.push_back(report.loss);
        outcome_.norms.push_back(report.gradientNorm);
        outcome_.rates.push_back(report.learningRate);
        outcome_.members.push_back(ran.plan->graph->name);
        outcome_.sent += bytesSent(*ran.plan, true);
        outcome_.sentElse += bytesSent(*ran.plan, false);
    }
    void onEvaluation(const StepReport& report) override { (void)report; }
    void onCheckpoint(std::int64_t step, const std::string& path) override {
        (void)step;
        outcome_.file = folder_ / path;
    }
    void onMessage(const std::string& text) override { (void)text; }

private:
    SyncOutcome& outcome_;
    const TrainingRun& run_;
    std::filesystem::path folder_; ///< folder of the run
};

} // namespace

Design syncDesign(const std::string& net) {
    const bool isSparse = net.starts_with("lca");
    const char* text = net == "dense"  ? denseText
                       : net == "conv" ? convText
                       : net == "sets" ? setsText
                       : isSparse      ? lcaText
                                       : attentionText;
    LoadedDesign loaded = parseDesign(text, registry().kinds);
    loaded.design.data.order = "file";
    for (const char* shared : {"per_element", "per_position"}) {
        if (isSparse && net.find(shared) != std::string::npos) {
            loaded.design.network.layers.back().attributes.set(shared, true);
        }
    }
    return loaded.design;
}

std::string nameOf(const SyncSettings& settings) {
    return fmt::format("every {}, period {}, from {}{}", settings.every, settings.period,
                       settings.first, settings.isLate ? ", late" : "");
}

void spreadBy(Design& design, const std::string& words, std::size_t devices) {
    std::istringstream parts(words);
    std::string part;
    while (std::getline(parts, part, ',')) {
        std::istringstream in(part);
        Assignment assignment;
        std::string layer;
        std::string word;
        while (in >> word) {
            if (word == "on") {
                in >> layer;
            } else {
                assignment.words.push_back(*axisWordNamed(word));
            }
        }
        if (assignment.words.size() == 2) {
            assignment.mesh = {2, static_cast<std::int64_t>(devices) / 2};
        }
        if (layer.empty()) {
            design.assignment = assignment;
            continue;
        }
        const auto found = std::ranges::find(design.network.layers, layer, &Layer::name);
        ensure(found != design.network.layers.end(), "a layer that is spread is there");
        found->assignment = assignment;
    }
}

namespace {

/// A run with all that has to outlive it.
class Training {
public:
    explicit Training(const SyncRun& asked, bool observes = false)
        : design_(asked.design), world_(makeLoneWorld(asked.isStepped)) {
        design_.training.syncEvery = asked.settings.every;
        design_.training.updatePeriod = asked.settings.period;
        design_.training.firstUpdate = asked.settings.first;
        design_.training.sync = asked.settings.isLate ? "one period late" : "at once";
        design_.training.steps = asked.steps;
        design_.training.checkpointEvery = asked.steps + 1; // at the end alone
        std::vector<std::string> names;
        for (std::size_t k = 0; k < asked.devices; ++k) {
            names.push_back(fmt::format("{}:{}", asked.backend, k));
        }
        const RankSpread spread = spreadOver(names, 1, 0);
        party_ = participantOf(*world_, spread, {});
        party_.isStepped = asked.isStepped;
        RunRequest wanted{.design = &design_, .registry = &registry(), .devices = spread.devices};
        for (const DeviceId device : spread.local) {
            wanted.local.push_back(device.value);
        }
        wanted.cores = static_cast<int>(asked.devices);
        wanted.party = &party_;
        wanted.checkpoint = asked.checkpoint;
        wanted.observes = observes;
        run_ = std::make_unique<TrainingRun>(std::move(wanted));
    }

    TrainingRun& run() { return *run_; }

private:
    Design design_;
    std::unique_ptr<World> world_;
    RunParticipant party_;
    std::unique_ptr<TrainingRun> run_;
};

} // namespace

std::vector<Seen> seenSteps(const SyncRun& asked) {
    Training training(asked, true);
    std::vector<Seen> steps;
    for (std::int64_t step = 0; step < asked.steps; ++step) {
        StepReport report;
        Seen& seen = steps.emplace_back();
        for (ObservedValue& value : training.run().observedStep(report)) {
            seen[value.name] = std::move(value.value.bytes);
        }
    }
    return steps;
}

SyncOutcome trainSynced(const SyncRun& asked) {
    Training training(asked);
    TrainingRun& run = training.run();
    std::filesystem::create_directories(asked.folder);
    run.keepCheckpoints(asked.folder);
    SyncOutcome outcome;
    Told told(outcome, run, asked.folder.parent_path());
    run.addListener(told);
    static_cast<void>(run.train());
    for (const Variant& member : run.programSet().members) {
        outcome.plans.push_back(print(*member.plan));
    }
    const SafetensorsReader reader(outcome.file);
    for (const TensorEntry& entry : reader.entries()) {
        outcome.tensors[entry.name] = numbersOf(reader, entry);
    }
    return outcome;
}

std::map<std::string, std::vector<double>> whole(const SyncOutcome& outcome) {
    std::map<std::string, std::vector<double>> sums;
    for (const auto& [name, numbers] : outcome.tensors) {
        const std::size_t hash = name.find('#');
        std::vector<double>& sum = sums[name.substr(0, hash)];
        sum.resize(numbers.size(), 0);
        std::ranges::transform(sum, numbers, sum.begin(), std::plus{});
    }
    return sums;
}

double differenceOf(const SyncOutcome& a, const SyncOutcome& b, std::string& where) {
    double largest = 0;
    const auto note = [&](double difference, const std::string& name) {
        if (!(difference <= largest)) {
            largest = difference;
            where = name;
        }
    };
    note(a.losses.size() == b.losses.size() ? 0 : 1, "the number of steps");
    for (std::size_t k = 0; k < std::min(a.losses.size(), b.losses.size()); ++k) {
        note(std::abs(a.losses[k] - b.losses[k]), fmt::format("the loss of step {}", k + 1));
    }
    const auto ours = whole(a);
    const auto theirs = whole(b);
    note(ours.size() == theirs.size() ? 0 : 1, "the number of tensors");
    for (const auto& [name, numbers] : ours) {
        const auto other = theirs.find(name);
        if (other == theirs.end() || other->second.size() != numbers.size()) {
            note(1, name);
            continue;
        }
        double most = 1e-2;
        double difference = 0;
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            most = std::max(most, std::abs(numbers[k]));
            difference = std::max(difference, std::abs(numbers[k] - other->second[k]));
        }
        note(difference / most, name);
    }
    return largest;
}

} // namespace weft::test
