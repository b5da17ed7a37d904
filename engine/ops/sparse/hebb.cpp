// SPDX-License-Identifier: Apache-2.0
// The update of a dictionary w [atoms, ...] by a sum over elements and positions and the divisor of
// that sum: one number, one per atom, or one per atom and tap. With
// h = rate_scale rate sum / count (0 where the count is 0):
//   hebb:          w' = w + h - weight_decay w
//   hebb_momentum: d = (1 - momentum) h + momentum previous - weight_decay w; w' = w + d
// or, with decay_by_rate, with the decay times rate_scale rate.
// unit_length: each atom divided by its length; an atom of length 0 stays.
// Counts, as floating-point numbers: count_elements of x [batch], times `each`; count_active: per
// atom the codes that are not 0; count_taps: per atom and tap those whose tap lies inside the
// border; count_zeros: the numbers that are 0. Each of several sets of atoms is counted separately;
// `set_dims` dims then precede the atoms, and a set may have a single count.
#include "ops/elementwise.h"
#include "ops/sets.h"
#include "ops/windows/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

const AttributeSpec weightDecaySpec = {.name = "weight_decay",
                                       .defaultValue = 0.0,
                                       .help = "Fraction of the weights that an update subtracts."};
const AttributeSpec decayByRateSpec = {.name = "decay_by_rate",
                                       .defaultValue = false,
                                       .help = "Scale the weight decay by the learning rate."};
const AttributeSpec rateScaleSpec = {
    .name = "rate_scale", .defaultValue = 1.0, .help = "Factor on the learning rate."};
const char* const neverPartial = "a parameter is never stored as Partial";

/// Returns the dims of w that the count has: those up to the atom, and the taps after it.
template <class List>
List countDims(const List& w, std::size_t rank, std::size_t atom) {
    List dims(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(std::min(rank, atom + 1)));
    if (rank > atom + 1) {
        dims.insert(dims.end(), w.end() - 2, w.end());
    }
    return dims;
}

bool isCount(const Shape& count, const Shape& w, std::size_t atom) {
    const bool fits = count.size() <= atom + 1 || w.size() == atom + 4;
    return fits && count.size() <= w.size() && count == countDims(w, count.size(), atom);
}

std::size_t atomDim(const Attributes& attributes) {
    return static_cast<std::size_t>(attributes.integer("set_dims"));
}

bool hasAtoms(ShapeInference& inference, std::string_view takes) {
    if (!hasDims(inference, 0, takes)) {
        return false;
    }
    if (inference.shape(0).size() <= atomDim(inference.attributes())) {
        inference.refuse(fmt::format("{} has no dim of atoms after its {} dims of sets",
                                     toString(inference.shape(0)),
                                     atomDim(inference.attributes())));
    }
    return !inference.isRefused();
}

void updateShape(ShapeInference& inference) {
    likeFirst(inference);
    hasShape(inference, 1, inference.shape(0), "the sum");
    if (!hasAtoms(inference, "hebb expects [atoms, ...]")) {
        return;
    }
    if (!isCount(inference.shape(2), inference.shape(0), atomDim(inference.attributes()))) {
        inference.refuse(fmt::format("the count is {}; expected one number in all, per set, per "
                                     "atom, or per atom and tap of {}",
                                     toString(inference.shape(2)), toString(inference.shape(0))),
                         2);
    }
    if (inference.inputs() == 5) {
        hasShape(inference, 3, inference.shape(0), "the previous update");
    }
    hasShape(inference, inference.inputs() - 1, {}, "the learning rate");
}

/// The atom's letter is that of its dim.
std::string updatePlacement(const Signature& s) {
    const std::vector<std::string> letters = dimLetters(s.inputs[0].shape.size());
    const std::string w = joined(letters);
    const std::string count =
        joined(countDims(letters, s.inputs[2].shape.size(), atomDim(s.attributes)));
    return s.inputs.size() == 4 ? fmt::format("~{0}, ~{0}, ~{1}, ~() -> {0}", w, count)
                                : fmt::format("~{0}, ~{0}, ~{1}, ~{0}, ~() -> {0}, {0}", w, count);
}

std::vector<Sample> updateSamples(bool remembers) {
    std::vector<Sample> samples;
    const std::vector<std::tuple<Shape, Shape, std::int64_t>> cases = {
        {{4, 10}, {}, 0},
        {{1, 1}, {1}, 0},
        {{5, 2, 3, 3}, {5}, 0},
        {{3, 2, 3, 2}, {3, 3, 2}, 0},
        {{4, 3, 2, 3, 3}, {4}, 1},
        {{3, 4, 3, 2, 3, 3}, {}, 2},
        {{3, 4, 3, 5, 2, 3, 2}, {3, 4, 3, 5}, 3},
        {{3, 5, 2, 3, 4}, {3, 5, 3, 4}, 1}};
    for (const auto& [w, count, sets] : cases) {
        Sample sample{
            .inputs = {w, w, count},
            .attributes = {{"weight_decay", 0.1}, {"rate_scale", 0.5}, {"set_dims", sets}},
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
            .help = "One update of a dictionary: w' = w + rate sum / count - weight_decay w.",
            .inputs = {{"w"}, {"sum"}, {"count"}, {"rate", OperandType::number}},
            .outputs = {"w_next"},
            .attributes = {weightDecaySpec, decayByRateSpec, rateScaleSpec, setDimsAttribute()},
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
            .help = "One update of a dictionary with momentum: d = (1 - momentum) rate sum / count "
                    "+ momentum previous - weight_decay w, w' = w + d.",
            .inputs = {{"w"}, {"sum"}, {"count"}, {"previous"}, {"rate", OperandType::number}},
            .outputs = {"w_next", "previous_next"},
            .attributes = {weightDecaySpec,
                           decayByRateSpec,
                           rateScaleSpec,
                           setDimsAttribute(),
                           {.name = "momentum",
                            .defaultValue = 0.9,
                            .help = "Momentum m: the update is m times the previous one plus 1 - m "
                                    "times the new one."}},
            .shape = updateShape,
            .placementOf = updatePlacement,
            .cost = perElement(8),
            .inPlace = {{0, 0}, {3, 1}},
            .samples = updateSamples(true),
            .undeclaredRows = {fmt::format("P, P, R, P, R -> P, P: {}", neverPartial),
                               fmt::format("P, R, R, P, P -> P, P: {}", neverPartial)}};
}

Op unitLength() {
    return {
        .name = "unit_length",
        .help = "Divides each atom by its length.",
        .inputs = {{"w"}},
        .outputs = {"y"},
        .attributes = {setDimsAttribute()},
        .shape =
            [](ShapeInference& inference) {
                likeFirst(inference);
                (void)hasAtoms(inference, "unit_length expects [atoms, ...]");
            },
        .placementOf =
            [](const Signature& s) {
                std::vector<std::string> letters = dimLetters(s.inputs[0].shape.size());
                for (std::size_t k = atomDim(s.attributes) + 1; k < letters.size(); ++k) {
                    letters[k] += "!";
                }
                return fmt::format("~{0} -> {0}", joined(letters));
            },
        .cost = perElement(3),
        .inPlace = {{0, 0}},
        .samples = {{.inputs = {{4, 10}}},
                    {.inputs = {{1, 1}}},
                    {.inputs = {{5, 2, 3, 3}}},
                    {.inputs = {{3, 4, 2, 3, 3}}, .attributes = {{"set_dims", std::int64_t{1}}}},
                    {.inputs = {{3, 4, 3, 5, 6}}, .attributes = {{"set_dims", std::int64_t{3}}}}}};
}

Op countElements() {
    return {.name = "count_elements",
            .help = "The number of batch elements, times a factor.",
            .inputs = {{"x"}},
            .outputs = {"count"},
            .attributes = {{.name = "each",
                            .defaultValue = 1.0,
                            .help = "Number that each batch element adds to the count."},
                           perElementAttribute()},
            .shape =
                [](ShapeInference& inference) {
                    if (inference.shape(0).size() != 1) {
                        inference.refuse("count_elements expects one number per batch element");
                        return;
                    }
                    inference.output(0) = {inference.input(0).dtype,
                                           inference.attributes().boolean("per_element")
                                               ? inference.shape(0)
                                               : Shape{}};
                },
            .placementOf =
                [](const Signature& s) {
                    return s.attributes.boolean("per_element") ? "~b -> b" : "~b -> ()";
                },
            .cost = [](const Signature&) { return Flops{1}; },
            .samples = {{.inputs = {{7}}, .attributes = {{"each", 9.0}}},
                        {.inputs = {{1}}},
                        {.inputs = {{7}}, .attributes = {{"each", 9.0}, {"per_element", true}}}},
            .undeclaredRows = {"P -> R: the count does not depend on the numbers in x"}};
}

/// Sets some of a sample's numbers to 0.
std::vector<ValueId> sparse(Builder& builder, const std::vector<ValueId>& drawn) {
    return {builder.add("transfer", {drawn[0]}, {{"transfer", std::string("hard")}})};
}

Op countZeros() {
    return {.name = "count_zeros",
            .help = "The number of elements that are 0.",
            .inputs = {{"x"}},
            .outputs = {"count"},
            .shape =
                [](ShapeInference& inference) {
                    inference.output(0) = {inference.input(0).dtype, {}};
                },
            .placementOf =
                [](const Signature& s) {
                    return fmt::format("~{} -> ()", joined(dimLetters(s.inputs[0].shape.size())));
                },
            .cost = perElement(1),
            .samples = {{.inputs = {{2, 3, 4, 5}}, .operands = sparse},
                        {.inputs = {{5, 7}}, .operands = sparse},
                        {.inputs = {{1}}, .operands = sparse}}};
}

/// Returns the letters of a count for a code [batch, atoms, y, x].
std::string countedLetters(const Signature& s, const std::vector<std::string>& own) {
    std::vector<std::string> letters = Sets(s.attributes).lead(dimLetters(4), 1);
    letters.insert(letters.end(), own.begin(), own.end());
    return joined(letters);
}

Op countActive() {
    return {.name = "count_active",
            .help = "The number of codes of each atom that are not 0.",
            .inputs = {{"a"}},
            .outputs = {"count"},
            .attributes = {perElementAttribute(), perPositionAttribute()},
            .shape =
                [](ShapeInference& inference) {
                    if (isPicture(inference, 0, "code", "count_active")) {
                        inference.output(0) = {
                            inference.input(0).dtype,
                            joinedDims(Sets(inference.attributes()).lead(inference.shape(0), 1),
                                       {inference.shape(0)[1]})};
                    }
                },
            .placementOf =
                [](const Signature& s) {
                    return fmt::format("~b o y x -> {}", countedLetters(s, {"o"}));
                },
            .cost = perElement(1),
            .samples = {{.inputs = {{2, 3, 4, 5}}, .operands = sparse},
                        {.inputs = {{1, 1, 1, 1}}, .operands = sparse},
                        {.inputs = {{4, 3, 5, 4}},
                         .attributes = withSets({}, true, false),
                         .operands = sparse},
                        {.inputs = {{4, 3, 5, 4}},
                         .attributes = withSets({}, false, true),
                         .operands = sparse},
                        {.inputs = {{4, 3, 5, 4}},
                         .attributes = withSets({}, true, true),
                         .operands = sparse}}};
}

void tapShape(ShapeInference& inference) {
    if (!isPicture(inference, 0, "code", "count_taps")) {
        return;
    }
    const Windows windows = windowsOf(inference.attributes());
    const auto size = pairOf(inference.attributes(), "size");
    Shape expected;
    if (inferWindows(inference, windows, {inference.shape(0)[0], 1, size[0], size[1]}, expected)) {
        expected[1] = inference.shape(0)[1];
        hasShape(inference, 0, expected, "code");
        inference.output(0) = {
            inference.input(0).dtype,
            joinedDims(Sets(inference.attributes()).lead(inference.shape(0), 1),
                       {inference.shape(0)[1], windows.kernel[0], windows.kernel[1]})};
    }
}

std::vector<Sample> tapSamples() {
    const Attributes four = {{"stride", List{2, 2}},
                             {"padding", List{1, 1, 1, 1}},
                             {"kernel", List{4, 4}},
                             {"size", List{8, 8}}};
    std::vector<Sample> samples = {
        {.inputs = {{2, 3, 4, 4}}, .attributes = four, .operands = sparse},
        {.inputs = {{1, 1, 1, 1}},
         .attributes = {{"kernel", List{1, 1}}, {"size", List{1, 1}}},
         .operands = sparse}};
    for (const auto& [perElement, perPosition] :
         {std::pair{true, false}, {false, true}, {true, true}}) {
        samples.push_back({.inputs = {{3, 3, 4, 4}},
                           .attributes = withSets(four, perElement, perPosition),
                           .operands = sparse});
    }
    return samples;
}

Op countTaps() {
    return {.name = "count_taps",
            .help = "The number of codes of each atom and tap that are not 0 and whose tap lies "
                    "inside the border.",
            .inputs = {{"a"}},
            .outputs = {"count"},
            .attributes = {strideAttribute(), paddingAttribute(), dilationAttribute(),
                           kernelAttribute(), sizeAttribute(), perElementAttribute(),
                           perPositionAttribute()},
            .shape = tapShape,
            .placementOf =
                [](const Signature& s) {
                    return fmt::format("~b o y x -> {}", countedLetters(s, {"o", "ky!", "kx!"}));
                },
            .letterSizes = taps,
            .cost =
                [](const Signature& s) {
                    return Flops{s.inputs[0].elements() *
                                 elementsOf(lastDims(s.outputs[0].shape, 2))};
                },
            .samples = tapSamples()};
}

} // namespace

void hebb(OpList& list) {
    list.add(update());
    list.add(updateWithMomentum());
    list.add(unitLength());
    list.add(countElements());
    list.add(countZeros());
    list.add(countActive());
    list.add(countTaps());
}

} // namespace weft::ops
