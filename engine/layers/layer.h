// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a layer must declare: its description (LayerKindInfo) and how it lowers to ops. A layer
// declares no shape, gradient, placement or cost, which its ops have. One file per kind; the list
// is const after start.

#include "graph/builder.h"
#include "graph/set_sharing.h"
#include <weft/catalogue.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The kind of program that a design is lowered for.
enum class Mode : std::uint8_t { train, evaluate, infer };

/// How many sets of weights a layer has: one, or one per batch element, per position, or per both.
/// The dims of the sets precede those of one set: [batch, positions..., ...].
struct WeightSets : SetSharing {
    Shape lead = {};       ///< [batch, positions...], without dims that share a set
    bool areAlike = false; ///< all sets have the same initial contents

    /// Returns the op for one set, "linear", or the one for several sets, "linear_sets".
    [[nodiscard]] std::string op(const std::string& ofOne) const;
    /// Returns the attributes for that op.
    [[nodiscard]] Attributes with(Attributes attributes) const; ///< adds those of the sets
    /// Returns [lead..., own...].
    [[nodiscard]] Shape shape(const Shape& own) const;
};

/// The interface of a layer's lowering, which reads inputs and attributes, makes slots and ops, and
/// sets outputs.
class Lowering {
public:
    struct Request {
        Origin origin;
        std::string name; ///< full name: "block[2]/fc"
        Attributes attributes;
        std::vector<std::pair<std::string, ValueId>>
            inputs; ///< port -> value; unwired optional ports are absent
        Mode mode = Mode::train;
        std::int64_t batch = 1; ///< examples per step
    };

    Lowering(Builder& builder, Request request) : builder_(builder), request_(std::move(request)) {}

    [[nodiscard]] bool has(std::string_view port) const; ///< true if wired
    [[nodiscard]] ValueId input(std::string_view port) const;
    /// Returns all inputs of a variadic port, in order.
    [[nodiscard]] std::vector<ValueId> inputs() const;
    [[nodiscard]] const Shape& shape(ValueId value) const { return builder_.shape(value); }
    /// True if the value has this number of dims; otherwise refuses it with what the layer takes.
    bool hasRank(std::string_view port, std::size_t rank, std::string_view takes);
    [[nodiscard]] const Attributes& attributes() const { return request_.attributes; }
    [[nodiscard]] Mode mode() const { return request_.mode; }
    [[nodiscard]] std::int64_t batch() const { return request_.batch; } ///< examples
    [[nodiscard]] const std::string& name() const { return request_.name; }
    [[nodiscard]] Builder& builder() { return builder_; }

    ValueId add(std::string_view op, std::vector<ValueId> inputs, Attributes attributes = {}) {
        return builder_.add(op, std::move(inputs), std::move(attributes));
    }
    /// Makes a parameter `name.<parameter>`, or takes the one of the layer that the attribute
    /// `share` names. It is trained unless the layer is frozen. Reads the attributes frozen,
    /// learning_rate_scale, decay_scale and share.
    ValueId parameter(const std::string& parameter, Shape shape, Initialiser initialiser,
                      bool decays = true);
    /// Makes or takes a parameter with several sets; `shape` is the shape of one set.
    ValueId parameter(const std::string& parameter, const Shape& shape, Initialiser initialiser,
                      const WeightSets& sets);
    /// Returns the sets that the attributes of `withSetAttributes` request, for this batch and
    /// these positions.
    [[nodiscard]] WeightSets sets(std::int64_t elements, const Shape& positions);
    /// Makes a slot that is not a parameter, such as running statistics.
    SlotId slot(const std::string& name, SlotKind kind, Shape shape, Initialiser initialiser);
    /// Sets the layer's own update for a parameter, in training steps only, in place of a gradient.
    void learn(LayerUpdate update);
    /// Returns the initialiser that the attribute `init` requests, for these fans.
    [[nodiscard]] Initialiser initialiser(std::int64_t fanIn, std::int64_t fanOut) const;
    /// Returns the initialiser of biases: PyTorch's with `init: default`, else the constant
    /// `init_bias`.
    [[nodiscard]] Initialiser biasInitialiser(std::int64_t fanIn) const;
    void output(std::string_view port, ValueId value);
    /// Says why these inputs do not fit, and names a layer kind to insert if that would help.
    void refuse(std::string reason, std::string port = {}, std::string insert = {});
    /// Reports that the attribute's value has no effect in a design without a loss, where `usual`
    /// is equivalent.
    void needsLoss(std::string attribute, std::string usual, std::string reason);

    /// Returns the type of the first floating input, which parameters take over; f32 if there is
    /// none.
    [[nodiscard]] DType floatingType() const;

    [[nodiscard]] const std::vector<std::pair<std::string, ValueId>>& outputs() const {
        return outputs_;
    }
    struct Refusal {
        std::string reason, port, insert; ///< insert: layer kind that would help; or empty
    };
    [[nodiscard]] const std::vector<Refusal>& refusals() const { return refusals_; }
    struct LossNeed {
        std::string attribute, usual, reason; ///< usual: value that has the same effect
    };
    [[nodiscard]] const std::vector<LossNeed>& lossNeeds() const { return lossNeeds_; }

private:
    ValueId addParameter(Slot wanted);

    Builder& builder_;
    Request request_;
    std::vector<std::pair<std::string, ValueId>> outputs_;
    std::vector<Refusal> refusals_;
    std::vector<LossNeed> lossNeeds_;
};

/// A small design around one layer that the contract suites lower, train and spread: input shapes
/// [batch, ...] per port.
struct LayerSample {
    std::vector<Shape> inputs; ///< per port
    Attributes attributes = {};
    std::vector<DType> dtypes = {}; ///< per port, if not all are f32; integers are below 7
    bool positive = false;          ///< floating inputs must be above 0: for logarithms and roots
};

struct LayerKind {
    LayerKindInfo info;
    std::function<void(Lowering&)> lower; ///< adds the layer's ops and slots
    std::vector<LayerSample> samples;
};

class LayerList {
public:
    void add(LayerKind kind);
    [[nodiscard]] const LayerKind* find(std::string_view kind) const;
    [[nodiscard]] std::vector<const LayerKind*> all() const;

private:
    std::vector<std::unique_ptr<const LayerKind>> kinds_;
};

/// Adds the attributes common to layers with parameters: frozen, learning_rate_scale, decay_scale,
/// share.
[[nodiscard]] std::vector<AttributeSpec> withUpdateAttributes(std::vector<AttributeSpec> own);
/// Adds the attributes for sets of weights: per_element, per_position, first_sets. `positions`
/// names what has a set with per_position: "pixel of the output".
[[nodiscard]] std::vector<AttributeSpec> withSetAttributes(std::vector<AttributeSpec> own,
                                                           const std::string& positions);
/// Adds the update attributes and those for initial weights: init, init_scale, init_distribution,
/// init_bias.
[[nodiscard]] std::vector<AttributeSpec> withParameterAttributes(std::vector<AttributeSpec> own);

} // namespace weft
