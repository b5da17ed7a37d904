// SPDX-License-Identifier: Apache-2.0
#pragma once
// The conversion of one layer to ONNX nodes, and the table of these conversions by layer kind.
// Weft's tensors are [batch, channels, rows, columns], as ONNX's are, so weights keep their order.

#include "design/names.h"
#include "exchange/onnx/model.h"
#include "graph/graph.h"
#include "lower/expand.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weft::onnx {

/// The model while layers are added to it.
struct ModelDraft {
    std::int64_t opset = 17;
    std::vector<Node> nodes = {};
    /// Constants that are not weights: shapes, axes, numbers.
    std::map<std::string, TensorPointer, std::less<>> constants = {}; ///< without weights
    NameMaker values = {}; ///< names of values that are taken
    NameMaker labels = {}; ///< names of nodes that are taken
};

/// The lowered design with fast lookups: what each layer has become.
class LoweredLayers {
public:
    explicit LoweredLayers(const Graph& graph);

    /// Returns nullptr if no slot has this name.
    [[nodiscard]] const Slot* slot(const std::string& name) const; ///< nullptr: none
    /// Returns the attributes of an op that the layer became.
    [[nodiscard]] const Attributes& attributesOf(Origin layer, std::string_view op) const;

private:
    std::unordered_map<std::string, const Slot*> slots_;
    std::multimap<Origin, const weft::Node*> nodes_;
};

/// What a conversion knows of its layer, and how it adds nodes.
class LayerExport {
public:
    struct Input {
        std::string port;
        std::string value; ///< name of the value
        Shape shape;       ///< with the batch
    };

    /// `result`: name of the value that the layer computes.
    LayerExport(ModelDraft& draft, const LoweredLayers& lowered, const ExpandedLayer& layer,
                std::vector<Input> inputs, std::string result)
        : draft_(draft),
          lowered_(lowered),
          layer_(layer),
          inputs_(std::move(inputs)),
          result_(std::move(result)),
          firstNode_(draft.nodes.size()) {}

    [[nodiscard]] const std::string& kind() const { return layer_.kind; }
    [[nodiscard]] const Attributes& attributes() const { return layer_.attributes; }
    [[nodiscard]] std::int64_t opset() const { return draft_.opset; }

    [[nodiscard]] bool has(std::string_view port) const; ///< true if wired
    [[nodiscard]] const std::string& input(std::string_view port) const;
    [[nodiscard]] const Shape& shape(std::string_view port) const; ///< with the batch
    [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }
    /// Returns the name of the constant that holds a parameter: that of its slot.
    [[nodiscard]] const std::string& parameter(const std::string& name) const;
    [[nodiscard]] const Shape& parameterShape(const std::string& name) const;
    /// Returns the attributes of an op that the layer is lowered to.
    [[nodiscard]] const Attributes& opAttributes(std::string_view op) const;

    /// Adds a node, and returns the name of its only output.
    std::string node(std::string op, std::vector<std::string> inputs,
                     std::vector<Attribute> attributes = {});
    /// Adds a constant of one f32 number, and returns its name.
    std::string number(double number);
    /// Adds a list of whole numbers, and returns its name.
    std::string wholes(Shape numbers);
    /// Adds a constant that layers share, unless it exists.
    const std::string& shared(const std::string& name, Tensor (*make)(std::int64_t), std::int64_t);
    /// Names the value as the layer's result.
    void setResult(const std::string& value);

private:
    [[nodiscard]] const Input* find(std::string_view port) const;
    [[nodiscard]] const Slot& slotOf(const std::string& parameter) const;

    ModelDraft& draft_;
    const LoweredLayers& lowered_;
    const ExpandedLayer& layer_;
    std::vector<Input> inputs_;
    std::string result_;
    std::size_t firstNode_; ///< index of the layer's first node
};

[[nodiscard]] Attribute attribute(std::string name, std::int64_t value);
[[nodiscard]] Attribute attribute(std::string name, double value);
[[nodiscard]] Attribute attribute(std::string name, Shape values);

/// Converts the layer. Throws Refusal if ONNX cannot express it.
void exportLayer(LayerExport& layer);

void exportAdd(LayerExport& layer);
void exportAttention(LayerExport& layer);
void exportAveragePool(LayerExport& layer);
void exportBatchNorm(LayerExport& layer);
void exportClip(LayerExport& layer);
void exportConcat(LayerExport& layer);
void exportConv2d(LayerExport& layer);
void exportDense(LayerExport& layer);
void exportDropout(LayerExport& layer);
void exportEmbedding(LayerExport& layer);
void exportFlatten(LayerExport& layer);
void exportGelu(LayerExport& layer);
void exportGlobalAveragePool(LayerExport& layer);
void exportLayerNorm(LayerExport& layer);
void exportMaxPool(LayerExport& layer);
void exportMish(LayerExport& layer);
void exportNot(LayerExport& layer);
void exportPositionEmbedding(LayerExport& layer);
void exportPower(LayerExport& layer);
void exportPrelu(LayerExport& layer);
void exportSilu(LayerExport& layer);
void exportSoftmax(LayerExport& layer);
void exportSoftplus(LayerExport& layer);
void exportSquare(LayerExport& layer);
void exportWhere(LayerExport& layer);

} // namespace weft::onnx
