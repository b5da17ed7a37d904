// SPDX-License-Identifier: Apache-2.0
// lca: a sparse code of a picture by competing neurons (Rozell et al. 2008). Each iteration
// computes: the time step of each element from its energy; the drive d = conv(residual, w); v = e v
// + (1 - e) (d + a); a = T(v); the reconstruction, by the transposed convolution; and the new
// residual.
#include "graph/repeat.h"
#include "graph/step_rule.h"
#include "graph/transfer_function.h"
#include "layers/layer.h"
#include "layers/sparse/lca_attributes.h"
#include "layers/windows/windows.h"

#include <fmt/format.h>

#include <optional>

namespace weft::layers {

namespace {

using Names = std::vector<std::pair<std::string, ValueId>>;

/// Sizes of picture, dictionary and code, and the attributes of the convolution and its gradients.
struct Geometry {
    Shape input;
    Shape code; ///< for one batch element: [atoms, rows, columns]
    Shape kernel;
    Attributes forward;
    Attributes backward;
    Attributes weights;
};

/// Returns the nearest size that is a multiple of the stride, for the message.
std::int64_t nearest(std::int64_t size, std::int64_t stride) {
    return std::max<std::int64_t>(1, (size + stride / 2) / stride) * stride;
}

std::optional<Geometry> geometryOf(Lowering& lowering) {
    const Attributes& with = lowering.attributes();
    const Shape x = lowering.shape(lowering.input("x"));
    const Shape kernel = rowsAndColumns(with, "kernel");
    const Shape stride = rowsAndColumns(with, "stride");
    Shape padding(4);
    for (std::size_t side = 0; side < 2; ++side) {
        const std::int64_t over = kernel[side] - stride[side];
        if (over < 0 || over % 2 != 0) {
            lowering.refuse(
                fmt::format("a kernel of {} with a stride of {} has an uneven border: kernel minus "
                            "stride must be even and not negative; use a kernel of {} or {}",
                            toString(kernel), toString(stride), kernel[side] + 1,
                            std::max(stride[side], kernel[side] - 1)),
                "x");
            return {};
        }
        if (x[side + 2] % stride[side] != 0) {
            lowering.refuse(fmt::format("input is {}; with a stride of {}, rows and columns must "
                                        "be multiples of the stride, such as {} x {}",
                                        toString(x), toString(stride), nearest(x[2], stride[0]),
                                        nearest(x[3], stride[1])),
                            "x");
            return {};
        }
        padding[side] = padding[side + 2] = over / 2;
    }
    Geometry geometry{.input = x,
                      .code = {with.integer("atoms"), x[2] / stride[0], x[3] / stride[1]},
                      .kernel = kernel};
    geometry.forward = {{"stride", stride}, {"padding", padding}};
    geometry.backward = geometry.weights = geometry.forward;
    geometry.backward.set("size", Shape{x[2], x[3]});
    geometry.weights.set("kernel", kernel);
    return geometry;
}

/// The values that iterations carry or only read; used both inside and outside of the repeat.
struct Dynamics {
    ValueId x, dictionary;
    ValueId potential, code, residual, energy;
    ValueId before, step, cap; ///< carried if steps are adaptive; a fixed step is constant
    ValueId drive;             ///< the previous iteration's drive, if the variant has momentum
};

class Lca {
public:
    Lca(Lowering& lowering, Geometry geometry)
        : at_(lowering),
          geometry_(std::move(geometry)),
          sets_(lowering.sets(geometry_.input[0], {geometry_.code[1], geometry_.code[2]})),
          rule_(lowering.attributes().text("step_rule")) {}

    void run() {
        Dynamics now = begin();
        for (const ValueId* value : carried(now)) {
            if (at_.builder().hasNoShape(*value)) {
                return; // refused already
            }
        }
        iterate(now);
        keep(now);
        if (at_.mode() != Mode::infer) {
            measure(now);
        }
        if (at_.mode() == Mode::train && !at_.attributes().boolean("frozen")) {
            learn(now);
        }
        at_.output("code", now.code);
        at_.output("reconstruction", at_.add("subtract", {now.x, now.residual}));
        at_.output("residual", now.residual);
        at_.output("energy", now.energy);
    }

private:
    [[nodiscard]] const Attributes& with() const { return at_.attributes(); }
    [[nodiscard]] bool isAdaptive() const { return rule_ != "fixed"; }
    [[nodiscard]] bool isWarm() const { return with().text("start") == "warm"; }
    [[nodiscard]] bool isRestGiven() const { return with().text("rest_from") == "weights"; }
    [[nodiscard]] bool hasMomentum() const { return with().text("variant") == "momentum"; }
    [[nodiscard]] Attributes transferAttributesHere() const {
        return selected(with(), transferAttributes());
    }

    /// Returns a value of that shape per batch element.
    ValueId filled(Shape shape, double value) {
        return at_.add("begin", {signal_}, {{"shape", std::move(shape)}, {"value", value}});
    }

    /// Returns the potentials of neurons at rest.
    ValueId rested(Shape shape) {
        if (isRestGiven()) {
            // One number per neuron, common to all batch elements: a bias for each position.
            const Shape neurons{shape[1], shape[2], shape[0]};
            const SlotId rest = at_.slot("rest", SlotKind::statistics, neurons, restInitialiser());
            return at_.add("bias_sets", {filled(std::move(shape), 0), at_.builder().valueOf(rest)},
                           {{"dim", std::int64_t{1}}, {"per_position", true}});
        }
        const double rest = with().real("rest");
        const double spread = with().real("rest_spread");
        if (spread == 0) {
            return filled(std::move(shape), rest);
        }
        return at_.add("begin_drawn", {signal_, at_.builder().argument("step", DType::i64)},
                       {{"shape", std::move(shape)}, {"value", rest}, {"spread", spread}});
    }

    /// Returns a value per neuron that is kept from step to step, separately for training and
    /// evaluation.
    ValueId remembered(const std::string& name, ValueId rest, const Initialiser& initialiser) {
        Shape shape = geometry_.code;
        shape.insert(shape.begin(), geometry_.input[0]);
        Builder& builder = at_.builder();
        const SlotId trained = at_.slot(name, SlotKind::layerState, shape, initialiser);
        const SlotId evaluated =
            at_.slot(name + "/evaluation", SlotKind::layerState, shape, initialiser);
        builder.graph().at(evaluated).of = trained;
        builder.graph().at(evaluated).resetsAfterEvaluation = true;
        kept_.push_back(at_.mode() == Mode::train ? trained : evaluated);
        // The op is added even if the input is not wired, so that potentials are placed like the
        // batch elements that they belong to.
        const ValueId begins = at_.has("begins") ? at_.input("begins") : filled({}, 0);
        return at_.add("rest", {builder.valueOf(kept_.back()), rest, begins});
    }

    Dynamics begin() {
        Dynamics now{.x = at_.input("x")};
        if (at_.mode() == Mode::train && with().text("gradient") == "stop") {
            now.x = at_.add("stop_gradient", {now.x});
        } else if (at_.mode() == Mode::train) {
            at_.needsLoss("gradient", "stop",
                          "backpropagation through the iterations needs a loss");
        }
        signal_ = at_.add("half_squares", {now.x});
        now.dictionary = at_.parameter(
            "weight",
            {geometry_.code[0], geometry_.input[1], geometry_.kernel[0], geometry_.kernel[1]},
            {"unit", {}}, sets_);
        now.potential = rested(geometry_.code);
        if (hasMomentum()) {
            now.drive = filled(geometry_.code, 0);
        }
        if (isWarm()) {
            now.potential = remembered("potential", now.potential, restInitialiser());
            if (hasMomentum()) {
                now.drive = remembered("drive", now.drive, {});
            }
        }
        now.code = at_.add("transfer", {now.potential}, transferAttributesHere());
        now.residual = residualOf(at_.builder(), now);
        now.energy = filled({}, -1);
        now.before = now.energy;
        now.step = filled({}, with().real(isAdaptive() ? "base_minimum" : "step"));
        if (isAdaptive()) {
            now.cap = filled({}, with().real("base_maximum"));
        }
        return now;
    }

    [[nodiscard]] Initialiser restInitialiser() const {
        const double rest = with().real("rest");
        const double spread = with().real("rest_spread");
        return {"uniform", {{"low", rest - spread}, {"high", rest + spread}}};
    }

    ValueId residualOf(Builder& builder, const Dynamics& now) const {
        const ValueId made = builder.add(sets_.op("conv2d_dx"), {now.code, now.dictionary},
                                         sets_.with(geometry_.backward));
        return builder.add("subtract", {now.x, made});
    }

    /// Returns the carried values in order.
    std::vector<ValueId*> carried(Dynamics& now) const {
        std::vector<ValueId*> list = {&now.potential, &now.code, &now.residual, &now.energy};
        if (isAdaptive()) {
            list.insert(list.end(), {&now.before, &now.step, &now.cap});
        }
        if (hasMomentum()) {
            list.push_back(&now.drive);
        }
        return list;
    }
    std::vector<ValueId*> captured(Dynamics& now) const {
        std::vector<ValueId*> list = {&now.x, &now.dictionary};
        if (!isAdaptive()) {
            list.push_back(&now.step);
        }
        return list;
    }

    void iterate(Dynamics& now) {
        auto body = std::make_shared<Graph>();
        Builder inside(*body, at_.builder().ops());
        inside.setOrigin(at_.builder().origin());
        Dynamics round;
        std::vector<ValueId> operands;
        const auto add = [&](std::vector<ValueId*> outer, std::vector<ValueId*> inner) {
            for (std::size_t k = 0; k < outer.size(); ++k) {
                const Value& value = at_.builder().graph().at(*outer[k]);
                *inner[k] = addBodyInput(*body, value.dtype, value.shape);
                operands.push_back(*outer[k]);
            }
        };
        add(carried(now), carried(round));
        add(captured(now), captured(round));
        goOn(inside, round);
        std::vector<ValueId> made;
        for (const ValueId* value : carried(round)) {
            made.push_back(*value);
        }
        const RepeatForm form{.count = with().integer("iterations"),
                              .carried = made.size(),
                              .collected = isAdaptive() ? 2U : 1U};
        made.push_back(round.energy);
        if (isAdaptive()) {
            made.push_back(round.step);
        }
        setBodyOutputs(inside, std::move(made), form.carried);
        const std::vector<ValueId> ends = addRepeat(at_.builder(), body, operands, form);
        std::size_t k = 0;
        for (ValueId* value : carried(now)) {
            *value = ends[k++];
        }
        if (at_.mode() != Mode::infer) {
            record("energies", ends[form.carried]);
            isAdaptive() ? record("steps", ends.back()) : void();
        }
    }

    void record(const std::string& name, ValueId series) {
        at_.builder().name(series, at_.name() + "." + name);
        at_.builder().addResult(at_.name() + "." + name, ResultKind::series, series);
    }

    void goOn(Builder& inside, Dynamics& round) {
        if (isAdaptive()) {
            Attributes rule = selected(with(), stepRuleAttributes());
            rule.set("rule", rule_);
            const std::vector<ValueId> next = inside.addAll(
                "step_rule", {round.energy, round.before, round.step, round.cap}, std::move(rule));
            round.before = round.energy;
            round.step = next[0];
            round.cap = next[1];
        }
        const ValueId drive = inside.add(sets_.op("conv2d"), {round.residual, round.dictionary},
                                         sets_.with(geometry_.forward));
        round.potential = moved(inside, round, drive);
        round.code = inside.add("transfer", {round.potential}, transferAttributesHere());
        const ValueId before = round.residual;
        round.residual = residualOf(inside, round);
        const bool isLagged = with().text("energy") == "lagged";
        round.energy = inside.add(
            "add", {inside.add("half_squares", {isLagged ? before : round.residual}),
                    inside.add("transfer_cost", {round.code}, transferAttributesHere())});
    }

    ValueId moved(Builder& inside, Dynamics& round, ValueId drive) {
        const double tau = with().real("tau");
        const double self = with().boolean("self_interaction") ? 1 : 0;
        const auto weigh = [&](ValueId value, const char* by) {
            return inside.add("weigh", {value, round.step},
                              {{"tau", tau}, {"by", std::string(by)}});
        };
        const std::string& variant = with().text("variant");
        if (variant == "lca") {
            return inside.add("membrane", {round.potential, drive, round.code, round.step},
                              {{"tau", tau}, {"self", self}});
        }
        if (variant == "ista") {
            const ValueId pull = inside.add("scale", {inside.add("sign", {round.code})},
                                            {{"factor", with().real("threshold")}});
            return inside.add(
                "add", {round.potential, weigh(inside.add("subtract", {drive, pull}), "ratio")});
        }
        const ValueId sum = self == 0 ? drive : inside.add("add", {drive, round.code});
        const ValueId taken = weigh(sum, "take");
        const ValueId pushed =
            inside.add("scale", {round.drive}, {{"factor", with().real("momentum_rate")}});
        round.drive = taken;
        return inside.add("add", {weigh(round.potential, "keep"), taken, pushed});
    }

    void keep(const Dynamics& now) {
        Builder& builder = at_.builder();
        for (std::size_t k = 0; k < kept_.size(); ++k) {
            const ValueId next = k == 0 ? now.potential : now.drive;
            builder.write(kept_[k], at_.add("replace", {builder.valueOf(kept_[k]), next}));
        }
    }

    void measure(const Dynamics& now) {
        const auto all = static_cast<double>(geometry_.input[0] * elementsOf(geometry_.code));
        const ValueId active = at_.add("squares", {at_.add("sign", {now.code})});
        const ValueId noise = at_.add("half_squares", {now.residual});
        at_.builder().addResult(at_.name() + ".energy", ResultKind::energy,
                                at_.add("mean", {now.energy}));
        const ValueId codes = at_.add("count_elements", {now.energy},
                                      {{"each", static_cast<double>(elementsOf(geometry_.code))}});
        cost("activity", at_.add("scale", {active}, {{"factor", 1 / all}}));
        metric("sparsity",
               at_.add("scale", {at_.add("subtract", {codes, active})}, {{"factor", 1 / all}}));
        metric("signal_to_noise", decibels(noise, {}));
        if (const double peak = with().real("peak"); peak > 0) {
            const auto pixels = static_cast<double>(elementsOf(geometry_.input)) /
                                static_cast<double>(geometry_.input[0]);
            metric("psnr", decibels(noise, {{"against", peak * peak * pixels / 2}}));
        }
        countUse(now);
    }

    /// Returns a mean over batch elements, or NaN if no element has a value.
    ValueId decibels(ValueId noise, Attributes against) {
        const std::vector<ValueId> sums =
            at_.builder().addAll("sum_decibels", {signal_, noise}, std::move(against));
        return at_.add("divide", {sums[0], sums[1]});
    }

    /// Counts the use of atoms; those that no code has used since the last report are dead. Each
    /// device keeps its own count until a report sums the counts.
    void countUse(const Dynamics& now) {
        Builder& builder = at_.builder();
        const SlotId use =
            at_.slot("use", SlotKind::accumulator, sets_.shape({geometry_.code[0]}), {});
        builder.graph().at(use).isPerElement = sets_.perElement;
        builder.graph().at(use).of = builder.graph().slotOf(now.dictionary);
        builder.graph().at(use).resetsAfterEvaluation = true;
        builder.graph().at(use).zerosName = at_.name() + ".dead";
        if (at_.mode() == Mode::train) {
            const ValueId active = at_.add("count_active", {now.code}, sets_.with({}));
            const Pass pass = builder.pass();
            // Counts in the update pass, so that no assignment splits atoms as if they were
            // examples.
            builder.setPass(Pass::update);
            builder.write(use, at_.add("add", {builder.valueOf(use), active}));
            builder.setPass(pass);
        } else {
            cost("dead", at_.add("count_zeros", {builder.valueOf(use)}));
        }
    }

    void metric(const std::string& name, ValueId value) {
        at_.builder().addResult(at_.name() + "." + name, ResultKind::metric, value);
    }
    void cost(const std::string& name, ValueId value) {
        metric(name, value);
        at_.builder().graph().results.back().isCost = true;
    }

    ValueId counted(const Dynamics& now) {
        const std::string& count = with().text("count");
        if (count == "activations") {
            return at_.add("count_active", {now.code}, sets_.with({}));
        }
        if (count == "per_weight") {
            Attributes taps = geometry_.weights;
            taps.set("size", Shape{geometry_.input[2], geometry_.input[3]});
            return at_.add("count_taps", {now.code}, sets_.with(std::move(taps)));
        }
        // Number of positions that contribute to one set of the dictionary.
        const std::int64_t positions =
            sets_.perPosition ? 1 : geometry_.code[1] * geometry_.code[2];
        return at_.add("count_elements", {now.energy},
                       {{"each", count == "positions" ? static_cast<double>(positions) : 1.0},
                        {"per_element", sets_.perElement}});
    }

    void learn(const Dynamics& now) {
        Builder& builder = at_.builder();
        const Pass pass = builder.pass();
        builder.setPass(Pass::backward);
        const std::string& method = with().text("momentum_method");
        LayerUpdate update{.slot = builder.graph().slotOf(now.dictionary),
                           .sum = at_.add(sets_.op("conv2d_dw"), {now.residual, now.code},
                                          sets_.with(geometry_.weights)),
                           .count = counted(now),
                           .op = method == "none" ? "hebb" : "hebb_momentum",
                           .renormalise = "unit_length"};
        const auto setDims = static_cast<std::int64_t>(sets_.lead.size());
        update.attributes.set("set_dims", setDims);
        update.renormaliseWith.set("set_dims", setDims);
        update.attributes.set("weight_decay", with().real("weight_decay"));
        update.attributes.set("decay_by_rate", method == "alex");
        if (method != "none") {
            update.attributes.set("momentum", dictionaryMomentum(with()));
            update.states = {"previous"};
        }
        at_.learn(std::move(update));
        builder.setPass(pass);
    }

    Lowering& at_;
    Geometry geometry_;
    WeightSets sets_; ///< sets of the dictionary
    std::string rule_;
    ValueId signal_;           ///< half the sum of squares of x, per element
    std::vector<SlotId> kept_; ///< the slots of potential and drive
};

void lowerLca(Lowering& lowering) {
    if (!lowering.hasRank("x", 4, "lca expects [batch, channels, rows, columns]")) {
        return;
    }
    if (const std::string problem = lcaProblemOf(lowering.attributes()); !problem.empty()) {
        lowering.refuse(problem);
        return;
    }
    if (lowering.attributes().text("rest_from") == "weights" &&
        lowering.attributes().text("start") == "warm" && !lowering.has("begins")) {
        lowering.refuse("rest_from weights has no effect: potentials are never reset, since the "
                        "input begins is not wired; wire begins, or set start to rest");
        return;
    }
    if (std::optional<Geometry> geometry = geometryOf(lowering)) {
        Lca(lowering, std::move(*geometry)).run();
    }
}

/** One sample for each way in which a layer's attributes change its ops. */
std::vector<LayerSample> lcaSamples() {
    const LayerSample fixed{.inputs = {{3, 2, 8, 6}},
                            .attributes = {{"atoms", std::int64_t{5}},
                                           {"kernel", Shape{4, 4}},
                                           {"stride", Shape{2, 2}},
                                           {"iterations", std::int64_t{4}},
                                           {"threshold", 0.05},
                                           {"tau", 3.0}}};
    LayerSample adaptive = fixed;
    adaptive.attributes.set("step_rule", std::string("knee"));
    adaptive.attributes.set("base_minimum", 0.3);
    adaptive.attributes.set("base_maximum", 0.6);
    adaptive.attributes.set("two_sided", true);
    LayerSample remembering = fixed;
    remembering.attributes.set("variant", std::string("momentum"));
    remembering.attributes.set("momentum_rate", 0.2);
    remembering.attributes.set("momentum_method", std::string("simple"));
    remembering.attributes.set("start", std::string("rest"));
    LayerSample resting = fixed;
    resting.attributes.set("start", std::string("rest"));
    resting.attributes.set("rest", 0.1);
    resting.attributes.set("rest_from", std::string("weights"));
    LayerSample perElement = fixed;
    perElement.attributes.set("per_element", true);
    LayerSample perPosition = adaptive;
    perPosition.attributes.set("per_position", true);
    perPosition.attributes.set("count", std::string("activations"));
    LayerSample perBoth = remembering;
    perBoth.attributes.set("per_element", true);
    perBoth.attributes.set("per_position", true);
    return {fixed, adaptive, remembering, resting, perElement, perPosition, perBoth};
}

} // namespace

void lca(LayerList& list) {
    list.add(
        {.info = {.kind = "lca",
                  .title = "Sparse code (LCA)",
                  .category = "sparse",
                  .help = lcaHelp(),
                  .synonyms = {"sparse coding", "locally competitive", "dictionary", "petavision",
                               "hebb"},
                  .inputs = {{.name = "x", .help = "[batch, channels, rows, columns]"},
                             {.name = "begins",
                              .help = "[batch], nonzero where a movie begins; resets the element's "
                                      "potentials to rest",
                              .optional = true}},
                  .outputs = {{.name = "code", .help = "[batch, atoms, rows / stride, ...]"},
                              {.name = "reconstruction", .help = "shape of x"},
                              {.name = "residual", .help = "x minus the reconstruction"},
                              {.name = "energy", .help = "[batch], after the last iteration"}},
                  .attributes = lcaAttributes(),
                  .parameters =
                      {{.name = "weight",
                        .help = "[atoms, channels, rows, columns], the dictionary; atoms are "
                                "initialised to norm 1. per_element adds batch as the first dim, "
                                "per_position adds code rows and code columns before atoms",
                        .isDictionary = true},
                       {.name = "use",
                        .help = "[atoms], nonzero codes counted since the metric `dead` was last "
                                "reported; per_element and per_position add the same dims as to "
                                "weight; not trained"},
                       {.name = "rest",
                        .help = "[code rows, code columns, atoms], resting potentials, if "
                                "rest_from is weights; not trained"}},
                  .states = {{.name = "potential", .help = "[batch, atoms, ...], if start is warm"},
                             {.name = "drive",
                              .help = "[batch, atoms, ...], if variant is momentum"}}},
         .lower = lowerLca,
         .samples = lcaSamples()});
}

} // namespace weft::layers
