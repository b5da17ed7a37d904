// SPDX-License-Identifier: Apache-2.0
// The update of a dictionary w [atoms, ...] by the sum that elements and positions ask for, and
// what that sum is divided by: one number, one per atom, or one per atom and tap. With
// h = rate_scale rate sum / count (0 where the count is 0):
//   hebb:          w' = w + h - weight_decay w
//   hebb_momentum: d = (1 - momentum) h + momentum previous - weight_decay w; w' = w + d
// or, decay_by_rate, with the decay times rate_scale rate.
// unit_length: each atom over its length; one of length 0 stays.
// Counts, as floating numbers: count_elements of x [batch], times `each`; count_active: per
// atom the codes that are not 0; count_taps: per atom and tap those whose tap lies inside the
// border.
#include "ops/elementwise.h"
#include "ops/windows.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

const AttributeSpec weightDecaySpec = {.name = "weight_decay",
                                       .fallback = 0.0,
                                       .help = "pulls weights towards zero, by its own share"};
const AttributeSpec decayByRateSpec = {
    .name = "decay_by_rate", .fallback = false, .help = "whether the decay is scaled by the rate"};
const AttributeSpec rateScaleSpec = {
    .name = "rate_scale", .fallback = 1.0, .help = "multiplies the learning rate"};
const char* const neverPartial = "a parameter is never kept as a sum";

bool isCount(const Shape& count, const Shape& w) {
    return count.empty() || (count.size() == 1 && count[0] == w[0]) ||
           (count.size() == 3 && w.size() == 4 && count == Shape{w[0], w[2], w[3]});
}

void updateShape(Inference& at) {
    likeFirst(at);
    hasShape(at, 1, at.shape(0), "the sum");
    if (!hasDims(at, 0, "hebb takes [atoms, ...]")) {
        return;
    }
    if (!isCount(at.shape(2), at.shape(0))) {
        at.refuse(fmt::format("the count is {}; it is one number, one per atom, or one per atom "
                              "and tap of {}",
                              toString(at.shape(2)), toString(at.shape(0))),
                  2);
    }
    if (at.inputs() == 5) {
        hasShape(at, 3, at.shape(0), "the previous update");
    }
    hasShape(at, at.inputs() - 1, {}, "the learning rate");
}

std::string countLetters(std::size_t rank) { return rank == 0 ? "()" : rank == 1 ? "b" : "b y x"; }

/// An atom's letter is that of dim 0.
std::string updatePlacement(const Signature& s) {
    const std::string w = joined(dimLetters(s.inputs[0].shape.size()));
    const std::string count = countLetters(s.inputs[2].shape.size());
    return s.inputs.size() == 4 ? fmt::format("~{0}, ~{0}, ~{1}, ~() -> {0}", w, count)
                                : fmt::format("~{0}, ~{0}, ~{1}, ~{0}, ~() -> {0}, {0}", w, count);
}

std::vector<Sample> updateSamples(bool remembers) {
    std::vector<Sample> samples;
    const std::vector<std::pair<Shape, Shape>> cases = {
        {{4, 10}, {}}, {{1, 1}, {1}}, {{5, 2, 3, 3}, {5}}, {{3, 2, 3, 2}, {3, 3, 2}}};
    for (const auto& [w, count] : cases) {
        Sample sample{.inputs = {w, w, count},
                      .attributes = {{"weight_decay", 0.1}, {"rate_scale", 0.5}},
                      .positive = true};
        if (remembers) {
            sample.inputs.push_back(w);
            sample.attributes.set("momentum", 0.7);
            sample.attributes.set("decay_by_rate", true);
        }
        sample.inputs.emplace_back();
        samples.push_back(std::move(sample));
    }
    return samples;
}

Op update() {
    return {.name = "hebb",
            .inputs = {{"w"}, {"sum"}, {"count"}, {"rate", Operand::number}},
            .outputs = {"w_next"},
            .attributes = {weightDecaySpec, decayByRateSpec, rateScaleSpec},
            .shape = updateShape,
            .placementOf = updatePlacement,
            .cost = perElement(5),
            .inPlace = {{0, 0}},
            .samples = updateSamples(false),
            .undeclaredRows = {fmt::format("P, P, R, R -> P: {}", neverPartial),
                               fmt::format("P, R, R, P -> P: {}", neverPartial)}};
}

Op updateWithMomentum() {
    return {.name = "hebb_momentum",
            .inputs = {{"w"}, {"sum"}, {"count"}, {"previous"}, {"rate", Operand::number}},
            .outputs = {"w_next", "previous_next"},
            .attributes = {weightDecaySpec,
                           decayByRateSpec,
                           rateScaleSpec,
                           {.name = "momentum",
                            .fallback = 0.9,
                            .help = "share of the last update in this one"}},
            .shape = updateShape,
            .placementOf = updatePlacement,
            .cost = perElement(8),
            .inPlace = {{0, 0}, {3, 1}},
            .samples = updateSamples(true),
            .undeclaredRows = {fmt::format("P, P, R, P, R -> P, P: {}", neverPartial),
                               fmt::format("P, R, R, P, P -> P, P: {}", neverPartial)}};
}

Op unitLength() {
    return {.name = "unit_length",
            .inputs = {{"w"}},
            .outputs = {"y"},
            .shape =
                [](Inference& at) {
                    likeFirst(at);
                    (void)hasDims(at, 0, "unit_length takes [atoms, ...]");
                },
            .placementOf =
                [](const Signature& s) {
                    std::vector<std::string> letters = dimLetters(s.inputs[0].shape.size());
                    for (std::size_t k = 1; k < letters.size(); ++k) {
                        letters[k] += "!";
                    }
                    return fmt::format("~{0} -> {0}", joined(letters));
                },
            .cost = perElement(3),
            .inPlace = {{0, 0}},
            .samples = {{.inputs = {{4, 10}}}, {.inputs = {{1, 1}}}, {.inputs = {{5, 2, 3, 3}}}}};
}

Op countElements() {
    return {
        .name = "count_elements",
        .inputs = {{"x"}},
        .outputs = {"count"},
        .attributes = {{.name = "each", .fallback = 1.0, .help = "what every element counts for"}},
        .shape =
            [](Inference& at) {
                if (at.shape(0).size() != 1) {
                    at.refuse("count_elements takes one number per element of the batch");
                }
                at.output(0) = {at.input(0).dtype, {}};
            },
        .placement = "~b -> ()",
        .cost = [](const Signature&) { return Flops{1}; },
        .samples = {{.inputs = {{7}}, .attributes = {{"each", 9.0}}}, {.inputs = {{1}}}},
        .undeclaredRows = {"P -> R: what is counted is there before it is added up"}};
}

/// Some of them 0.
std::vector<ValueId> sparse(Builder& builder, const std::vector<ValueId>& drawn) {
    return {builder.add("transfer", {drawn[0]}, {{"transfer", std::string("hard")}})};
}

Op countActive() {
    return {.name = "count_active",
            .inputs = {{"a"}},
            .outputs = {"count"},
            .shape =
                [](Inference& at) {
                    if (isPicture(at, 0, "code", "count_active")) {
                        at.output(0) = {at.input(0).dtype, {at.shape(0)[1]}};
                    }
                },
            .placement = "~b o y x -> o",
            .cost = perElement(1),
            .samples = {{.inputs = {{2, 3, 4, 5}}, .operands = sparse},
                        {.inputs = {{1, 1, 1, 1}}, .operands = sparse}}};
}

void tapShape(Inference& at) {
    if (!isPicture(at, 0, "code", "count_taps")) {
        return;
    }
    const Windows windows = windowsOf(at.attributes());
    const auto size = pairOf(at.attributes(), "size");
    Shape expected;
    if (inferWindows(at, windows, {at.shape(0)[0], 1, size[0], size[1]}, expected)) {
        expected[1] = at.shape(0)[1];
        hasShape(at, 0, expected, "code");
        at.output(0) = {at.input(0).dtype, {at.shape(0)[1], windows.kernel[0], windows.kernel[1]}};
    }
}

Op countTaps() {
    return {.name = "count_taps",
            .inputs = {{"a"}},
            .outputs = {"count"},
            .attributes = {strideAttribute(), paddingAttribute(), dilationAttribute(),
                           kernelAttribute(), sizeAttribute()},
            .shape = tapShape,
            .placement = "~b o y x -> o ky! kx!",
            .letterSizes = taps,
            .cost =
                [](const Signature& s) {
                    return Flops{s.inputs[0].elements() * s.outputs[0].elements() /
                                 s.outputs[0].shape[0]};
                },
            .samples = {{.inputs = {{2, 3, 4, 4}},
                         .attributes = {{"stride", List{2, 2}},
                                        {"padding", List{1, 1, 1, 1}},
                                        {"kernel", List{4, 4}},
                                        {"size", List{8, 8}}},
                         .operands = sparse},
                        {.inputs = {{1, 1, 1, 1}},
                         .attributes = {{"kernel", List{1, 1}}, {"size", List{1, 1}}},
                         .operands = sparse}}};
}

} // namespace

void hebb(OpList& list) {
    list.add(update());
    list.add(updateWithMomentum());
    list.add(unitLength());
    list.add(countElements());
    list.add(countActive());
    list.add(countTaps());
}

} // namespace weft::ops
