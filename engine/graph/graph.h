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
struct WordLetter {
    std::string word;   ///< "model.stack"
    std::string letter; ///< "h"; empty: this node cannot follow the assignment
    std::int64_t grain = 1;
    bool operator==(const WordLetter&) const = default;
};

struct Node {
    const Op* op = nullptr;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    Attributes attributes; ///< completed with the op's defaults
    Origin origin;
    Pass pass = Pass::forward;
    /// Tells ops of one layer apart: "weight", "bias"; part of names in traces and of random keys.
    std::string role;
    std::vector<WordLetter> letters = {};
    std::shared_ptr<const Graph> body = {}; ///< only for the op `repeat`
    bool operator==(const Node&) const = default;
};

enum class SlotKind : std::uint8_t {
    parameter,
    optimizerState,
    statistics,
    layerState,
    accumulator
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
    std::string kind = "zeros";
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
    ValueId next = {}; ///< none: this program does not write the slot
    SlotId of = {};    ///< for optimizer state: its parameter
    double learningRateScale = 1;
    double decayScale = 1;
    bool frozen = false;
    bool restsWithEvaluation = false; ///< reset after each evaluation
    /// Dim 0 is the batch: every batch element has weights of its own and learns from its own loss.
    bool isPerElement = false;
    bool isCount = false; ///< the count that divides a parameter's sum over a period
    /// Name of the metric that counts the slot's zeros. Training reports it if the design has no
    /// evaluation, and then resets the slot. Empty: no such metric.
    std::string zerosName = {};
    /// If not empty, the PyTorch state dict holds this slot as rows [storedFirst, storedFirst +
    /// shape[0]) of this tensor.
    std::string storedAs = {};
    std::int64_t storedFirst = 0;
    bool operator==(const Slot&) const = default;
};

enum class FeedKind : std::uint8_t {
    data, ///< an input layer's examples, [batch, ...]
    /// A number that changes from step to step: "learning_rate", "step", "rows" (actual examples in
    /// the batch).
    argument
};

struct Feed {
    std::string name; ///< for data: the input layer's name
    FeedKind kind = FeedKind::data;
    ValueId value;
    Origin origin = {};
    bool operator==(const Feed&) const = default;
};

/// `total` is the sum of the losses, which training minimises, or of the energies if there is no
/// loss. `series` has a number per iteration, [iterations, batch].
enum class ResultKind : std::uint8_t { loss, total, metric, output, norm, energy, series };

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
    ValueId sum;   ///< over elements and positions; shaped like the parameter
    ValueId count; ///< divisor of the sum: one number, one per row, or shaped like the parameter
    /// Signature: (parameter, sum, count, its states..., learning rate) -> (parameter, its
    /// states...)
    std::string op;
    Attributes attributes = {};
    std::vector<std::string> states = {}; ///< slots of their own: "<parameter>/<state>"
    std::string renormalise = {};         ///< op applied to the updated parameter; empty: none
    Attributes renormaliseWith = {};
    bool operator==(const LayerUpdate&) const = default;
};

/// The divisor of the sum that a layer's update uses. It is exchanged and accumulated together with
/// that sum.
struct SumCount {
    SlotId slot; ///< the parameter
    ValueId count;
    bool operator==(const SumCount&) const = default;
};

struct Graph {
    std::string name; ///< name of the variant: "train", "evaluate" ...
    std::vector<Value> values;
    std::vector<Node> nodes;
    std::vector<Slot> slots;
    std::vector<Feed> feeds;
    std::vector<Result> results;
    std::vector<LayerUpdate> updates = {};
    /// The total gradient of each value, filled by differentiate. None, or beyond the end: no
    /// gradient.
    std::vector<ValueId> gradients = {};
    /// Counts of the updates that this program computes.
    std::vector<SumCount> counts = {};
    /// Names of layers by origin, as the user reads them.
    std::map<Origin, std::string> layerNames = {};
    /// For the body of a repeat: its operands (carried, sliced, captured) and its results (carried,
    /// summed, collected), see repeat.h.
    std::vector<ValueId> bodyInputs = {};
    std::vector<ValueId> bodyOutputs = {};
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
