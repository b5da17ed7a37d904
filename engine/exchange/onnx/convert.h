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

/// Models are converted for two batch sizes at once: dims that differ come from the batch.
inline constexpr std::array<std::int64_t, 2> batches = {2, 3};
using ShapePerBatch = std::array<Shape, 2>; ///< in the order of `batches`

/// A value of the model: a constant for each of the batches, or the output of a layer.
struct ConvertedValue {
    std::array<TensorPointer, 2> constants = {}; ///< one per batch size; nullptr: of a layer
    Endpoint from = {};                          ///< the layer's output, if not constant
    ValueId lowered = {};                        ///< the layer's output in the graph
    Shape rest = {};                             ///< the dims after the batch
    DType dtype = DType::f32;
    bool isFlattened = false; ///< [batch, channels], where the model has [batch, channels, 1, 1]

    [[nodiscard]] bool isConstant() const { return constants[0] != nullptr; }
    [[nodiscard]] Shape shape(std::int64_t batch) const;
};

/// A layer to make.
struct LayerRequest {
    std::string kind; ///< "conv2d"
    Attributes attributes = {};
    std::vector<std::pair<std::string, ConvertedValue>> inputs = {};    ///< port -> value
    std::vector<std::pair<std::string, TensorPointer>> parameters = {}; ///< name -> numbers
    std::string name = {}; ///< tensor to name the layer after, "fc1.weight"; empty: the node
};

/// What a conversion needs of the whole import.
class LayerMaker {
public:
    virtual ~LayerMaker() = default;
    /// Adds a layer to the design and returns its outputs. Throws Refusal if the layer does not
    /// take these inputs.
    virtual std::vector<ConvertedValue> make(const Node& node, LayerRequest request) = 0;
    [[nodiscard]] virtual const LayerList& layers() const = 0;
    [[nodiscard]] virtual const OpList& ops() const = 0;
    /// Returns the operators that read a value, and "" for an output of the model.
    [[nodiscard]] virtual std::vector<std::string> readingOps(const std::string& value) const = 0;
    /// Counts elements of constants that a node reads or makes. Throws Error{format} if they are
    /// too many for the size of the model: a small file must not take hours.
    virtual void takeFromBudget(const Node& node, std::size_t elements) = 0;
};

class NodeConversion {
public:
    NodeConversion(LayerMaker& maker, const Node& node, std::int64_t opset, std::int64_t fixedBatch,
                   std::vector<const ConvertedValue*> inputs)
        : attributes(node),
          maker_(maker),
          node_(node),
          opset_(opset),
          fixedBatch_(fixedBatch),
          inputs_(std::move(inputs)) {}

    AttributeReader attributes;

    [[nodiscard]] const Node& node() const { return node_; }
    [[nodiscard]] LayerMaker& maker() const { return maker_; }
    [[nodiscard]] std::int64_t opset() const { return opset_; }
    [[nodiscard]] std::int64_t fixedBatch() const { return fixedBatch_; } ///< 0: any batch size

    [[nodiscard]] std::size_t inputCount() const { return inputs_.size(); }
    [[nodiscard]] bool hasInput(std::size_t k) const {
        return k < inputs_.size() && inputs_[k] != nullptr;
    }
    [[nodiscard]] bool isConstant(std::size_t k) const {
        return hasInput(k) && inputs_[k]->isConstant();
    }
    /// Returns input k. Throws Refusal if it is a constant.
    [[nodiscard]] const ConvertedValue& computedInput(std::size_t k) const;
    /// Returns input k. Throws Refusal if a layer computes it, or if it depends on the batch.
    [[nodiscard]] TensorPointer constantInput(std::size_t k) const;
    /// Throws Refusal if a layer computes the input, or if its elements are not whole numbers.
    [[nodiscard]] ShapePerBatch constantIntegers(std::size_t k) const;
    /// Returns the shape of computed input k for both batch sizes.
    [[nodiscard]] ShapePerBatch inputShapes(std::size_t k) const;
    [[nodiscard]] std::size_t inputRank(std::size_t k) const {
        return computedInput(k).rest.size() + 1;
    }

    /// Adds a layer whose output is the first output of the node.
    void makeLayer(LayerRequest request);
    /// Adds a layer whose outputs are those of the node, in order.
    void makeLayerWithOutputs(LayerRequest request);
    /// Notes that the layer just made leaves out dims of size 1; `rest`: dims that the model has.
    void markFlattened(Shape rest);
    /// The first output is input 0, and no layer is made; `reason`: "changes nothing".
    void passInput(std::string reason);
    /// As `passInput`, where the model now leaves out the dims of size 1, too.
    void passInputFlattened(std::string reason);
    void addNote(std::string text) { notes_.push_back(std::move(text)); }
    /// Throws Refusal if anything reads an output after the first one.
    void refuseMoreOutputs() const;

    [[nodiscard]] const ConvertedValue& result() const { return results_.front(); }
    /// The first outputs of the node; nothing reads the others.
    [[nodiscard]] const std::vector<ConvertedValue>& results() const { return results_; }
    [[nodiscard]] const std::string& passReason() const { return passReason_; }
    /// Kind of the layer that was made; empty: the node passes its input.
    [[nodiscard]] const std::string& layerKind() const { return layerKind_; }
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

private:
    LayerMaker& maker_;
    const Node& node_;
    std::int64_t opset_;
    std::int64_t fixedBatch_;
    std::vector<const ConvertedValue*> inputs_;
    std::vector<ConvertedValue> results_ = std::vector<ConvertedValue>(1);
    std::string passReason_; ///< empty: the node has become a layer
    std::string layerKind_;  ///< kind of the layer that was made
    std::vector<std::string> notes_;
};

using ConvertFunction = void (*)(NodeConversion&); ///< makes a layer, or throws Refusal

struct ConversionRow {
    std::string_view op; ///< "MaxPool"
    std::int64_t since;  ///< the first opset that has the operator
    ConvertFunction convert;
};

/// Returns the row of the node's operator; one without its own row is converted by `convertUnary`.
[[nodiscard]] const ConversionRow* findConversion(const Node& node);
/// Returns the layer kind with one input whose op names this operator, or nullptr.
[[nodiscard]] const LayerKind* unaryKindOf(std::string_view op, const LayerMaker& maker);
/// Returns why Weft has no layer for the node's operator: "sorts".
[[nodiscard]] std::string whyUnsupported(const Node& node);

void convertConv(NodeConversion& conversion);
void convertMaxPool(NodeConversion& conversion);
void convertAveragePool(NodeConversion& conversion);
void convertGlobalAveragePool(NodeConversion& conversion);
void convertGlobalMaxPool(NodeConversion& conversion);
void convertReduceMean(NodeConversion& conversion);
void convertReduceSum(NodeConversion& conversion);
/// The other reductions.
void convertReduce(NodeConversion& conversion);

void convertGemm(NodeConversion& conversion);
void convertMatMul(NodeConversion& conversion);
void convertGather(NodeConversion& conversion);

void convertAdd(NodeConversion& conversion);
void convertSub(NodeConversion& conversion);
void convertMul(NodeConversion& conversion);
void convertDiv(NodeConversion& conversion);
void convertPow(NodeConversion& conversion);
void convertMax(NodeConversion& conversion);
void convertMin(NodeConversion& conversion);
void convertEqual(NodeConversion& conversion);
void convertLess(NodeConversion& conversion);
void convertGreater(NodeConversion& conversion);
void convertAnd(NodeConversion& conversion);
void convertOr(NodeConversion& conversion);
void convertNot(NodeConversion& conversion);
void convertWhere(NodeConversion& conversion);
void convertPRelu(NodeConversion& conversion);

void convertBatchNormalization(NodeConversion& conversion);
void convertLayerNormalization(NodeConversion& conversion);
void convertSoftmax(NodeConversion& conversion);
void convertDropout(NodeConversion& conversion);
void convertUnary(NodeConversion& conversion);

void convertReshape(NodeConversion& conversion);
void convertFlatten(NodeConversion& conversion);
void convertSqueeze(NodeConversion& conversion);
void convertUnsqueeze(NodeConversion& conversion);
void convertTranspose(NodeConversion& conversion);
void convertDepthToSpace(NodeConversion& conversion);
void convertSpaceToDepth(NodeConversion& conversion);
void convertSlice(NodeConversion& conversion);
void convertSplit(NodeConversion& conversion);
void convertPad(NodeConversion& conversion);
void convertExpand(NodeConversion& conversion);
void convertTile(NodeConversion& conversion);
void convertConcat(NodeConversion& conversion);
void convertIdentity(NodeConversion& conversion);
void convertCast(NodeConversion& conversion);

} // namespace weft::onnx
