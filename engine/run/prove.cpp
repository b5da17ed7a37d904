// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "comm/world.h"
#include "run/party.h"
#include "run/spread.h"
#include "run/training_run.h"
#include <weft/error.h>
#include <weft/prove.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <thread>

namespace weft {

namespace {

/// What a value is of, by its name: differences of one sort are told together.
enum class Sort : std::uint8_t { output, gradient, weights };

struct Compared {
    std::string name;
    Origin layer;
    Sort sort = Sort::output;
    double largest = 0;    ///< number of it on one device
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

/// Not a number beside a number is as far as can be; beside another it is equal.
double apart(double a, double b) {
    if (std::isnan(a) || std::isnan(b) || std::isinf(a) || std::isinf(b)) {
        const bool isSame = a == b || (std::isnan(a) && std::isnan(b));
        return isSame ? 0 : std::numeric_limits<double>::infinity();
    }
    return std::abs(a - b);
}

Compared compare(const ObservedValue& one, const ObservedValue& spread, bool isSlot) {
    Compared compared{.name = one.name, .layer = one.layer};
    compared.sort = one.name.ends_with(".gradient") ? Sort::gradient
                    : isSlot                        ? Sort::weights
                                                    : Sort::output;
    const std::vector<double> a = numbersOf(one.value);
    const std::vector<double> b = numbersOf(spread.value);
    for (std::size_t k = 0; k < a.size(); ++k) {
        compared.largest = std::max(compared.largest, std::abs(a[k]));
        compared.difference = std::max(compared.difference, apart(a[k], b[k]));
    }
    return compared;
}

/// A run prepared to be looked at, and what it stands on.
struct Side {
    Side(const ProofRequest& request, const Design& design, std::vector<std::string> devices,
         const Registry& registry)
        : world(makeLoneWorld(false)),
          spread(spreadOver(std::move(devices), 1, 0)),
          party(partyOf(*world, spread)) {
        RunRequest wanted{.design = &design, .registry = &registry, .devices = spread.devices};
        wanted.observes = true;
        for (const DeviceId device : spread.local) {
            wanted.local.push_back(device.value);
        }
        wanted.cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        wanted.backend = request.backend;
        wanted.folders.base = request.folder;
        wanted.party = &party;
        run = std::make_unique<TrainingRun>(std::move(wanted));
    }

    std::unique_ptr<World> world;
    RankSpread spread;
    Party party;
    std::unique_ptr<TrainingRun> run;
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
            const bool isCompared =
                value.value.dtype == DType::f32 || value.value.dtype == DType::f64;
            if (!isCompared || other == spread.end() || other->value.shape != value.value.shape) {
                continue;
            }
            all.push_back(compare(value, *other, !graph_.slotNamed(value.name).isNone()));
            largest[all.back().sort] = std::max(largest[all.back().sort], all.back().largest);
        }
        proof.values = static_cast<std::int64_t>(all.size());
        for (const Compared& compared : all) {
            const double scale = std::max(compared.largest, 1e-3 * largest[compared.sort]);
            note(layerOf(compared.layer, proof), compared,
                 compared.difference / std::max(scale, 1e-30), step);
        }
    }

private:
    LayerProof& layerOf(Origin layer, Proof& proof) const {
        const std::string& name = graph_.layerName(layer);
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

/// Layers in the order in which they are computed, so that the first over the tolerance is where a
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

} // namespace

double LayerProof::largest() const { return std::max({output, gradient, weights}); }

bool Proof::holds() const { return firstOver().empty() && loss <= tolerance; }

std::string Proof::firstOver() const {
    const auto over = std::ranges::find_if(
        layers, [this](const LayerProof& layer) { return !(layer.largest() <= tolerance); });
    return over == layers.end() ? "" : over->layer;
}

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
    const auto registry = makeRegistry();
    const Design alone = onOneDevice(request.design);
    Proof proof{.devices = devicesOf(request.design, request.devices), .steps = request.steps};
    proof.tolerance = request.tolerance;
    const Side spread(request, request.design, proof.devices, *registry);
    // The one device computes as the spread's first does.
    const Side one(request, alone, {proof.devices.front()}, *registry);
    const Graph& graph = *one.run->family().members.front().plan->graph;
    addLayers(graph, proof);
    Comparison comparison(graph);
    for (std::int64_t step = 1; step <= request.steps; ++step) {
        StepReport ofOne;
        StepReport ofSpread;
        const auto a = one.run->observedStep(ofOne);
        const auto b = spread.run->observedStep(ofSpread);
        comparison.add(step, a, b, proof);
        proof.loss = std::max(proof.loss, apart(ofOne.loss, ofSpread.loss) /
                                              std::max(std::abs(ofOne.loss), 1e-3));
    }
    return proof;
}

std::string print(const Proof& proof) {
    std::string text = fmt::format("{:<32} {:>10} {:>10} {:>10}\n", "largest difference", "output",
                                   "gradient", "weights");
    for (const LayerProof& layer : proof.layers) {
        text += fmt::format("{:<32} {:>10.2e} {:>10.2e} {:>10.2e}{}\n", layer.layer, layer.output,
                            layer.gradient, layer.weights,
                            layer.largest() <= proof.tolerance
                                ? ""
                                : fmt::format("  over: {} in step {}", layer.worst, layer.step));
    }
    text += fmt::format("{:<32} {:>10.2e}\n", "loss", proof.loss);
    const std::string first = proof.firstOver();
    text += proof.holds()
                ? fmt::format("{} steps on {} devices are those of one, within {:g}\n", proof.steps,
                              proof.devices.size(), proof.tolerance)
                : fmt::format("not the mathematics of one device: {} is the first over {:g}\n",
                              first.empty() ? "the loss" : first, proof.tolerance);
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
                          {"step", layer.step}});
    }
    return jsonText({{"holds", proof.holds()},
                     {"first_over", proof.firstOver()},
                     {"tolerance", proof.tolerance},
                     {"steps", proof.steps},
                     {"devices", proof.devices},
                     {"values", proof.values},
                     {"loss", proof.loss},
                     {"layers", std::move(layers)}},
                    2) +
           "\n";
}

} // namespace weft
