// SPDX-License-Identifier: Apache-2.0
#pragma once
// The typed, device-free program that a design lowers to: values, nodes (an op applied) and slots.
// Forward, backward and update are all in it. Nodes stand in an order in which they can run; every
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
    NodeId producer;          ///< none: a feed or a slot
    std::uint32_t output = 0; ///< which result of the producer
    std::string name;         ///< "conv1.y": for messages, plans and pictures
    bool operator==(const Value&) const = default;
};

/// For one node: the letter that a word of an assignment splits, where the reserved letters do not
/// say it.
struct WordLetter {
    std::string word;   ///< "model.stack"
    std::string letter; ///< "h"; empty: this node cannot follow the word
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
    std::string role; ///< tells ops of one layer apart: "weight", "bias"; part of the name in
                      ///< traces and random keys
    std::vector<WordLetter> letters = {};
    std::shared_ptr<const Graph> body = {}; ///< only of the op `repeat`
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

/// Key of a random op's draws: run seed, origin and role, whichever node draws.
[[nodiscard]] std::uint64_t randomKeyOf(const Node& node, std::uint64_t seed);

/// How a slot begins: "zeros", "constant" {value}, "uniform" {low, high}, "normal" {mean,
/// deviation}, "xavier" and "he" {fan_in, fan_out, distribution, gain}, "unit": normal, each row of
/// dim 0 of length 1. Drawn by Philox from run seed, slot name and logical element. Of a slot that
/// holds several sets also {set_dims}, the dims before those of one, and {sets_alike}.
struct Initialiser {
    std::string kind = "zeros";
    Attributes attributes = {};
    bool operator==(const Initialiser&) const = default;
};

/// A value that outlives a step. It is read as `value`; a training step may write it as `next`.
struct Slot {
    std::string name; ///< "fc6.weight", "fc6.weight/momentum": unique, the name in checkpoints
    SlotKind kind = SlotKind::parameter;
    DType dtype = DType::f32;
    Shape shape;
    Initialiser initialiser;
    Origin origin;
    ValueId value;
    ValueId next = {}; ///< none: this program does not write it
    SlotId of = {};    ///< for optimizer state: its parameter
    double learningRateScale = 1;
    double decayScale = 1;
    bool frozen = false;
    bool restsWithEvaluation = false; ///< begins anew when one has ended
    /// Dim 0 is the batch, each of whose elements has its own: what one learns is its own mean.
    bool isPerElement = false;
    bool isCount = false; ///< of a period: what the sum of its parameter is divided by
    /// What the number of its zeros is called; where nothing is evaluated that is told of training,
    /// and the slot begins anew. Empty: nobody wants to know.
    std::string zerosName = {};
    /// In a PyTorch state dict this slot is rows [first, first + shape[0]) of that tensor, when it
    /// has another name.
    std::string storedAs = {};
    std::int64_t storedFirst = 0;
    bool operator==(const Slot&) const = default;
};

enum class FeedKind : std::uint8_t {
    data,    ///< an input layer's examples, [batch, ...]
    argument ///< a number that changes from step to step: "learning_rate", "step", "rows" (true
             ///< examples of the batch)
};

struct Feed {
    std::string name; ///< data: the input layer's name
    FeedKind kind = FeedKind::data;
    ValueId value;
    Origin origin = {};
    bool operator==(const Feed&) const = default;
};

/// `total` is the sum of the losses, which training makes small, or of the energies where there is
/// no loss. `series` holds numbers for each round, [rounds, batch].
enum class ResultKind : std::uint8_t { loss, total, metric, output, norm, energy, series };

/// What a program hands back after each step.
struct Result {
    std::string name; ///< "loss", "accuracy"
    ResultKind kind = ResultKind::output;
    ValueId value;
    Origin origin = {};
    bool isCost = false; ///< a metric that is better the less there is of it
    bool operator==(const Result&) const = default;
};

/// Losses and energies, and metrics that are so.
[[nodiscard]] bool isLessBetter(const Result& result);

/// The update of a parameter as its layer asks for it, where no gradient of a loss does.
struct LayerUpdate {
    SlotId slot;
    ValueId sum;   ///< over elements and positions; like the parameter
    ValueId count; ///< what the sum is divided by: one number, one per row, or like the parameter
    /// (parameter, sum, count, its states..., learning rate) -> (parameter, its states...)
    std::string op;
    Attributes attributes = {};
    std::vector<std::string> states = {}; ///< slots of their own: "<parameter>/<state>"
    std::string renormalise = {};         ///< an op on what is to be kept; empty: none
    Attributes renormaliseWith = {};
    bool operator==(const LayerUpdate&) const = default;
};

/// What the sum that a parameter learns by is divided by: it goes where that goes, and with it.
struct SumCount {
    SlotId slot; ///< the parameter
    ValueId count;
    bool operator==(const SumCount&) const = default;
};

struct Graph {
    std::string name; ///< of the family member: "train", "evaluate" ...
    std::vector<Value> values;
    std::vector<Node> nodes;
    std::vector<Slot> slots;
    std::vector<Feed> feeds;
    std::vector<Result> results;
    std::vector<LayerUpdate> updates = {};
    /// By value: its total gradient, filled by differentiate; empty, or none: it has none.
    std::vector<ValueId> gradients = {};
    /// Counts of the updates that this program computes.
    std::vector<SumCount> counts = {};
    /// Names of layers by origin, as the user reads them.
    std::map<Origin, std::string> layerNames = {};
    /// The body of a repeat: its operands (carried, sliced, captured) and what it makes of them
    /// (carried, summed, collected): see repeat.h.
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
    /// The slot whose value this is; none when it is no slot's.
    [[nodiscard]] SlotId slotOf(ValueId value) const;
    [[nodiscard]] SlotId slotNamed(std::string_view name) const;
    /// "conv5" or "block[2]/attention"; empty for ops of no layer.
    [[nodiscard]] const std::string& layerName(Origin origin) const;
};

/// Throws Error{bug} naming the first broken invariant: order, producers, shapes as the ops infer
/// them, slots.
void verify(const Graph& graph);
[[nodiscard]] std::string print(const Graph& graph);

} // namespace weft
