// SPDX-License-Identifier: Apache-2.0
#pragma once
// The conversion of one node to a layer, and the table of conversions by operator. Weft's tensors
// are [batch, channels, rows, columns], as ONNX's are, so weights keep their order; the batch is
// always dim 0.

#include "exchange/onnx/fold.h"
#include "exchange/onnx/node_reader.h"
#include "layers/layer.h"
#include <weft/design.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::onnx {

/// Models are converted for two batch sizes at once: what differs is the batch.
inline constexpr std::array<std::int64_t, 2> batches = {2, 3};
using Shapes = std::array<Shape, 2>;

/// A value of the model: a constant for each of the batches, or the output of a layer.
struct Value {
    std::array<TensorPointer, 2> constants = {};
    Endpoint from = {};
    ValueId lowered = {};
    Shape rest = {}; ///< the dims after the batch
    DType dtype = DType::f32;
    /// The layer computes [batch, channels], where the model says [batch, channels, 1, 1].
    bool isFlattened = false;

    [[nodiscard]] bool isConstant() const { return constants[0] != nullptr; }
    [[nodiscard]] Shape shape(std::int64_t batch) const;
};

/// A layer to make.
struct LayerRequest {
    std::string kind;
    Attributes attributes = {};
    std::vector<std::pair<std::string, Value>> inputs = {}; ///< port -> value
    std::vector<std::pair<std::string, TensorPointer>> parameters = {};
    std::string name =
        {}; ///< name of a tensor, "fc1.weight"; empty: the layer is named after the node
};

/// What a conversion needs of the whole import.
class LayerMaker {
public:
    virtual ~LayerMaker() = default;
    /// Adds a layer to the design. Throws Refusal if the layer does not take these inputs.
    virtual Value make(const Node& node, LayerRequest request) = 0;
    [[nodiscard]] virtual const LayerList& layers() const = 0;
    [[nodiscard]] virtual const OpList& ops() const = 0;
    /// Returns the operators that read a value, and "" for an output of the model.
    [[nodiscard]] virtual std::vector<std::string> readersOf(const std::string& value) const = 0;
    /// Counts elements of constants that a node reads or makes. Throws Error{format} if it is too
    /// many for the size of the model: a small file must not take hours.
    virtual void spend(const Node& node, std::size_t elements) = 0;
};

class Conversion {
public:
    Conversion(LayerMaker& maker, const Node& node, std::int64_t opset, std::int64_t bakedBatch,
               std::vector<const Value*> inputs)
        : attributes(node),
          maker_(maker),
          node_(node),
          opset_(opset),
          bakedBatch_(bakedBatch),
          inputs_(std::move(inputs)) {}

    AttributeReader attributes;

    [[nodiscard]] const Node& node() const { return node_; }
    [[nodiscard]] LayerMaker& maker() const { return maker_; }
    [[nodiscard]] std::int64_t opset() const { return opset_; }
    /// The batch size that the exporter fixed; 0: the batch is open.
    [[nodiscard]] std::int64_t bakedBatch() const { return bakedBatch_; }

    [[nodiscard]] std::size_t count() const { return inputs_.size(); }
    [[nodiscard]] bool has(std::size_t k) const {
        return k < inputs_.size() && inputs_[k] != nullptr;
    }
    [[nodiscard]] bool isConstant(std::size_t k) const {
        return has(k) && inputs_[k]->isConstant();
    }
    /// Throws Refusal if the input is a constant.
    [[nodiscard]] const Value& value(std::size_t k) const;
    /// Throws Refusal if a layer computes the input, or if the constant depends on the batch.
    [[nodiscard]] TensorPointer constant(std::size_t k) const;
    /// Throws Refusal if a layer computes the input, or if its elements are not whole numbers.
    [[nodiscard]] Shapes wholes(std::size_t k) const;
    /// Returns the shapes of a value for both batches.
    [[nodiscard]] Shapes shapes(std::size_t k) const;
    [[nodiscard]] std::size_t rank(std::size_t k) const { return value(k).rest.size() + 1; }

    /// Adds a layer whose output is the first output of the node.
    void layer(LayerRequest request);
    /// Says that the layer just made leaves out dims of size 1 that the model keeps.
    void leavesOut(Shape rest);
    /// The first output is the value of input 0; `reason`: "changes nothing".
    void pass(std::string reason);
    /// As `pass`, where the model now leaves out the dims of size 1, too.
    void passFlattened(std::string reason);
    void note(std::string text) { notes_.push_back(std::move(text)); }
    /// Throws Refusal if anything reads an output after the first one.
    void refuseMoreOutputs() const;

    [[nodiscard]] const Value& result() const { return result_; }
    [[nodiscard]] const std::string& passReason() const { return passReason_; }
    [[nodiscard]] const std::string& madeKind() const { return madeKind_; }
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

private:
    LayerMaker& maker_;
    const Node& node_;
    std::int64_t opset_;
    std::int64_t bakedBatch_;
    std::vector<const Value*> inputs_;
    Value result_;
    std::string passReason_;
    std::string madeKind_;
    std::vector<std::string> notes_;
};

/// Converts a node to a layer, or throws Refusal.
using Convert = void (*)(Conversion&);

struct ConversionRow {
    std::string_view op;
    std::int64_t since; ///< the first opset that has the operator
    Convert convert;
};

/// Returns the row of an operator; one without a row of its own is `convertUnary`'s.
[[nodiscard]] const ConversionRow* conversionOf(const Node& node);
/// Returns the layer kind with one input whose op names this operator, or nullptr.
[[nodiscard]] const LayerKind* unaryKindOf(std::string_view op, const LayerMaker& maker);
/// Why Weft has no layer for this operator: "sorts".
[[nodiscard]] std::string reasonAgainst(const Node& node);

void convertConv(Conversion& conversion);
void convertMaxPool(Conversion& conversion);
void convertAveragePool(Conversion& conversion);
void convertGlobalAveragePool(Conversion& conversion);
void convertGlobalMaxPool(Conversion& conversion);
void convertReduceMean(Conversion& conversion);
void convertReduceSum(Conversion& conversion);
/// The other reductions.
void convertReduce(Conversion& conversion);

void convertGemm(Conversion& conversion);
void convertMatMul(Conversion& conversion);
void convertGather(Conversion& conversion);

void convertAdd(Conversion& conversion);
void convertSub(Conversion& conversion);
void convertMul(Conversion& conversion);
void convertDiv(Conversion& conversion);
void convertPow(Conversion& conversion);
void convertMax(Conversion& conversion);
void convertMin(Conversion& conversion);
void convertEqual(Conversion& conversion);
void convertLess(Conversion& conversion);
void convertGreater(Conversion& conversion);
void convertAnd(Conversion& conversion);
void convertOr(Conversion& conversion);
void convertNot(Conversion& conversion);
void convertWhere(Conversion& conversion);
void convertPRelu(Conversion& conversion);

void convertBatchNormalization(Conversion& conversion);
void convertLayerNormalization(Conversion& conversion);
void convertSoftmax(Conversion& conversion);
void convertDropout(Conversion& conversion);
void convertUnary(Conversion& conversion);

void convertReshape(Conversion& conversion);
void convertFlatten(Conversion& conversion);
void convertSqueeze(Conversion& conversion);
void convertTranspose(Conversion& conversion);
void convertExpand(Conversion& conversion);
void convertConcat(Conversion& conversion);
void convertIdentity(Conversion& conversion);
void convertCast(Conversion& conversion);

} // namespace weft::onnx
