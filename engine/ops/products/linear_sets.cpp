// SPDX-License-Identifier: Apache-2.0
// linear with a set of weights for each batch element, for each position, or both: y[b, t, o] =
// sum_i x[b, t, i] w[b, t, o, i], w without the dims that share a set. Gradients: dx = dy w, and dw
// = dy^T x, summed over what shares a set.
#include "graph/builder.h"
#include "ops/elementwise.h"
#include "ops/sets.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

/// True if the operand is [batch, features] or [batch, time, features].
bool isOfExamples(ShapeInference& inference, std::size_t input) {
    const std::size_t rank = inference.shape(input).size();
    if (rank == 2 || rank == 3) {
        return true;
    }
    inference.refuse(fmt::format("input is {}; dense expects [batch, features]",
                                 toString(inference.shape(input))),
                     input, rank > 3 ? "flatten" : "");
    return false;
}

/// The letters of a map whose last dim is `feature`, and of the weights.
struct SetLetters {
    std::string map, weights;

    SetLetters(const Signature& s, const char* feature) {
        const std::size_t rank = s.inputs[0].shape.size();
        std::vector<std::string> letters = dimLetters(rank);
        std::vector<std::string> lead = Sets(s.attributes).lead(letters, rank - 1);
        letters.back() = feature;
        map = joined(letters);
        lead.insert(lead.end(), {"o", "i"});
        weights = joined(lead);
    }
};

std::string setMapOf(const Signature& s, const char* feature) { return SetLetters(s, feature).map; }
std::string setWeightsOf(const Signature& s) { return SetLetters(s, "o").weights; }

/// Shape rule for x and weights, or, if isTurned, for dy and weights.
void inferSetProduct(ShapeInference& inference, bool isTurned) {
    if (!isOfExamples(inference, 0)) {
        return;
    }
    const Shape& x = inference.shape(0);
    if (!hasLead(inference, 1, Sets(inference.attributes()).lead(x, x.size() - 1), 2)) {
        return;
    }
    const Shape w = lastDims(inference.shape(1), 2);
    const std::int64_t taken = isTurned ? w[0] : w[1];
    if (x.back() != taken) {
        inference.refuse(fmt::format("input is {}; weights {} expect {} features", toString(x),
                                     toString(inference.shape(1)), taken));
        return;
    }
    inference.output(0).shape = x;
    inference.output(0).shape.back() = isTurned ? w[1] : w[0];
}

void inferSetWeightGradient(ShapeInference& inference) {
    if (!isOfExamples(inference, 0)) {
        return;
    }
    const Shape& dy = inference.shape(0);
    Shape x = dy;
    x.back() = inference.shape(1).empty() ? 0 : inference.shape(1).back();
    if (hasShape(inference, 1, x, "input")) {
        inference.output(0).shape =
            joinedDims(Sets(inference.attributes()).lead(dy, dy.size() - 1), {dy.back(), x.back()});
    }
}

Flops setProducts(const Signature& signature, std::int64_t with) {
    return Flops{2 * signature.inputs[0].elements() * with};
}

struct LinearSetCase {
    Shape map; ///< without its features
    bool perElement, perPosition;
};

/// Returns samples for [map..., features] and further operands.
std::vector<Sample>
linearSetSamples(std::int64_t features,
                 const std::function<Shape(const Shape& lead, const Shape& map)>& of) {
    std::vector<Sample> samples;
    for (const LinearSetCase& one :
         {LinearSetCase{{5}, true, false}, LinearSetCase{{3, 4}, true, false},
          LinearSetCase{{3, 5}, false, true}, LinearSetCase{{4, 3}, true, true},
          LinearSetCase{{1, 1}, true, true}}) {
        const Attributes attributes = withSets({}, one.perElement, one.perPosition);
        const Shape x = joinedDims(one.map, {features});
        samples.push_back({.inputs = {x, of(Sets(attributes).lead(x, x.size() - 1), one.map)},
                           .attributes = attributes});
    }
    return samples;
}

std::vector<Sample> linearSetProducts(std::int64_t features, const Shape& weights) {
    return linearSetSamples(
        features, [&](const Shape& lead, const Shape&) { return joinedDims(lead, weights); });
}

void differentiateSetProduct(Gradient& gradient) {
    if (gradient.needsGradient(0)) {
        gradient.set(0, gradient.add("linear_sets_dx", {gradient.dy(), gradient.input(1)},
                                     gradient.attributes()));
    }
    if (gradient.needsGradient(1)) {
        gradient.set(1, gradient.add("linear_sets_dw", {gradient.dy(), gradient.input(0)},
                                     gradient.attributes()));
    }
}

Op setsForward() {
    return {.name = "linear_sets",
            .help = "y = x w^T, with a set of weights per batch element, position, or both.",
            .inputs = {{"x"}, {"w"}},
            .outputs = {"y"},
            .attributes = {perElementAttribute(), perPositionAttribute()},
            .shape = [](ShapeInference& inference) { inferSetProduct(inference, false); },
            .gradient = differentiateSetProduct,
            .placementOf =
                [](const Signature& s) {
                    return fmt::format("{}, {} -> {}", setMapOf(s, "i"), setWeightsOf(s),
                                       setMapOf(s, "o"));
                },
            .cost =
                [](const Signature& signature) {
                    return setProducts(signature, signature.outputs[0].shape.back());
                },
            .samples = linearSetProducts(7, {6, 7})};
}

Op setsInputGradient() {
    return {.name = "linear_sets_dx",
            .help = "Gradient of linear_sets with respect to its input: dx = dy w.",
            .inputs = {{"dy"}, {"w"}},
            .outputs = {"dx"},
            .attributes = {perElementAttribute(), perPositionAttribute()},
            .shape = [](ShapeInference& inference) { inferSetProduct(inference, true); },
            .placementOf =
                [](const Signature& s) {
                    return fmt::format("{}, {} -> {}", setMapOf(s, "o"), setWeightsOf(s),
                                       setMapOf(s, "i"));
                },
            .cost =
                [](const Signature& signature) {
                    return setProducts(signature, signature.outputs[0].shape.back());
                },
            .samples = linearSetProducts(6, {6, 7})};
}

Op setsWeightGradient() {
    return {.name = "linear_sets_dw",
            .help = "Gradient of linear_sets with respect to its weights: sums dy^T x over what "
                    "shares a set.",
            .inputs = {{"dy"}, {"x"}},
            .outputs = {"dw"},
            .attributes = {perElementAttribute(), perPositionAttribute()},
            .shape = inferSetWeightGradient,
            .placementOf =
                [](const Signature& s) {
                    return fmt::format("{}, {} -> {}", setMapOf(s, "o"), setMapOf(s, "i"),
                                       setWeightsOf(s));
                },
            .cost =
                [](const Signature& signature) {
                    return setProducts(signature, signature.inputs[1].shape.back());
                },
            .samples = linearSetSamples(
                6, [](const Shape&, const Shape& map) { return joinedDims(map, {7}); })};
}

} // namespace

void linear_sets(OpList& list) {
    list.add(setsForward());
    list.add(setsInputGradient());
    list.add(setsWeightGradient());
}

} // namespace weft::ops
