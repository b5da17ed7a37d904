// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a layer must declare: its face (LayerKindInfo) and how it lowers to ops. A layer declares no
// shape, gradient, placement or cost: those are its ops'. One file per kind; the list is const
// after start.

#include "graph/builder.h"
#include "graph/set_sharing.h"
#include <weft/catalogue.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Which member of the family is being lowered.
enum class Mode : std::uint8_t { train, evaluate, infer };

/// How many sets of its weights a layer has: one, or one for each element of the batch, for each
/// position, or both. They stand before the dims of one: [batch, positions..., ...].
struct WeightSets : SetSharing {
    Shape lead = {};       ///< [batch, positions...], those that there are
    bool areAlike = false; ///< when they begin

    /// "linear", or the op that takes several sets: "linear_sets".
    [[nodiscard]] std::string op(const std::string& ofOne) const;
    /// For that op.
    [[nodiscard]] Attributes with(Attributes attributes) const;
    /// [lead..., own...]
    [[nodiscard]] Shape shape(const Shape& own) const;
};

/// Given to a layer's lowering. It reads inputs and attributes, makes slots and ops, and sets
/// outputs.
class Lowering {
public:
    struct Request {
        Origin origin;
        std::string name; ///< full name: "block[2]/fc"
        Attributes attributes;
        std::vector<std::pair<std::string, ValueId>>
            inputs; ///< port -> value; unwired optional ports are absent
        Mode mode = Mode::train;
        std::int64_t batch = 1;
    };

    Lowering(Builder& builder, Request request) : builder_(builder), request_(std::move(request)) {}

    [[nodiscard]] bool has(std::string_view port) const;
    [[nodiscard]] ValueId input(std::string_view port) const;
    /// All wires of a variadic port, in order.
    [[nodiscard]] std::vector<ValueId> inputs() const;
    [[nodiscard]] const Shape& shape(ValueId value) const { return builder_.shape(value); }
    /// True when the value has so many dims; refuses otherwise, saying what the layer takes.
    bool hasRank(std::string_view port, std::size_t rank, std::string_view takes);
    [[nodiscard]] const Attributes& attributes() const { return request_.attributes; }
    [[nodiscard]] Mode mode() const { return request_.mode; }
    [[nodiscard]] std::int64_t batch() const { return request_.batch; }
    [[nodiscard]] const std::string& name() const { return request_.name; }
    [[nodiscard]] Builder& builder() { return builder_; }

    ValueId add(std::string_view op, std::vector<ValueId> inputs, Attributes attributes = {}) {
        return builder_.add(op, std::move(inputs), std::move(attributes));
    }
    /// A parameter `name.<parameter>` (or shared by the attribute `share`), trained unless the
    /// layer is frozen; reads the common attributes frozen, learning_rate_scale, decay_scale,
    /// share.
    ValueId parameter(const std::string& parameter, Shape shape, Initialiser initialiser,
                      bool decays = true);
    /// The same with a set for each of what the layer's sets are of; `shape` is that of one.
    ValueId parameter(const std::string& parameter, const Shape& shape, Initialiser initialiser,
                      const WeightSets& sets);
    /// As the attributes of `withSetAttributes` ask, for inputs of that batch and with these
    /// positions.
    [[nodiscard]] WeightSets sets(std::int64_t elements, const Shape& positions);
    /// A slot that is no parameter: running statistics.
    SlotId slot(const std::string& name, SlotKind kind, Shape shape, Initialiser initialiser);
    /// The parameter is not trained by a loss but so; only of a training step.
    void learn(LayerUpdate update);
    /// The initialiser that the attribute `init` asks for, with the fans given.
    [[nodiscard]] Initialiser initialiser(std::int64_t fanIn, std::int64_t fanOut) const;
    /// How biases begin: as PyTorch's with `init: default`, else at `init_bias`.
    [[nodiscard]] Initialiser biasInitialiser(std::int64_t fanIn) const;
    void output(std::string_view port, ValueId value);
    /// Says why these inputs do not fit, with a layer kind to insert where that would mend it.
    void refuse(std::string reason, std::string port = {}, std::string insert = {});
    /// Says that the attribute, as it is set, does nothing in a design without a loss, for this
    /// reason; there `usual` is the same.
    void needsLoss(std::string attribute, std::string usual, std::string reason);

    /// The type of the first floating input, which parameters share; f32 where there is none.
    [[nodiscard]] DType floatingType() const;

    [[nodiscard]] const std::vector<std::pair<std::string, ValueId>>& outputs() const {
        return outputs_;
    }
    struct Refusal {
        std::string reason, port, insert;
    };
    [[nodiscard]] const std::vector<Refusal>& refusals() const { return refusals_; }
    struct LossNeed {
        std::string attribute, usual, reason;
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
    std::vector<Shape> inputs;
    Attributes attributes = {};
    std::vector<DType> dtypes = {}; ///< per port, where not all are f32; integers are below 7
};

struct LayerKind {
    LayerKindInfo info;
    std::function<void(Lowering&)> lower;
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

/// Attributes common to layers with parameters: frozen, learning_rate_scale, decay_scale, share.
[[nodiscard]] std::vector<AttributeSpec> withUpdateAttributes(std::vector<AttributeSpec> own);
/// How many sets of weights there are: per_element, per_position, first_sets. `positions` says
/// what has a set each with per_position: "pixel of the output".
[[nodiscard]] std::vector<AttributeSpec> withSetAttributes(std::vector<AttributeSpec> own,
                                                           const std::string& positions);
/// The update attributes, and how drawn weights begin: init, init_scale, init_distribution,
/// init_bias.
[[nodiscard]] std::vector<AttributeSpec> withParameterAttributes(std::vector<AttributeSpec> own);

} // namespace weft
