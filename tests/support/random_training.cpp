// SPDX-License-Identifier: Apache-2.0
#include "support/random_training.h"

#include "lower/lower.h"

#include <algorithm>

namespace weft::test {

namespace {

/// A value that layers can read.
struct Source {
    Endpoint from;
    Shape shape; ///< without the batch
    bool isRead = false;
};

/// Numbers taken one after the other from one draw; past its end they are zero.
class Numbers {
public:
    explicit Numbers(const LayerDraw& draw) : draw_(draw) {}
    std::int64_t below(std::int64_t limit) {
        const std::int64_t number = at_ < draw_.size() ? draw_[at_++] : 0;
        return limit <= 1 ? 0 : number % limit;
    }
    bool chance(std::int64_t one) { return below(one) == one - 1; }

private:
    const LayerDraw& draw_;
    std::size_t at_ = 0;
};

std::vector<std::string> kindsFor(std::size_t rank, bool isDouble) {
    std::vector<std::string> kinds;
    if (rank == 3) {
        kinds = {"conv2d",     "average_pool2d", "global_average_pool",
                 "batch_norm", "flatten",        "layer_norm",
                 "concat",     "multiply",       "add",
                 "dropout"};
    } else if (rank == 2) {
        kinds = {"dense",   "attention", "layer_norm", "position_embedding",
                 "softmax", "add",       "multiply",   "concat",
                 "flatten", "dropout"};
    } else {
        kinds = {"dense",    "batch_norm", "layer_norm", "softmax", "add",
                 "multiply", "concat",     "group",      "dropout"};
    }
    for (const char* kind : {"tanh", "gelu", "sigmoid"}) {
        kinds.emplace_back(kind);
    }
    if (isDouble) { // at a kink, sums of f32 in another order may come to lie on the other side
        kinds.emplace_back("relu");
        if (rank == 3) {
            kinds.emplace_back("max_pool2d");
        }
    }
    return kinds;
}

std::int64_t groupsFor(Numbers& numbers, std::int64_t channels) {
    const std::int64_t groups = 1 + numbers.below(4);
    return channels % groups == 0 ? groups : 1;
}

void addWindow(Numbers& numbers, const Shape& shape, Attributes& with, std::int64_t least) {
    const std::int64_t rows = std::min(shape[1], least + numbers.below(3));
    const std::int64_t columns = std::min(shape[2], least + numbers.below(3));
    with.set("kernel", Shape{rows, columns});
    const std::int64_t how = numbers.below(12);
    with.set("stride", Shape{1 + how % 2, 1 + how / 2 % 2});
    const std::int64_t most = std::min(rows, columns) / 2;
    with.set("padding", Shape{std::min<std::int64_t>(how % 3, most), how / 6 % 2 * most});
}

/// The kind's attributes; they fit the shape, or the layer is left out.
Attributes attributesFor(const std::string& kind, Numbers& numbers, const Shape& shape) {
    Attributes with;
    if (kind == "dense") {
        with.set("units", 1 + numbers.below(9));
        with.set("bias", !numbers.chance(3));
    } else if (kind == "conv2d") {
        addWindow(numbers, shape, with, 1);
        const std::int64_t groups = groupsFor(numbers, shape[0]);
        with.set("groups", groups);
        with.set("filters", groups * (1 + numbers.below(4)));
    } else if (kind == "max_pool2d" || kind == "average_pool2d") {
        addWindow(numbers, shape, with, 1);
        with.set("ceil", numbers.chance(2));
        if (kind == "average_pool2d") {
            with.set("count_include_pad", numbers.chance(2));
        }
    } else if (kind == "attention") {
        const std::int64_t heads = 1 + numbers.below(4);
        with.set("heads", shape[1] % heads == 0 ? heads : 1);
        with.set("causal", numbers.chance(2));
        with.set("bias", !numbers.chance(3));
    } else if (kind == "position_embedding") {
        with.set("length", shape[0] + numbers.below(3));
    } else if (kind == "dropout") {
        with.set("rate", static_cast<double>(numbers.below(3)) * 0.25);
    } else if (kind == "group") {
        with.set("width", shape[0]);
    } else if (kind == "concat") {
        with.set("dim", 1 + numbers.below(static_cast<std::int64_t>(shape.size())));
    }
    return with;
}

/// x + tanh(x W^T + b) with a learned width by width matrix.
GroupDefinition residualBlock() {
    GroupDefinition group{.name = "block",
                          .network = {},
                          .inputs = {{"x", {{LayerId{1}, "x"}, {LayerId{3}, "x1"}}}},
                          .outputs = {{"y", {{LayerId{3}, "y"}}}},
                          .parameters = {{"width", std::int64_t{1}}}};
    group.network.layers = {
        {.id = LayerId{1},
         .name = "fc",
         .kind = "dense",
         .attributes = {{"units", std::int64_t{1}}},
         .expressions = {{"units", "width"}}},
        {.id = LayerId{2}, .name = "tanh", .kind = "tanh"},
        {.id = LayerId{3}, .name = "sum", .kind = "add"},
    };
    group.network.wires = {{{LayerId{1}, "y"}, {LayerId{2}, "x"}},
                           {{LayerId{2}, "y"}, {LayerId{3}, "x0"}}};
    return group;
}

class Making {
public:
    Making(const TrainingDraws& draws, const Registry& registry)
        : draws_(draws), registry_(registry) {}

    RandomTraining run() {
        Design& design = made_.design;
        design.name = "random";
        const auto& set = draws_.settings;
        const std::int64_t kindOfInput = set[1] % 3;
        made_.isDouble = kindOfInput != 2 && set[1] / 3 % 4 != 3;
        design.data.batch = 2 + set[0] % 9;
        design.data.source = "digits";
        made_.shortBatch = set[0] / 9 % (design.data.batch - 1);
        made_.shortBatch += made_.shortBatch == 1 ? 1 : 0; // one alone has no variance
        made_.shortBatch = made_.shortBatch >= design.data.batch ? 0 : made_.shortBatch;
        setTraining(set);
        hasIds_ = kindOfInput == 2;
        addInputs(kindOfInput, set[2]);
        for (const LayerDraw& draw : draws_.layers) {
            addDrawn(draw);
        }
        addLosses(set[3]);
        return std::move(made_);
    }

private:
    void setTraining(const std::array<std::uint8_t, 8>& set) {
        TrainingSettings& training = made_.design.training;
        switch (set[4] % 5) {
        case 0: break;
        case 1: training.optimizerAttributes.set("momentum", 0.9); break;
        case 2:
            training.optimizerAttributes.set("momentum", 0.8);
            training.optimizerAttributes.set("nesterov", true);
            training.optimizerAttributes.set("weight_decay", 0.1);
            break;
        default: // a gradient that is nothing but rounding stays small beside this epsilon
            training.optimizer = set[4] % 5 == 3 ? "adam" : "adamw";
            training.optimizerAttributes.set("epsilon", 0.01);
            training.optimizerAttributes.set("weight_decay", 0.05);
        }
        training.clipNorm = set[4] / 5 % 3 == 2 ? 0.5 : 0;
        training.bucketMegabytes = set[4] / 15 % 2 == 1 ? 1e-4 : 25;
        const std::array<const char*, 3> orders{"sequential", "depth", "dataflow"};
        training.order = orders[set[5] % 3];
        training.streams = 1 + set[5] / 3 % 3;
    }

    [[nodiscard]] std::string typeName() const { return made_.isDouble ? "f64" : "f32"; }

    LayerId add(Layer layer, const std::vector<std::pair<Endpoint, std::string>>& inputs) {
        Network& network = made_.design.network;
        layer.id = LayerId{static_cast<std::uint32_t>(network.layers.size() + 1)};
        if (layer.name.empty()) {
            layer.name = layer.kind + std::to_string(layer.id.value);
        }
        for (const auto& [from, port] : inputs) {
            network.wires.push_back({from, {layer.id, port}});
        }
        network.layers.push_back(std::move(layer));
        return network.layers.back().id;
    }

    void addInput(const Shape& shape) {
        const LayerId id = add({.id = {},
                                .name = {},
                                .kind = "input",
                                .attributes = {{"shape", shape}, {"dtype", typeName()}}},
                               {});
        sources_.push_back({{id, "y"}, shape});
    }

    void addInputs(std::int64_t kind, std::int64_t sizes) {
        const Shape picture{1 + sizes % 5, 3 + sizes / 5 % 4, 3 + sizes / 20 % 5};
        const Shape features{1 + sizes % 8};
        if (kind == 0) {
            addInput(features);
        } else if (kind == 1) {
            addInput(picture);
            if (sizes % 3 == 2) {
                addInput(features);
            }
        } else {
            addSequence(sizes);
        }
    }

    void addSequence(std::int64_t sizes) {
        const Shape shape{2 + sizes % 4};
        const std::int64_t rows = 3 + sizes / 4 % 7;
        const LayerId ids = add({.id = {},
                                 .name = {},
                                 .kind = "input",
                                 .attributes = {{"shape", shape}, {"dtype", std::string("i64")}}},
                                {});
        made_.below[made_.design.network.layers.back().name] = rows;
        const std::int64_t features = 2 + sizes / 28 % 5;
        const LayerId table = add({.id = {},
                                   .name = {},
                                   .kind = "embedding",
                                   .attributes = {{"rows", rows}, {"features", features}}},
                                  {{{ids, "y"}, "ids"}});
        sources_.push_back({{table, "y"}, {shape[0], features}});
    }

    void addDrawn(const LayerDraw& draw) {
        Numbers numbers(draw);
        // The newest values are the likeliest to be read.
        const auto count = static_cast<std::int64_t>(sources_.size());
        const auto back = static_cast<std::size_t>(numbers.below(8) < 5 ? 0 : draw[0] / 8 % count);
        const std::size_t from = sources_.size() - 1 - back;
        const Shape shape = sources_[from].shape;
        const std::vector<std::string> kinds = kindsFor(shape.size(), made_.isDouble);
        Layer layer{.id = {},
                    .name = {},
                    .kind = kinds[static_cast<std::size_t>(
                        numbers.below(static_cast<std::int64_t>(kinds.size())))]};
        layer.attributes = attributesFor(layer.kind, numbers, shape);
        if (layer.kind == "batch_norm" && hasIds_) {
            // Where all of a batch have one id nothing varies: three in a row with an epsilon of
            // 1e-5 make 3e7 of a gradient's last bit, and what cancels depends on the order of
            // sums.
            layer.attributes.set("epsilon", 0.1);
        }
        if (layer.kind == "group") {
            layer.group = "block";
            layer.repeat = 1 + draw[2] % 3;
        }
        addUpdateAttributes(layer, draw[6]);
        tryAdd(std::move(layer), from, draw[5]);
    }

    /// Frozen, scaled and shared parameters.
    void addUpdateAttributes(Layer& layer, std::int64_t how) const {
        const LayerKind* kind = registry_.layers.find(layer.kind);
        if (kind == nullptr || kind->info.parameters.empty()) {
            return;
        }
        if (how % 7 == 1) {
            layer.attributes.set("frozen", true);
        } else if (how % 7 == 2) {
            layer.attributes.set("learning_rate_scale", 0.5);
            layer.attributes.set("decay_scale", 0.0);
        }
        if (how / 7 % 3 == 2) {
            for (const Layer& known : made_.design.network.layers) {
                if (known.kind == layer.kind && !known.attributes.has("share")) {
                    layer.attributes.set("share", known.name);
                }
            }
        }
    }

    void tryAdd(Layer layer, std::size_t from, std::int64_t other) {
        std::vector<std::pair<Endpoint, std::string>> inputs;
        std::vector<std::size_t> read{from};
        const std::string& kind = layer.kind;
        if (kind == "add" || kind == "concat" || kind == "multiply" || kind == "attention") {
            const std::size_t second = otherFor(kind, from, other);
            const bool isVariadic = kind == "add" || kind == "concat";
            inputs.emplace_back(sources_[from].from, isVariadic           ? "x0"
                                                     : kind == "multiply" ? "a"
                                                                          : "x");
            if (kind != "attention" || second != from) {
                inputs.emplace_back(sources_[second].from, isVariadic           ? "x1"
                                                           : kind == "multiply" ? "b"
                                                                                : "context");
                read.push_back(second);
            }
        } else {
            inputs.emplace_back(sources_[from].from, "x");
        }
        if (kind == "group" && made_.design.groups.empty()) {
            made_.design.groups.push_back(residualBlock());
        }
        const Design before = made_.design;
        const LayerId id = add(std::move(layer), inputs);
        const Shape shape = shapeOf(id);
        if (shape.empty() || elementsOf(shape) > 4000) {
            made_.design = before;
            return;
        }
        for (const std::size_t k : read) {
            sources_[k].isRead = true;
        }
        sources_.push_back({{id, "y"}, shape});
    }

    /// A value that may stand beside: of the same shape, or joined along a dim; else the same
    /// again.
    [[nodiscard]] std::size_t otherFor(const std::string& kind, std::size_t from,
                                       std::int64_t draw) const {
        std::vector<std::size_t> fitting;
        for (std::size_t k = sources_.size(); k-- > 0;) {
            const bool fits = kind == "attention" || kind == "concat"
                                  ? sources_[k].shape.size() == sources_[from].shape.size()
                                  : sources_[k].shape == sources_[from].shape;
            if (fits) {
                fitting.push_back(k);
            }
        }
        return fitting[static_cast<std::size_t>(draw) % fitting.size()];
    }

    /// Returns the shape of the layer's first output without the batch; empty if the layer does not
    /// fit.
    [[nodiscard]] Shape shapeOf(LayerId layer) const {
        const ExpandedDesign expanded = expand(made_.design, registry_.kinds);
        // The smallest batch that will be trained on.
        const std::int64_t least =
            made_.shortBatch > 0 ? made_.shortBatch : made_.design.data.batch;
        const Lowered lowered = lower(expanded, registry_.layers, registry_.ops, {.batch = least});
        if (hasErrors(lowered.problems)) {
            return {};
        }
        const OutputValues values = outputsOf(lowered);
        Shape found;
        for (const ExpandedLayer& each : expanded.layers) {
            const bool isIt = each.origin.layer == layer && each.origin.instance == 0;
            const bool isLastCopy = each.name.starts_with(nameOf(layer) + "[") ||
                                    each.name.starts_with(nameOf(layer) + "/");
            const auto value = values.find({each.origin, "y"});
            if ((isIt || isLastCopy) && value != values.end()) {
                const Shape& shape = lowered.graph.at(value->second).shape;
                found = Shape(shape.begin() + 1, shape.end());
            }
        }
        return found;
    }

    const std::string& nameOf(LayerId layer) const {
        return made_.design.network.layers[layer.value - 1].name;
    }

    /// Every value that nothing reads comes into a loss.
    void addLosses(std::int64_t how) {
        const std::vector<Source> ends = sources_;
        for (const Source& end : ends) {
            if (!end.isRead) {
                addLoss(end, how++);
            }
        }
    }

    void addLoss(const Source& end, std::int64_t how) {
        const bool hasClasses = end.shape.size() < 3 && end.shape.back() > 1 && how % 3 != 0;
        Layer target{.id = {}, .name = {}, .kind = "input"};
        Shape shape = end.shape;
        if (hasClasses) {
            shape.pop_back();
        }
        target.attributes.set("shape", shape);
        target.attributes.set("dtype", hasClasses ? std::string("i64") : typeName());
        const LayerId fed = add(std::move(target), {});
        if (hasClasses) {
            made_.below[nameOf(fed)] = end.shape.back();
        }
        Layer loss{.id = {}, .name = {}, .kind = hasClasses ? "softmax_cross_entropy" : "mse"};
        if (how / 3 % 3 == 1) {
            loss.attributes.set("weight", 0.5);
        }
        if (hasClasses && how / 9 % 3 == 1 && end.shape.back() > 3) {
            loss.attributes.set("ignore", std::int64_t{2});
        }
        add(std::move(loss), {{end.from, hasClasses ? "logits" : "x"}, {{fed, "y"}, "target"}});
        if (hasClasses && how / 27 % 2 == 1) {
            add({.id = {}, .name = {}, .kind = "accuracy"},
                {{end.from, "logits"}, {{fed, "y"}, "target"}});
        }
    }

    const TrainingDraws& draws_;
    const Registry& registry_;
    RandomTraining made_;
    bool hasIds_ = false;
    std::vector<Source> sources_;
};

const LayerDraw& drawFor(const TrainingDraws& draws, std::size_t layer) {
    static const LayerDraw none{};
    return draws.layers.empty() ? none : draws.layers[layer % draws.layers.size()];
}

/// Some of the devices, in an order of their own, as one or two axes.
void setDevices(Assignment& assignment, std::size_t count, std::int64_t how) {
    const auto first = static_cast<std::size_t>(how) % count;
    const auto taken = 1 + static_cast<std::size_t>(how / 4) % count;
    for (std::size_t k = 0; k < taken; ++k) {
        assignment.devices.push_back("cpu:" + std::to_string((first + k) % count));
    }
    if (taken == 4 && how / 16 % 2 == 1) {
        assignment.mesh = {2, 2};
    } else if (taken > 1 && how / 16 % 5 == 4) {
        assignment.mesh = {1, static_cast<std::int64_t>(taken)};
    }
}

AxisWord wordOf(const std::vector<AxisWord>& legal, std::int64_t how) {
    return legal.empty() ? AxisWord::follow : legal[static_cast<std::size_t>(how) % legal.size()];
}

} // namespace

RandomTraining makeTraining(const TrainingDraws& draws, const Registry& registry) {
    return Making(draws, registry).run();
}

void chooseDevices(RandomTraining& training, const TrainingDraws& draws) {
    Design& design = training.design;
    const std::size_t count = 2 + draws.settings[6] % 3;
    for (std::size_t k = 0; k < count; ++k) {
        design.devices.push_back({.name = "cpu:" + std::to_string(k)});
    }
    if (count == 4 && draws.settings[6] / 3 % 3 == 2) {
        setDevices(design.assignment, 4, 12 + 16);
    }
    for (std::size_t k = 0; k < design.network.layers.size(); ++k) {
        const std::int64_t how = drawFor(draws, k)[7];
        if (how % 4 != 0) {
            design.network.layers[k].assignment.emplace();
            if (how % 4 == 3) {
                setDevices(*design.network.layers[k].assignment, count, how / 4);
            }
        }
    }
    for (std::size_t k = 0; k < std::min(draws.wires.size(), design.network.wires.size()); ++k) {
        design.network.wires[k].scheme = draws.wires[k] % 4 == 3 ? "whole" : "";
    }
}

void chooseWords(RandomTraining& training, const TrainingDraws& draws, const Legal& legal) {
    Design& design = training.design;
    const std::vector<AxisWord> any{AxisWord::follow, AxisWord::data, AxisWord::modelStack,
                                    AxisWord::modelAdd, AxisWord::replicate};
    design.assignment.words = {wordOf(any, draws.settings[7]), wordOf(any, draws.settings[7] / 5)};
    if (design.assignment.mesh.size() < 2) {
        design.assignment.words.resize(1);
    }
    for (std::size_t k = 0; k < design.network.layers.size(); ++k) {
        Layer& layer = design.network.layers[k];
        const auto found = legal.find(layer.id);
        if (!layer.assignment || found == legal.end()) {
            continue;
        }
        const std::int64_t how = drawFor(draws, k)[5] + drawFor(draws, k)[4];
        layer.assignment->words = {wordOf(found->second, how)};
        const auto& mesh =
            layer.assignment->devices.empty() ? design.assignment.mesh : layer.assignment->mesh;
        if (mesh.size() > 1) {
            layer.assignment->words.push_back(wordOf(found->second, how / 3));
        }
    }
}

} // namespace weft::test
