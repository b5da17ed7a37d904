// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/export/layer_export.h"

#include "exchange/onnx/fold.h"
#include "graph/op.h"
#include <weft/error.h>

#include <algorithm>

namespace weft::onnx {

LoweredLayers::LoweredLayers(const Graph& graph) {
    for (const Slot& slot : graph.slots) {
        slots_.emplace(slot.name, &slot);
    }
    for (const weft::Node& node : graph.nodes) {
        nodes_.emplace(node.origin, &node);
    }
}

const Slot* LoweredLayers::slot(const std::string& name) const {
    const auto found = slots_.find(name);
    return found == slots_.end() ? nullptr : found->second;
}

const Attributes& LoweredLayers::attributesOf(Origin layer, std::string_view op) const {
    const auto [begin, end] = nodes_.equal_range(layer);
    const auto found =
        std::find_if(begin, end, [&](const auto& each) { return each.second->op->name == op; });
    ensure(found != end, "a layer is exported by an op that it is lowered to");
    return found->second->attributes;
}

const LayerExport::Input* LayerExport::find(std::string_view port) const {
    const auto found = std::ranges::find(inputs_, port, &Input::port);
    return found == inputs_.end() ? nullptr : &*found;
}

bool LayerExport::has(std::string_view port) const { return find(port) != nullptr; }

const std::string& LayerExport::input(std::string_view port) const {
    const Input* input = find(port);
    ensure(input != nullptr, "an exported layer reads ports that are wired");
    return input->value;
}

const Shape& LayerExport::shape(std::string_view port) const {
    const Input* input = find(port);
    ensure(input != nullptr, "an exported layer reads ports that are wired");
    return input->shape;
}

const Slot& LayerExport::slotOf(const std::string& parameter) const {
    const Slot* own = lowered_.slot(layer_.name + "." + parameter);
    const bool shares = own == nullptr && attributes().has("share");
    const Slot* slot = shares ? lowered_.slot(attributes().text("share") + "." + parameter) : own;
    ensure(slot != nullptr, "an exported layer reads its own parameters, or shared ones");
    return *slot;
}

const std::string& LayerExport::parameter(const std::string& name) const {
    return slotOf(name).name;
}

const Shape& LayerExport::parameterShape(const std::string& name) const {
    return slotOf(name).shape;
}

const Attributes& LayerExport::opAttributes(std::string_view op) const {
    return lowered_.attributesOf(layer_.origin, op);
}

std::string LayerExport::node(std::string op, std::vector<std::string> inputs,
                              std::vector<Attribute> attributes) {
    const std::string stem = layer_.name + "/" + op;
    std::string output = draft_.values.unique(stem);
    draft_.nodes.push_back({.name = draft_.labels.unique("/" + stem),
                            .op = std::move(op),
                            .domain = {},
                            .inputs = std::move(inputs),
                            .outputs = {output},
                            .attributes = std::move(attributes)});
    return output;
}

std::string LayerExport::number(double number) {
    std::string name = draft_.values.unique(layer_.name + "/number");
    draft_.constants.emplace(name, floatTensor({}, {static_cast<float>(number)}));
    return name;
}

std::string LayerExport::wholes(Shape numbers) {
    std::string name = draft_.values.unique(layer_.name + "/sizes");
    draft_.constants.emplace(name, integerTensor(std::move(numbers)));
    return name;
}

const std::string& LayerExport::shared(const std::string& name, Tensor (*make)(std::int64_t),
                                       std::int64_t size) {
    const auto [row, isNew] = draft_.constants.try_emplace(name);
    if (isNew) {
        (void)draft_.values.take(name);
        row->second = std::make_shared<const Tensor>(make(size));
    }
    return row->first;
}

void LayerExport::setResult(const std::string& value) {
    const bool isOfLayer =
        draft_.nodes.size() > firstNode_ && draft_.nodes.back().outputs.front() == value;
    if (!isOfLayer) {
        (void)node("Identity", {value});
    }
    draft_.nodes.back().outputs.front() = result_;
}

Attribute attribute(std::string name, std::int64_t value) {
    return {.name = std::move(name), .type = Attribute::ValueType::whole, .whole = value};
}

Attribute attribute(std::string name, double value) {
    return {.name = std::move(name), .type = Attribute::ValueType::real, .real = value};
}

Attribute attribute(std::string name, Shape values) {
    return {
        .name = std::move(name), .type = Attribute::ValueType::wholes, .wholes = std::move(values)};
}

} // namespace weft::onnx
