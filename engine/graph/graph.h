// SPDX-License-Identifier: Apache-2.0
#pragma once
// The typed, device-independent program that a design lowers to: values, nodes (an op applied) and
// slots, with forward, backward and update. Nodes are in an order in which they can run. Every
// value has exactly one producer: a node, a feed or a slot.

#include <weft/attributes.h>
#include <weft/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct Op;
struct Graph;

using ValueId = Id<struct ValueTag>;
using NodeId = Id<struct NodeTag>;
using SlotId = Id<struct SlotTag>;

struct Value {
    DType dtype = DType::f32;
    Shape shape;
    NodeId producer;          ///< none for a feed or a slot
    std::uint32_t output = 0; ///< index among the producer's results
    std::string name;         ///< "conv1.y": for messages, plans and pictures
    bool operator==(const Value&) const = default;
};

/// The letter that an assignment splits at one node, if the reserved letters do not determine it. A
/// letter names a dim in the placement string of the op.
struct AssignmentLetter {
    std::string word;   ///< assignment: "model.stack"
    std::string letter; ///< the dim to split: "h"; empty: this node cannot follow the assignment
    std::int64_t grain = 1; ///< parts have a multiple of this many elements
    bool operator==(const AssignmentLetter&) const = default;
};

struct Node {
    const Op* op = nullptr;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    Attributes attributes; ///< completed with the op's defaults
    Origin origin;
    Pass pass = Pass::forward;
    std::string role; ///< tells ops of one layer apart: "weight"; part of names and random keys
    std::vector<AssignmentLetter> letters = {}; ///< what assignments split here
    std::shared_ptr<const Graph> body = {};     ///< only for the op `repeat`
    bool operator==(const Node&) const = default;
};

enum class SlotKind : std::uint8_t {
    parameter,
    optimizerState, ///< momentum, moments
    statistics,     ///< running mean and variance
    layerState,     ///< what a layer remembers from one batch to the next
    accumulator     ///< sum of gradients over several steps
};
[[nodiscard]] std::string_view nameOf(SlotKind kind);

/// Returns the random key of an op's draws, from run seed, origin and role. It does not depend on
/// the device.
[[nodiscard]] std::uint64_t randomKeyOf(const Node& node, std::uint64_t seed);

/// Initial contents of a slot: "zeros", "constant" {value}, "uniform" {low, high}, "normal" {mean,
/// deviation}, "xavier" and "he" {fan_in, fan_out, distribution, gain}, "unit": normal, with each
/// row of dim 0 scaled to length 1. Drawn by Philox from run seed, slot name and logical element. A
/// slot with several sets also has {set_dims}, the number of dims before those of one set, and
/// {sets_alike}.
struct Initialiser {
    std::string kind = "zeros"; ///< "constant", "uniform", "normal", "xavier", "he", "unit"
    Attributes attributes = {};
    bool operator==(const Initialiser&) const = default;
};

/// A value that outlives a step. Ops read it as `value`; a training step may write it as `next`.
struct Slot {
    std::string name; ///< "fc6.weight", "fc6.weight/momentum": unique, the name in checkpoints
    SlotKind kind = SlotKind::parameter;
    DType dtype = DType::f32;
    Shape shape;
    Initialiser initialiser;
    Origin origin;
    ValueId value;
    ValueId next = {};            ///< none: this program does not write the slot
    SlotId of = {};               ///< for optimizer state: the slot of its parameter
    double learningRateScale = 1; ///< multiplies the learning rate
    double decayScale = 1;        ///< multiplies the weight decay
    bool frozen = false;
    bool resetsAfterEvaluation = false; ///< reset after each evaluation
    bool isPerElement = false;          ///< dim 0 is the batch: each batch element has its own
    bool isCount = false;               ///< the count that divides a parameter's sum over a period
    std::string zerosName = {};   ///< metric of its zeros, whose report resets it; empty: none
    std::string storedAs = {};    ///< tensor in files of which it is some rows; empty: its own
    std::int64_t storedFirst = 0; ///< its first row there
    bool operator==(const Slot&) const = default;
};

enum class FeedKind : std::uint8_t {
    data,    ///< an input layer's examples, [batch, ...]
    argument ///< a number that changes from step to step: "learning_rate", "step", "rows"
};

struct Feed {
    std::string name; ///< for data: the input layer's name
    FeedKind kind = FeedKind::data;
    ValueId value;
    Origin origin = {};
    bool operator==(const Feed&) const = default;
};

enum class ResultKind : std::uint8_t {
    loss,
    total, ///< sum of the losses, which training minimises; of the energies if there is no loss
    metric,
    output, ///< a layer's, for inference
    norm,   ///< squared, over all gradients
    energy, ///< minimised by a layer's dynamics
    series  ///< a number per iteration: [iterations, batch]
};

/// A number or value that a program returns after each step.
struct Result {
    std::string name; ///< "loss", "accuracy"
    ResultKind kind = ResultKind::output;
    ValueId value;
    Origin origin = {};
    bool isCost = false; ///< a metric that is better when it is smaller
    bool operator==(const Result&) const = default;
};

/// True for losses, energies and metrics with isCost.
[[nodiscard]] bool isLessBetter(const Result& result);

/// A parameter update that a layer defines itself, instead of the gradient of a loss.
struct LayerUpdate {
    SlotId slot;
    ValueId sum;    ///< over elements and positions; shaped like the parameter
    ValueId count;  ///< divisor of the sum: one number, one per row, or shaped like the parameter
    std::string op; ///< (parameter, sum, count, states..., learning rate) -> (parameter, states...)
    Attributes attributes = {};
    std::vector<std::string> states = {}; ///< slots of their own: "<parameter>/<state>"
    std::string renormalise = {};         ///< op applied to the updated parameter; empty: none
    Attributes renormaliseWith = {};      ///< attributes of `renormalise`
    bool operator==(const LayerUpdate&) const = default;
};

/// The divisor of the sum that a layer's update uses. It is exchanged and accumulated together with
/// that sum.
struct SumCount {
    SlotId slot;   ///< the parameter
    ValueId count; ///< divisor of its sum
    bool operator==(const SumCount&) const = default;
};

struct Graph {
    std::string name; ///< name of the variant: "train", "evaluate" ...
    std::vector<Value> values;
    std::vector<Node> nodes;
    std::vector<Slot> slots;
    std::vector<Feed> feeds;
    std::vector<Result> results;
    std::vector<LayerUpdate> updates = {}; ///< defined by layers, instead of gradients
    std::vector<ValueId> gradients = {};   ///< by ValueId; none, or beyond the end: no gradient
    std::vector<SumCount> counts = {};     ///< divisors of the updates that this program computes
    std::map<Origin, std::string> layerNames = {}; ///< as the user reads them
    std::vector<ValueId> bodyInputs = {};  ///< a repeat's carried, sliced, captured operands
    std::vector<ValueId> bodyOutputs = {}; ///< a repeat's carried, summed, collected results
    bool operator==(const Graph&) const = default;

    [[nodiscard]] const Value& at(ValueId id) const { return values[id.value]; }
    [[nodiscard]] const Node& at(NodeId id) const { return nodes[id.value]; }
    [[nodiscard]] const Slot& at(SlotId id) const { return slots[id.value]; }
    [[nodiscard]] Value& at(ValueId id) { return values[id.value]; }
    [[nodiscard]] Node& at(NodeId id) { return nodes[id.value]; }
    [[nodiscard]] Slot& at(SlotId id) { return slots[id.value]; }
    [[nodiscard]] ValueId gradientOf(ValueId value) const {
        return value.value < gradients.size() ? gradients[value.value] : ValueId{};
    }
    /// Returns the slot with this value, or none.
    [[nodiscard]] SlotId slotOf(ValueId value) const;
    [[nodiscard]] SlotId slotNamed(std::string_view name) const;
    /// Returns "conv5" or "block[2]/attention", or an empty string for ops of no layer.
    [[nodiscard]] const std::string& layerName(Origin origin) const;
};

/// Throws Error{bug} naming the first broken invariant: order, producers, shapes as the ops infer
/// them, slots.
void verify(const Graph& graph);
[[nodiscard]] std::string print(const Graph& graph);

} // namespace weft
