// SPDX-License-Identifier: Apache-2.0
#include "base/failure_text.h"
#include "base/text/json.h"
#include "base/text/text.h"
#include "comm/world.h"
#include "compile/set_programs.h"
#include "compile/spread.h"
#include "run/prove/choices.h"
#include "run/train/agreement.h"
#include "run/train/party.h"
#include "run/train/training_run.h"
#include "run/train/watchdog.h"
#include <weft/error.h>
#include <weft/launch.h>
#include <weft/prove.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace weft {

namespace {

/// The kind of a value, by its name. Differences are reported per kind.
enum class Sort : std::uint8_t { output, gradient, weights };

struct Compared {
    std::string name;
    Origin layer;
    Sort sort = Sort::output;
    double largest = 0;    ///< largest number on the one device
    double difference = 0; ///< absolute
};

std::vector<double> numbersOf(const Array& array) {
    std::vector<double> numbers(static_cast<std::size_t>(elementsOf(array.shape)));
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (array.dtype == DType::f64) {
            std::memcpy(&numbers[k], array.bytes.data() + k * sizeof(double), sizeof(double));
        } else {
            float x = 0;
            std::memcpy(&x, array.bytes.data() + k * sizeof(float), sizeof(float));
            numbers[k] = static_cast<double>(x);
        }
    }
    return numbers;
}

/// A number that is not finite differs infinitely from a finite one, and not at all from an equal
/// one.
double apart(double a, double b) {
    if (std::isnan(a) || std::isnan(b) || std::isinf(a) || std::isinf(b)) {
        const bool isSame = a == b || (std::isnan(a) && std::isnan(b));
        return isSame ? 0 : std::numeric_limits<double>::infinity();
    }
    return std::abs(a - b);
}

Sort sortOf(const std::string& name, const Graph& graph) {
    const bool isSlot = !graph.slotNamed(name).isNone();
    return name.ends_with(".gradient") ? Sort::gradient : isSlot ? Sort::weights : Sort::output;
}

bool isCompared(const Array& array) {
    return array.dtype == DType::f32 || array.dtype == DType::f64;
}

/// Differences are relative to the value's largest number, but at least to this share of the
/// largest number of its sort.
constexpr double leastScale = 1e-3;

Compared compare(const ObservedValue& one, const ObservedValue& spread, Sort sort) {
    Compared compared{.name = one.name, .layer = one.layer, .sort = sort};
    const std::vector<double> a = numbersOf(one.value);
    const std::vector<double> b = numbersOf(spread.value);
    for (std::size_t k = 0; k < a.size(); ++k) {
        compared.largest = std::max(compared.largest, std::abs(a[k]));
        compared.difference = std::max(compared.difference, apart(a[k], b[k]));
    }
    return compared;
}

/// A run prepared for observation, with everything that it needs.
struct Side {
    Side(const ProofRequest& request, const Design& design, std::vector<std::string> devices,
         const Registry& registry, World& world, Watchdog* watchdog)
        : spread(spreadOver(std::move(devices), world.ranks(), world.rank())),
          party(participantOf(world, spread, broadcastMachine(world), watchdog)) {
        RunRequest wanted{.design = &design, .registry = &registry, .devices = spread.devices};
        wanted.observes = true;
        for (const DeviceId device : spread.local) {
            wanted.local.push_back(device.value);
        }
        wanted.backend = request.backend;
        wanted.folders.base = request.folder;
        wanted.party = &party;
        run = std::make_unique<TrainingRun>(std::move(wanted));
    }

    RankSpread spread;
    RunParticipant party;
    std::unique_ptr<TrainingRun> run;
};

/// Removes the pool from the watchdog before the pool is destroyed.
class Unguarded {
public:
    explicit Unguarded(Watchdog& watchdog) : watchdog_(watchdog) {}
    ~Unguarded() { watchdog_.guard(static_cast<WorkerPool*>(nullptr)); }
    Unguarded(const Unguarded&) = delete;
    Unguarded& operator=(const Unguarded&) = delete;

private:
    Watchdog& watchdog_;
};

class Comparison {
public:
    explicit Comparison(const Graph& graph) : graph_(graph) {}

    void add(std::int64_t step, const std::vector<ObservedValue>& one,
             const std::vector<ObservedValue>& spread, Proof& proof) {
        std::vector<Compared> all;
        std::map<Sort, double> largest;
        for (const ObservedValue& value : one) {
            const auto other = std::ranges::find(spread, value.name, &ObservedValue::name);
            if (!isCompared(value.value) || other == spread.end() ||
                other->value.shape != value.value.shape) {
                continue;
            }
            all.push_back(compare(value, *other, sortOf(value.name, graph_)));
            largest[all.back().sort] = std::max(largest[all.back().sort], all.back().largest);
        }
        proof.values = static_cast<std::int64_t>(all.size());
        for (const Compared& compared : all) {
            const double scale = std::max(compared.largest, leastScale * largest[compared.sort]);
            note(layerOf(graph_.layerName(compared.layer), proof), compared,
                 compared.difference / std::max(scale, 1e-30), step);
        }
    }

    static void add(const std::vector<NearTieChoices::Count>& counts, Proof& proof) {
        for (const NearTieChoices::Count& count : counts) {
            LayerProof& layer = layerOf(count.layer, proof);
            layer.flipped += count.flipped;
            layer.mistaken += count.mistaken;
            proof.choices += count.choices;
        }
    }

    /// Returns how far apart the choices of a step may be, given the values of the spread devices.
    [[nodiscard]] TieLimit limitOf(const std::vector<ObservedValue>& spread,
                                   double tolerance) const {
        double largest = 0;
        for (const ObservedValue& value : spread) {
            if (isCompared(value.value) && sortOf(value.name, graph_) == Sort::output) {
                for (const double number : numbersOf(value.value)) {
                    largest = std::isfinite(number) ? std::max(largest, std::abs(number)) : largest;
                }
            }
        }
        return {.tolerance = tolerance, .slack = tolerance / 20, .floor = leastScale * largest};
    }

private:
    static LayerProof& layerOf(const std::string& name, Proof& proof) {
        const auto known = std::ranges::find(proof.layers, name, &LayerProof::layer);
        return known != proof.layers.end()
                   ? *known
                   : proof.layers.emplace_back(LayerProof{.layer = name, .worst = {}});
    }

    static void note(LayerProof& layer, const Compared& compared, double difference,
                     std::int64_t step) {
        if (difference > layer.largest()) {
            layer.worst = compared.name;
            layer.step = step;
        }
        double& sum = compared.sort == Sort::gradient  ? layer.gradient
                      : compared.sort == Sort::weights ? layer.weights
                                                       : layer.output;
        sum = std::max(sum, difference);
    }

    const Graph& graph_;
};

void forgetAssignments(Network& network) {
    for (Layer& layer : network.layers) {
        layer.assignment.reset();
    }
    for (Wire& wire : network.wires) {
        wire.scheme.clear();
    }
}

/// Adds layers in the order of computation, so that the first over the tolerance is where a
/// difference begins.
void addLayers(const Graph& graph, Proof& proof) {
    for (const Node& node : graph.nodes) {
        const std::string& name = graph.layerName(node.origin);
        const bool isNew =
            std::ranges::find(proof.layers, name, &LayerProof::layer) == proof.layers.end();
        if (node.pass == Pass::forward && !name.empty() && isNew) {
            proof.layers.push_back({.layer = name, .worst = {}});
        }
    }
}

/// True if any value is split over devices or moved between them.
bool isSpread(const Plan& plan) {
    return std::ranges::any_of(plan.nodes, [](const PlanNode& node) {
        return node.node.isNone() && node.collective != CollectiveKind::alias;
    });
}

/// Returns if all ranks have the same plan. Otherwise throws their failure.
void agree(const Side& spread, World& world, Watchdog& watchdog) {
    watchdog.guard(&spread.run->pool());
    watchdog.setActivity("the plan that all ranks agree on");
    watchdog.requireSamePlan(spread.run->programSet());
    compareFormats(spread.run->programSet(), spread.run->pool(), spread.spread.rankOf, world);
    watchdog.setActivity(nullptr);
}

/// Takes each step on all ranks, and then, on rank 0, on the one device. At near ties, the one
/// device uses the choices that the ranks made.
void compareSteps(const Side& spread, const Side& one, const ProofRequest& request, Proof& proof) {
    const Graph& graph = *one.run->programSet().members.front().plan->graph;
    addLayers(graph, proof);
    proof.hidden = layersOfHiddenChoices(graph);
    Comparison comparison(graph);
    for (std::int64_t step = 1; step <= request.steps; ++step) {
        StepReport ofOne;
        StepReport ofSpread;
        auto b = spread.run->observedStep(ofSpread, {.addWanted = NearTieChoices::addWanted});
        const TieLimit limit = comparison.limitOf(b, proof.tolerance);
        NearTieChoices choices(b, limit);
        const auto a = one.run->observedStep(
            ofOne,
            {.addWanted = [&](const Graph& member, auto& values) { choices.begin(member, values); },
             .change = [&](ValueId value, auto& plain) { return choices.align(value, plain); }});
        comparison.add(step, a, b, proof);
        Comparison::add(choices.counts(), proof);
        proof.loss = std::max(proof.loss, apart(ofOne.loss, ofSpread.loss) /
                                              std::max(std::abs(ofOne.loss), 1e-3));
    }
}

Proof proveIn(World& world, Watchdog& watchdog, const ProofRequest& request,
              const Registry& registry) {
    Proof proof{.devices = devicesOnRanks(request.design, request.devices, world.ranks()),
                .steps = request.steps};
    proof.tolerance = request.tolerance.value_or(usualTolerance(request.design.training));
    proof.isRounded = precisionOf(request.design.training) != Precision::exact;
    proof.ranks = world.ranks();
    proof.isOurs = world.rank() == 0;
    watchdog.setActivity(nullptr);
    const Side spread(request, request.design, proof.devices, registry, world, &watchdog);
    const Unguarded after(watchdog);
    agree(spread, world, watchdog);
    proof.isSpread = isSpread(*spread.run->programSet().members.front().plan);
    if (proof.isOurs) {
        // The one device uses the backend of the first spread device, if that is present.
        const Design alone = onOneDevice(request.design);
        const std::unique_ptr<World> here = makeLoneWorld(false);
        const Side one(request, alone, {spread.run->pool().device(0).local}, registry, *here,
                       nullptr);
        compareSteps(spread, one, request, proof);
    }
    for (std::int64_t step = 1; !proof.isOurs && step <= request.steps; ++step) {
        StepReport report;
        static_cast<void>(
            spread.run->observedStep(report, {.addWanted = NearTieChoices::addWanted}));
    }
    return proof;
}

std::int64_t sumOf(const std::vector<LayerProof>& layers, std::int64_t LayerProof::*count) {
    return std::transform_reduce(layers.begin(), layers.end(), std::int64_t{0}, std::plus<>(),
                                 [count](const LayerProof& layer) { return layer.*count; });
}

/// Returns the end of a line of the table.
std::string remarkOf(const LayerProof& layer, double tolerance) {
    std::string remark;
    if (!(layer.largest() <= tolerance)) {
        remark += fmt::format("  over: {} in step {}", layer.worst, layer.step);
    }
    if (layer.mistaken > 0) {
        remark += fmt::format("  {} choices differ although the numbers are not nearly equal",
                              countText(layer.mistaken));
    }
    return remark;
}

std::string choicesText(const Proof& proof) {
    std::string text;
    constexpr const char* choices = "choices (the sign before a ReLU, the position in a max pool)";
    if (proof.flipped() > 0) {
        text += fmt::format("{} of {} {} nearly tied and flipped; the step on one device used the "
                            "choices of the spread devices\n",
                            countText(proof.flipped()), countText(proof.choices), choices);
    }
    if (proof.mistaken() > 0) {
        text +=
            fmt::format("{} of {} {} differ although no numbers nearly tie: this is a mistake\n",
                        countText(proof.mistaken()), countText(proof.choices), choices);
    }
    if (!proof.hidden.empty()) {
        text += fmt::format("choices of {} cannot be compared: a flip counts "
                            "as a difference\n",
                            fmt::join(proof.hidden, ", "));
    }
    return text;
}

/// Returns "the loss" or a layer.
std::string firstThatDiffers(const Proof& proof) {
    const std::string first = proof.firstFailing();
    return first.empty() ? "the loss" : first;
}

Error notProved(const Proof& proof) {
    return {ErrorCode::numerics, Where{.layer = proof.firstFailing()},
            fmt::format("{} differs from the result of one device", firstThatDiffers(proof)),
            "see the table of differences above"};
}

} // namespace

double usualTolerance(const TrainingSettings& training) {
    switch (precisionOf(training)) {
    case Precision::tf32: return 1e-2;
    case Precision::bf16: return 5e-2;
    case Precision::exact: break;
    }
    return 1e-3;
}

double LayerProof::largest() const { return std::max({output, gradient, weights}); }

bool LayerProof::holds(double tolerance) const { return largest() <= tolerance && mistaken == 0; }

bool Proof::holds() const { return firstFailing().empty() && loss <= tolerance; }

std::string Proof::firstFailing() const {
    const auto over = std::ranges::find_if(
        layers, [this](const LayerProof& layer) { return !layer.holds(tolerance); });
    return over == layers.end() ? "" : over->layer;
}

std::int64_t Proof::flipped() const { return sumOf(layers, &LayerProof::flipped); }
std::int64_t Proof::mistaken() const { return sumOf(layers, &LayerProof::mistaken); }

Design onOneDevice(Design design) {
    design.assignment = {};
    design.devices.clear();
    forgetAssignments(design.network);
    for (GroupDefinition& group : design.groups) {
        forgetAssignments(group.network);
    }
    return design;
}

Proof prove(const ProofRequest& request) {
    RunControls controls;
    Watchdog watchdog(controls);
    Proof proof;
    try {
        watchdog.inWorld(
            [&](World& world) { proof = proveIn(world, watchdog, request, *makeRegistry()); });
        if (proof.ranks > 1 && proof.isOurs && !proof.holds()) {
            static_cast<void>(watchdog.reportFailure(notProved(proof), 0));
        }
    } catch (...) {
        const HostCause cause = watchdog.reportFailure(currentError(), 0);
        const bool isOurs = watchdog.isReporter();
        watchdog.farewell();
        if (isOurs) {
            throw cause.error;
        }
        return Proof{.isOurs = false};
    }
    watchdog.farewell();
    return proof;
}

std::string print(const Proof& proof) {
    std::string text = fmt::format("{:<32} {:>10} {:>10} {:>10} {:>8}\n", "largest difference",
                                   "output", "gradient", "weights", "flipped");
    for (const LayerProof& layer : proof.layers) {
        text += fmt::format("{:<32} {:>10.2e} {:>10.2e} {:>10.2e} {:>8}{}\n", layer.layer,
                            layer.output, layer.gradient, layer.weights, layer.flipped,
                            remarkOf(layer, proof.tolerance));
    }
    text += fmt::format("{:<32} {:>10.2e}\n", "loss", proof.loss) + choicesText(proof);
    if (!proof.isSpread) {
        return text +
               fmt::format(
                   "no value was split over devices or communicated, so nothing was proved: assign "
                   "layers to {}\n",
                   proof.devices.size() > 1
                       ? "several devices, with batch, data or model.stack"
                       : "several devices (for example with data), or name devices with --devices");
    }
    const std::string ranks = proof.ranks > 1 ? fmt::format(" of {} ranks", proof.ranks) : "";
    text += proof.holds()
                ? fmt::format("{} steps on {} devices{} match those of one device within {:g}\n",
                              proof.steps, proof.devices.size(), ranks, proof.tolerance)
                : fmt::format(
                      "the results differ from those of one device: {} is the first over {:g}\n",
                      firstThatDiffers(proof), proof.tolerance);
    if (!proof.holds() && proof.isRounded) {
        text += "training.precision rounds numbers: repeat with --set training.precision=exact to "
                "see whether rounding is the cause\n";
    }
    return text;
}

std::string toJson(const Proof& proof) {
    Json layers = Json::array();
    for (const LayerProof& layer : proof.layers) {
        layers.push_back({{"layer", layer.layer},
                          {"output", layer.output},
                          {"gradient", layer.gradient},
                          {"weights", layer.weights},
                          {"worst", layer.worst},
                          {"step", layer.step},
                          {"flipped", layer.flipped},
                          {"mistaken", layer.mistaken}});
    }
    return jsonText({{"holds", proof.holds()},
                     {"spread", proof.isSpread},
                     {"first_over", proof.firstFailing()},
                     {"tolerance", proof.tolerance},
                     {"steps", proof.steps},
                     {"devices", proof.devices},
                     {"ranks", proof.ranks},
                     {"values", proof.values},
                     {"choices", proof.choices},
                     {"flipped", proof.flipped()},
                     {"mistaken", proof.mistaken()},
                     {"not_looked_at", proof.hidden},
                     {"loss", proof.loss},
                     {"layers", std::move(layers)}},
                    2) +
           "\n";
}

} // namespace weft
