// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/export/export_graph.h"

#include "exchange/onnx/export/layer_export.h"
#include "exchange/onnx/node_reader.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft::onnx {

namespace {

Element elementOf(DType dtype) {
    switch (dtype) {
    case DType::f32: return Element::f32;
    case DType::i32: return Element::i32;
    case DType::i64: return Element::i64;
    default:
        throw Refusal(fmt::format("computes with {}; set the dtype of the design's inputs to f32, "
                                  "i64 or i32",
                                  nameOf(dtype)));
    }
}

class GraphExport {
public:
    GraphExport(const ExpandedDesign& design, const Lowered& lowered, std::int64_t opset)
        : design_(design), lowered_(lowered), layers_(lowered.graph), draft_{.opset = opset} {
        exported_.model.opset = opset;
    }

    ExportedGraph run() {
        for (const Slot& slot : lowered_.graph.slots) {
            (void)draft_.values.take(slot.name);
        }
        nameValues();
        for (std::size_t k = 0; k < design_.layers.size(); ++k) {
            const ExpandedLayer& layer = design_.layers[k];
            try {
                requireTypes(layer);
                layer.kind == "input" ? addInput(k) : addLayer(k);
            } catch (const Refusal& refusal) {
                refuse(layer, refusal);
            }
        }
        if (exported_.refusals.empty()) {
            addOutputs();
        }
        exported_.model.nodes = std::move(draft_.nodes);
        exported_.model.constants = std::move(draft_.constants);
        return std::move(exported_);
    }

private:
    using LayerPort = std::pair<std::size_t, std::string>; ///< index of the layer, port

    /// Names the outputs of all layers first, so that a refused layer does not hide others.
    void nameValues() {
        for (std::size_t k = 0; k < design_.layers.size(); ++k) {
            const ExpandedLayer& layer = design_.layers[k];
            for (const auto& [port, unused] : lowered_.outputs[k].ports) {
                const std::string name = draft_.values.unique(
                    layer.kind == "input" ? layer.name : layer.name + "." + port);
                exported_.layerOutputs.emplace(name, LayerOutput{layer.origin, port});
                names_[{k, port}] = name;
            }
        }
    }

    [[nodiscard]] const Value& valueOf(std::size_t layer, const std::string& port) const {
        for (const auto& [name, value] : lowered_.outputs[layer].ports) {
            if (name == port) {
                return lowered_.graph.at(value);
            }
        }
        ensure(false, "a layer without errors has all its outputs");
        return lowered_.graph.values.front();
    }

    void requireTypes(const ExpandedLayer& layer) const {
        for (const ExpandedInput& input : layer.inputs) {
            (void)elementOf(valueOf(input.from, input.fromPort).dtype);
        }
    }

    [[nodiscard]] static ModelPort portOf(const std::string& name, const Value& value) {
        ModelPort port{.name = name, .element = elementOf(value.dtype), .dims = std::vector<Dim>{}};
        if (value.shape.empty() || value.shape.front() != loweredBatch) {
            throw Refusal("its result does not begin with the batch");
        }
        port.dims->push_back({.size = -1, .name = "batch"});
        for (std::size_t dim = 1; dim < value.shape.size(); ++dim) {
            port.dims->push_back({.size = value.shape[dim]});
        }
        return port;
    }

    void addInput(std::size_t index) {
        const auto& [port, value] = lowered_.outputs[index].ports.front();
        exported_.model.inputs.push_back(
            portOf(names_.at({index, port}), lowered_.graph.at(value)));
    }

    void addLayer(std::size_t index) {
        const ExpandedLayer& layer = design_.layers[index];
        std::vector<LayerExport::Input> inputs;
        for (const ExpandedInput& input : layer.inputs) {
            inputs.push_back({.port = input.port,
                              .value = names_.at({input.from, input.fromPort}),
                              .shape = valueOf(input.from, input.fromPort).shape});
        }
        const auto& ports = lowered_.outputs[index].ports;
        const std::string result = ports.empty() ? "" : names_.at({index, ports.front().first});
        LayerExport made(draft_, layers_, layer, std::move(inputs), result);
        exportLayer(made);
    }

    void addOutputs() {
        for (const Result& result : lowered_.graph.results) {
            const auto layer =
                std::ranges::find(design_.layers, result.origin, &ExpandedLayer::origin);
            if (result.kind == ResultKind::output && layer != design_.layers.end()) {
                addOutput(result, static_cast<std::size_t>(layer - design_.layers.begin()));
            }
        }
    }

    void addOutput(const Result& result, std::size_t index) {
        const ExpandedLayer& layer = design_.layers[index];
        for (const auto& [port, value] : lowered_.outputs[index].ports) {
            if (result.name != layer.name + "." + port) {
                continue;
            }
            try {
                exported_.model.outputs.push_back(
                    portOf(names_.at({index, port}), lowered_.graph.at(value)));
            } catch (const Refusal& refusal) {
                refuse(layer, refusal);
            }
        }
    }

    void refuse(const ExpandedLayer& layer, const Refusal& refusal) {
        exported_.refusals.push_back(
            {.layer = layer.name, .kind = layer.kind, .reason = refusal.what()});
    }

    const ExpandedDesign& design_;
    const Lowered& lowered_;
    LoweredLayers layers_;
    ModelDraft draft_;
    ExportedGraph exported_;
    std::map<LayerPort, std::string> names_; ///< values of the model
};

} // namespace

bool isWeight(const Slot& slot) {
    return slot.kind == SlotKind::parameter || slot.kind == SlotKind::statistics;
}

ExportedGraph exportGraph(const ExpandedDesign& design, const Lowered& lowered,
                          std::int64_t opset) {
    return GraphExport(design, lowered, opset).run();
}

} // namespace weft::onnx
