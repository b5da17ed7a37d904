// SPDX-License-Identifier: Apache-2.0
#include "layers/layer.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {

bool Lowering::has(std::string_view port) const {
    return std::ranges::any_of(request_.inputs,
                               [&](const auto& input) { return input.first == port; });
}

ValueId Lowering::input(std::string_view port) const {
    const auto found = std::ranges::find_if(request_.inputs,
                                            [&](const auto& input) { return input.first == port; });
    ensure(found != request_.inputs.end(), "a layer reads only ports that are wired");
    return found->second;
}

std::vector<ValueId> Lowering::inputs() const {
    std::vector<ValueId> values;
    values.reserve(request_.inputs.size());
    for (const auto& [port, value] : request_.inputs) {
        values.push_back(value);
    }
    return values;
}

bool Lowering::hasRank(std::string_view port, std::size_t rank, std::string_view takes) {
    const Shape& shape = builder_.shape(input(port));
    if (shape.size() == rank) {
        return true;
    }
    refuse(fmt::format("input is {}; {}", toString(shape), takes), std::string(port),
           rank == 2 && shape.size() > 2 ? "flatten" : "");
    return false;
}

DType Lowering::floatingType() const {
    for (const auto& [port, value] : request_.inputs) {
        if (isFloating(builder_.dtype(value))) {
            return builder_.dtype(value);
        }
    }
    return DType::f32;
}

ValueId Lowering::parameter(const std::string& parameter, Shape shape, Initialiser initialiser,
                            bool decays) {
    return addParameter({.name = parameter,
                         .kind = SlotKind::parameter,
                         .dtype = floatingType(),
                         .shape = std::move(shape),
                         .initialiser = std::move(initialiser),
                         .origin = {},
                         .value = {},
                         .learningRateScale = attributes().real("learning_rate_scale"),
                         .decayScale = decays ? attributes().real("decay_scale") : 0.0,
                         .frozen = attributes().boolean("frozen")});
}

ValueId Lowering::parameter(const std::string& parameter, const Shape& shape,
                            Initialiser initialiser, const WeightSets& sets) {
    if (sets.hasSeveralSets()) {
        initialiser.attributes.set("set_dims", static_cast<std::int64_t>(sets.lead.size()));
        initialiser.attributes.set("sets_alike", sets.areAlike);
    }
    return addParameter({.name = parameter,
                         .kind = SlotKind::parameter,
                         .dtype = floatingType(),
                         .shape = sets.shape(shape),
                         .initialiser = std::move(initialiser),
                         .origin = {},
                         .value = {},
                         .learningRateScale = attributes().real("learning_rate_scale"),
                         .decayScale = attributes().real("decay_scale"),
                         .frozen = attributes().boolean("frozen"),
                         .isPerElement = sets.perElement});
}

/// `wanted.name` is the parameter's own name, without that of its layer.
ValueId Lowering::addParameter(Slot wanted) {
    const std::string parameter = wanted.name;
    wanted.name = request_.name + "." + parameter;
    const std::string& share = attributes().text("share");
    if (!share.empty()) {
        const std::string sharedName = share + "." + parameter;
        const SlotId known = builder_.graph().slotNamed(sharedName);
        const bool isKnown = !known.isNone();
        if (isKnown && builder_.graph().at(known).isPerElement != wanted.isPerElement) {
            refuse(fmt::format("the layer shares {}, but only one of the two layers has a set per "
                               "batch element: set per_element alike in both",
                               sharedName));
        } else if (!isKnown || builder_.graph().at(known).shape == wanted.shape) {
            wanted.name = sharedName;
        } else {
            refuse(fmt::format(
                "the layer shares {}, which is {}, but needs {}: give both layers the same sizes",
                sharedName, toString(builder_.graph().at(known).shape), toString(wanted.shape)));
        }
    }
    return builder_.valueOf(builder_.addSlot(std::move(wanted)));
}

std::string WeightSets::op(const std::string& ofOne) const {
    if (!hasSeveralSets()) {
        return ofOne;
    }
    // conv2d_dx -> conv2d_sets_dx
    const std::size_t gradient = std::min(ofOne.rfind("_d"), ofOne.size());
    return ofOne.substr(0, gradient) + "_sets" + ofOne.substr(gradient);
}

Attributes WeightSets::with(Attributes attributes) const {
    if (hasSeveralSets()) {
        attributes.set("per_element", perElement);
        attributes.set("per_position", perPosition);
    }
    return attributes;
}

Shape WeightSets::shape(const Shape& own) const {
    Shape all = lead;
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

WeightSets Lowering::sets(std::int64_t elements, const Shape& positions) {
    WeightSets sets{SetSharing(attributes())};
    sets.areAlike = attributes().text("first_sets") == "same";
    if (sets.areAlike && !sets.hasSeveralSets()) {
        refuse("first_sets has no effect on a single set: remove it, or set per_element or "
               "per_position");
    }
    if (sets.perElement) {
        sets.lead.push_back(elements);
    }
    if (sets.perPosition) {
        sets.lead.insert(sets.lead.end(), positions.begin(), positions.end());
    }
    return sets;
}

SlotId Lowering::slot(const std::string& name, SlotKind kind, Shape shape,
                      Initialiser initialiser) {
    return builder_.addSlot({.name = request_.name + "." + name,
                             .kind = kind,
                             .dtype = floatingType(),
                             .shape = std::move(shape),
                             .initialiser = std::move(initialiser),
                             .origin = {},
                             .value = {}});
}

void Lowering::learn(LayerUpdate update) {
    std::vector<LayerUpdate>& updates = builder_.graph().updates;
    const auto known = std::ranges::find(updates, update.slot, &LayerUpdate::slot);
    if (known == updates.end()) {
        updates.push_back(std::move(update));
        return;
    }
    // Layers that share a parameter contribute to one update, so they must agree on how it is
    // computed.
    const Graph& graph = builder_.graph();
    if (known->op != update.op || known->attributes != update.attributes ||
        known->renormalise != update.renormalise ||
        graph.at(known->count).shape != graph.at(update.count).shape) {
        refuse("the layer and the layer whose weights it shares have different learning rules: set "
               "their learning attributes alike, or freeze this layer");
        return;
    }
    known->sum = add("add", {known->sum, update.sum});
    known->count = add("add", {known->count, update.count});
}

namespace {

/// Returns the initialiser of PyTorch's Linear and Conv2d: uniform in +-1 / sqrt(fan in).
Initialiser evenlyByFanIn(std::int64_t fanIn) {
    const double bound = 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(fanIn, 1)));
    return {"uniform", {{"low", -bound}, {"high", bound}}};
}

} // namespace

Initialiser Lowering::initialiser(std::int64_t fanIn, std::int64_t fanOut) const {
    const std::string& kind = attributes().text("init");
    const double scale = attributes().real("init_scale");
    const auto scaleOr = [scale](double fallback) { return scale == 0 ? fallback : scale; };
    if (kind == "default") {
        return evenlyByFanIn(fanIn);
    }
    if (kind == "normal") {
        return {kind, {{"mean", 0.0}, {"deviation", scaleOr(0.01)}}};
    }
    if (kind == "uniform") {
        return {kind, {{"low", -scaleOr(0.05)}, {"high", scaleOr(0.05)}}};
    }
    if (kind == "constant") {
        return {kind, {{"value", scale}}};
    }
    return {kind,
            {{"fan_in", fanIn},
             {"fan_out", fanOut},
             {"distribution", attributes().text("init_distribution")},
             {"gain", scaleOr(1.0)}}};
}

Initialiser Lowering::biasInitialiser(std::int64_t fanIn) const {
    if (attributes().text("init") == "default") {
        return evenlyByFanIn(fanIn);
    }
    return {"constant", {{"value", attributes().real("init_bias")}}};
}

void Lowering::output(std::string_view port, ValueId value) { outputs_.emplace_back(port, value); }

void Lowering::refuse(std::string reason, std::string port, std::string insert) {
    refusals_.push_back({std::move(reason), std::move(port), std::move(insert)});
}

void Lowering::needsLoss(std::string attribute, std::string usual, std::string reason) {
    lossNeeds_.push_back({std::move(attribute), std::move(usual), std::move(reason)});
}

void LayerList::add(LayerKind kind) {
    ensure(find(kind.info.kind) == nullptr, "layer kinds have unique names");
    kinds_.push_back(std::make_unique<const LayerKind>(std::move(kind)));
}

const LayerKind* LayerList::find(std::string_view kind) const {
    const auto found =
        std::ranges::find_if(kinds_, [&](const auto& known) { return known->info.kind == kind; });
    return found == kinds_.end() ? nullptr : found->get();
}

std::vector<const LayerKind*> LayerList::all() const {
    std::vector<const LayerKind*> list;
    list.reserve(kinds_.size());
    for (const auto& kind : kinds_) {
        list.push_back(kind.get());
    }
    return list;
}

std::vector<AttributeSpec> withUpdateAttributes(std::vector<AttributeSpec> own) {
    own.push_back(
        {.name = "frozen",
         .defaultValue = false,
         .help =
             "Freeze the layer's parameters: no gradient and no update (requires_grad=False)."});
    own.push_back({.name = "learning_rate_scale",
                   .defaultValue = 1.0,
                   .help = "Multiplies the learning rate for this layer's parameters.",
                   .least = 0,
                   .isOfLearning = true});
    own.push_back({.name = "decay_scale",
                   .defaultValue = 1.0,
                   .help = "Multiplies the weight decay for this layer's parameters.",
                   .least = 0,
                   .isOfLearning = true});
    own.push_back({.name = "share",
                   .defaultValue = std::string{},
                   .help = "Weight tying: name of a layer of the same kind and sizes whose "
                           "parameters this layer uses. Empty: own parameters."});
    return own;
}

std::vector<AttributeSpec> withSetAttributes(std::vector<AttributeSpec> own,
                                             const std::string& positions) {
    own.push_back(
        {.name = "per_element",
         .defaultValue = false,
         .help = "Give each batch element its own set of weights, as if each were a separate "
                 "training with batch size 1: example k of every batch uses and trains set k. The "
                 "parameters have the batch as first dim, are split with it (assign batch, not "
                 "data) and are never reduced over devices. Every batch must be full; an "
                 "evaluation skips a short last batch. clip_norm applies to all sets together. "
                 "`weft infer` cycles through the sets, or uses set --element for all examples."});
    own.push_back(
        {.name = "per_position",
         .defaultValue = false,
         .help = fmt::format(
             "Locally connected: give each {0} its own set of weights, shared by all batch "
             "elements unless per_element is on. The position dims come first in the "
             "parameters, after the batch dim if there is one.",
             positions)});
    own.push_back(
        {.name = "first_sets",
         .defaultValue = std::string("different"),
         .help = "Initial weights if per_element or per_position gives the layer several sets of "
                 "weights. different: each set is drawn separately; same: all sets start equal.",
         .choices = {"different", "same"}});
    return own;
}

std::vector<AttributeSpec> withParameterAttributes(std::vector<AttributeSpec> own) {
    own.push_back({.name = "init",
                   .defaultValue = std::string("default"),
                   .help = "Weight initialisation. default: as PyTorch's layer; xavier: Xavier "
                           "(Glorot); he: He (Kaiming); normal, uniform: around 0; constant.",
                   .choices = {"default", "xavier", "he", "normal", "uniform", "constant"}});
    own.push_back({.name = "init_scale",
                   .defaultValue = 0.0,
                   .help = "Gain of xavier and he (0 means 1; the variance of he is 2 / fan_in), "
                           "standard deviation of normal (0 means 0.01), bound of uniform (0 means "
                           "0.05), or value of constant."});
    own.push_back({.name = "init_distribution",
                   .defaultValue = std::string("uniform"),
                   .help = "Distribution that xavier and he draw from.",
                   .choices = {"uniform", "normal"}});
    own.push_back({.name = "init_bias",
                   .defaultValue = 0.0,
                   .help = "Initial value of biases, unless init is default."});
    return withUpdateAttributes(std::move(own));
}

} // namespace weft
