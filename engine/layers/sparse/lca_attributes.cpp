// SPDX-License-Identifier: Apache-2.0
#include "layers/sparse/lca_attributes.h"

#include "graph/step_rule.h"
#include "graph/transfer_function.h"
#include "layers/layer.h"
#include "layers/windows/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace weft::layers {

namespace {

AttributeSpec number(std::string name, double fallback, std::string help) {
    return {.name = std::move(name), .defaultValue = fallback, .help = std::move(help), .above = 0};
}

AttributeSpec share(std::string name, double fallback, std::string help) {
    return {.name = std::move(name),
            .defaultValue = fallback,
            .help = std::move(help),
            .least = 0,
            .below = 1};
}

std::vector<AttributeSpec> dictionaryAttributes() {
    AttributeSpec kernel = kernelSpec();
    kernel.defaultValue = std::vector<std::int64_t>{8, 8};
    kernel.help = "Patch size of an atom: rows and columns; one number for both.";
    kernel.required = false;
    return {{.name = "atoms",
             .defaultValue = std::int64_t{64},
             .help = "Number of atoms in the dictionary. Every atom is applied at every position.",
             .least = 1,
             .required = true},
            kernel,
            strideSpec({4, 4})};
}

std::vector<AttributeSpec> dynamicsAttributes() {
    return {
        {.name = "iterations",
         .defaultValue = std::int64_t{50},
         .help = "Iterations of the dynamics per step, for the current frame.",
         .least = 1},
        number("tau", 20.0, "Time constant of the membrane, in units of the step size."),
        {.name = "self_interaction",
         .defaultValue = true,
         .help = "Add a neuron's own code to its drive, so that it does not inhibit itself."},
        {.name = "variant",
         .defaultValue = std::string("lca"),
         .help = "lca: leaky integrator; momentum: adds a fraction of the previous drive; ista: "
                 "iterative soft thresholding (requires the soft transfer function).",
         .choices = {"lca", "momentum", "ista"}},
        share("momentum_rate", 0.0,
              "With variant momentum: fraction of the previous drive that is added."),
        {.name = "start",
         .defaultValue = std::string("warm"),
         .help = "Initial potentials for each frame. warm: those at the end of the previous frame; "
                 "rest: the resting potentials.",
         .choices = {"warm", "rest"}},
        {.name = "rest", .defaultValue = 0.0, .help = "Resting potential."},
        {.name = "rest_from",
         .defaultValue = std::string("value"),
         .help = "Source of the resting potentials. value: all equal to `rest`; weights: one per "
                 "neuron, from the tensor `rest` of the initial weights (--weights), or `rest` if "
                 "they have no such tensor.",
         .choices = {"value", "weights"}},
        {.name = "rest_spread",
         .defaultValue = 0.0,
         .help = "Resting potentials are drawn uniformly from `rest` plus or minus this value.",
         .least = 0},
        {.name = "energy",
         .defaultValue = std::string("fresh"),
         .help = "Residual used for the energy. fresh: of the code after the iteration; lagged: of "
                 "the code before it, as in PetaVision.",
         .choices = {"fresh", "lagged"}},
        {.name = "gradient",
         .defaultValue = std::string("stop"),
         .help = "stop: no gradient passes through the dynamics; through: backpropagation through "
                 "all iterations, from losses on code, reconstruction or residual, with the step "
                 "sizes held constant.",
         .choices = {"stop", "through"}},
        {.name = "step_rule",
         .defaultValue = std::string("fixed"),
         .help = "Step size rule. fixed: always `step`; basic, knee, log: adaptive step size per "
                 "batch element, which grows while the energy falls and is reset at a new frame or "
                 "when the energy rises. Step sizes are not clamped: they can fall below "
                 "base_minimum, and their cap can grow.",
         .choices = {"fixed", "basic", "knee", "log"}},
        number("step", 1.0, "Step size of an iteration, if step_rule is fixed."),
    };
}

std::vector<AttributeSpec> learningAttributes() {
    std::vector<AttributeSpec> list = {
        {.name = "count",
         .defaultValue = std::string("elements"),
         .help = "Normaliser of the dictionary update. elements: number of frames; positions: "
                 "frames times code positions; activations: nonzero codes per atom; per_weight: "
                 "nonzero codes per atom and tap, without taps outside the border.",
         .choices = {"elements", "positions", "activations", "per_weight"}},
        {.name = "momentum_method",
         .defaultValue = std::string("none"),
         .help = "Momentum m of the dictionary update, which is then m times the previous update "
                 "plus 1 - m times the new one. viscosity: m = exp(-1 / momentum_constant); "
                 "simple: m = momentum_constant; alex: as simple, with the weight decay multiplied "
                 "by the learning rate.",
         .choices = {"none", "viscosity", "simple", "alex"}},
        {.name = "momentum_constant",
         .defaultValue = 0.0,
         .help = "Sets the momentum as momentum_method says. 0: the default, which is 100 for "
                 "viscosity, 0.25 for simple and 0.9 for alex.",
         .least = 0},
        share("weight_decay", 0.0, "Weight decay of the dictionary per update, as a fraction."),
    };
    for (AttributeSpec& spec : list) {
        spec.isOfLearning = true;
    }
    return list;
}

AttributeSpec peak() {
    return {.name = "peak",
            .defaultValue = 0.0,
            .help = "Value range of the images, used for the metric psnr. 0: no such metric.",
            .least = 0};
}

void append(std::vector<AttributeSpec>& list, std::vector<AttributeSpec> more) {
    list.insert(list.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

} // namespace

std::vector<AttributeSpec> lcaAttributes() {
    std::vector<AttributeSpec> list = dictionaryAttributes();
    append(list, dynamicsAttributes());
    append(list, transferAttributes());
    append(list, stepRuleAttributes());
    append(list, learningAttributes());
    list.push_back(peak());
    return withUpdateAttributes(withSetAttributes(std::move(list), "pixel of the code"));
}

const char* lcaHelp() {
    return "Sparse coding with the locally competitive algorithm (Rozell et al. 2008). Each batch "
           "element is a network of its own: membrane potentials v evolve over `iterations` "
           "towards a sparse code of the current image, and neurons with similar atoms inhibit "
           "each other. An iteration computes the step size of each element from its energy; the "
           "drive, which is the correlation of the residual with every atom; v = e v + (1 - "
           "e)(drive + code) with e = exp(-step / tau); code = T(v); the reconstruction by the "
           "transposed correlation; and the new residual. The border is zero-padded by (kernel - "
           "stride) / 2. The dictionary learns by a Hebbian rule from the last code and its "
           "residual, with the learning rate of the design, and its atoms keep norm 1. With "
           "per_element each batch element has its own dictionary, with per_position each pixel of "
           "the code; the update of a dictionary is divided by the number of its contributions. "
           "Energy: half the squared residual plus the cost of the code, per batch element. "
           "Metrics: sparsity is the fraction of zeros in the code, activity the fraction of "
           "nonzeros, and dead the number of atoms that no code has used since the metric was last "
           "reported (after validation or, without validation data, at the end of an epoch, with a "
           "checkpoint and at the last step). Validation starts at rest and skips a short last "
           "batch. Images should have a mean near 0, for example with `normalise: deviation` of a "
           "source; otherwise atoms mostly learn the mean. To split the batch over devices use the "
           "assignment `batch`, not `data`: each element keeps its potentials on its device from "
           "step to step, and the dictionary update is reduced over the devices once in "
           "`sync_every` updates.";
}

namespace {

/// An attribute that is only read if another attribute has one of these values.
struct Bound {
    const char* name;
    const char* by;
    std::vector<std::string> words;
};

const std::vector<Bound>& bounds() {
    static const std::vector<std::string> adaptive = {"basic", "knee", "log"};
    static const std::vector<Bound> list = {
        {"threshold", "transfer", {"hard", "soft", "firm", "general"}},
        {"minimum", "transfer", {"hard", "soft", "firm", "general"}},
        {"shift", "transfer", {"general"}},
        {"width", "transfer", {"firm", "general"}},
        {"maximum", "transfer", {"hard", "soft", "firm", "general"}},
        {"points_v", "transfer", {"points"}},
        {"points_a", "transfer", {"points"}},
        {"slope_below", "transfer", {"points"}},
        {"slope_above", "transfer", {"points"}},
        {"rest_spread", "rest_from", {"value"}},
        {"step", "step_rule", {"fixed"}},
        {"base_minimum", "step_rule", adaptive},
        {"base_maximum", "step_rule", adaptive},
        {"tau_factor", "step_rule", adaptive},
        {"growth_factor", "step_rule", adaptive},
        {"knee_threshold", "step_rule", {"knee"}},
        {"knee_slope", "step_rule", {"knee"}},
        {"log_threshold", "step_rule", {"log"}},
        {"log_slope", "step_rule", {"log"}},
        {"momentum_rate", "variant", {"momentum"}},
        {"self_interaction", "variant", {"lca", "momentum"}},
        {"momentum_constant", "momentum_method", {"viscosity", "simple", "alex"}}};
    return list;
}

/// Returns an attribute that is set although nothing reads it.
std::string idleAttributeOf(const Attributes& attributes) {
    static const std::vector<AttributeSpec> specs = lcaAttributes();
    for (const Bound& bound : bounds()) {
        const auto spec = std::ranges::find(specs, bound.name, &AttributeSpec::name);
        const std::string& word = attributes.text(bound.by);
        if (*attributes.find(bound.name) != spec->defaultValue &&
            std::ranges::find(bound.words, word) == bound.words.end()) {
            return fmt::format("{} has no effect with {} {}: remove it, or set {} to {}",
                               bound.name, bound.by, word, bound.by, bound.words.front());
        }
    }
    return {};
}

} // namespace

std::string lcaProblemOf(const Attributes& attributes) {
    if (std::string problem = TransferFunction::problemOf(attributes); !problem.empty()) {
        return problem;
    }
    if (attributes.text("variant") == "ista" && attributes.text("transfer") != "soft") {
        return "the variant ista requires the soft transfer function: set transfer to soft";
    }
    if (attributes.text("step_rule") == "log" &&
        attributes.real("log_threshold") <= attributes.real("base_maximum")) {
        return "log_threshold must be above base_maximum";
    }
    if (const double constant = attributes.real("momentum_constant");
        constant >= 1 && attributes.text("momentum_method") != "viscosity") {
        return "momentum_constant is a fraction of the previous update and must be below 1, except "
               "with viscosity";
    }
    return idleAttributeOf(attributes);
}

double dictionaryMomentum(const Attributes& attributes) {
    const std::string& method = attributes.text("momentum_method");
    const double given = attributes.real("momentum_constant");
    const double own = method == "viscosity" ? 100 : method == "simple" ? 0.25 : 0.9;
    const double constant = given == 0 ? own : given;
    return method == "viscosity" ? std::exp(-1 / constant) : constant;
}

Attributes selected(const Attributes& attributes, const std::vector<AttributeSpec>& specs) {
    Attributes some;
    for (const AttributeSpec& spec : specs) {
        if (const AttributeValue* value = attributes.find(spec.name)) {
            some.set(spec.name, *value);
        }
    }
    return some;
}

} // namespace weft::layers
