// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/export/stored_design.h"

#include "base/hash.h"
#include "compile/applied.h"
#include "compile/registry.h"
#include "exchange/onnx/export/export_graph.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace weft::onnx {

namespace {

/// Hashes values one after the other; each has its length before it, so that none run together.
class Hasher {
public:
    void text(std::string_view text) {
        whole(static_cast<std::int64_t>(text.size()));
        stream_.take(std::as_bytes(std::span(text)));
    }
    void whole(std::int64_t number) { stream_.take(std::as_bytes(std::span(&number, 1))); }
    /// A number as a file holds it.
    void real(double number) {
        const auto stored = static_cast<float>(number);
        stream_.take(std::as_bytes(std::span(&stored, 1)));
    }
    void wholes(const Shape& numbers) {
        whole(static_cast<std::int64_t>(numbers.size()));
        stream_.take(std::as_bytes(std::span(numbers)));
    }
    void texts(const std::vector<std::string>& texts) {
        whole(static_cast<std::int64_t>(texts.size()));
        std::ranges::for_each(texts, [&](const std::string& each) { text(each); });
    }
    void tensor(const Tensor& tensor, bool withNumbers) {
        whole(static_cast<std::int64_t>(tensor.element));
        wholes(tensor.shape);
        if (withNumbers) {
            stream_.take(std::as_bytes(std::span(tensor.reals)));
            wholes(tensor.wholes);
        }
    }
    void attribute(const Attribute& attribute) {
        text(attribute.name);
        whole(static_cast<std::int64_t>(attribute.type));
        real(attribute.real);
        whole(attribute.whole);
        text(attribute.text);
        whole(static_cast<std::int64_t>(attribute.reals.size()));
        std::ranges::for_each(attribute.reals, [&](double each) { real(each); });
        wholes(attribute.wholes);
        if (attribute.tensor != nullptr) {
            tensor(*attribute.tensor, true);
        }
    }
    void port(const ModelPort& port) {
        text(port.name);
        whole(static_cast<std::int64_t>(port.element));
        for (const Dim& dim : port.dims.value_or(std::vector<Dim>{})) {
            whole(dim.size);
            text(dim.name);
        }
    }
    [[nodiscard]] std::string hex() const { return hexText(stream_.value()); }

private:
    Hash128Stream stream_;
};

/// The design of a text and its part that inference uses.
struct ReadDesign {
    Design design;
    Lowered lowered;
};

/// Throws Error if the text is no design that can be lowered.
ReadDesign readDesign(const std::string& text, const std::string& file, const Registry& registry) {
    LoadedDesign loaded = parseDesign(text, registry.kinds, file);
    refuseErrors(loaded.diagnostics);
    const ExpandedDesign expanded = expand(loaded.design, registry.kinds);
    refuseErrors(expanded.problems);
    const LowerRequest wanted{.name = "infer", .mode = Mode::infer, .batch = loweredBatch};
    const Lowered whole = lower(expanded, registry.layers, registry.ops, wanted);
    refuseErrors(whole.problems);
    const InferenceDesign part = inferencePart(expanded, whole.graph);
    Lowered lowered = lower(part.design, registry.layers, registry.ops, wanted);
    refuseErrors(lowered.problems);
    addOutputs(lowered, part);
    return {std::move(loaded.design), std::move(lowered)};
}

/// Returns false if the model lacks a weight of the design, or has it in another shape.
bool takeWeights(const Model& model, const Graph& graph, Import& import) {
    for (const Slot& slot : graph.slots) {
        if (!isWeight(slot)) {
            continue;
        }
        const auto found = model.constants.find(slot.name);
        if (found == model.constants.end() || found->second->element != Element::f32 ||
            found->second->shape != slot.shape) {
            return false;
        }
        import.weights.push_back({slot.name, slot.shape, found->second->reals});
    }
    return true;
}

bool takeOutputs(const Model& model, const Graph& graph, Import& import) {
    std::vector<const Result*> results;
    for (const Result& result : graph.results) {
        if (result.kind == ResultKind::output) {
            results.push_back(&result);
        }
    }
    if (results.size() != model.outputs.size()) {
        return false;
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
        const Shape& shape = graph.at(results[k]->value).shape;
        import.outputs.push_back({.name = model.outputs[k].name,
                                  .port = results[k]->name,
                                  .shape = Shape(shape.begin() + 1, shape.end())});
    }
    return true;
}

} // namespace

std::string graphHash(const Model& model, const std::unordered_set<std::string_view>& weights) {
    Hasher hasher;
    hasher.whole(model.opset);
    for (const auto* ports : {&model.inputs, &model.outputs}) {
        hasher.whole(static_cast<std::int64_t>(ports->size()));
        std::ranges::for_each(*ports, [&](const ModelPort& port) { hasher.port(port); });
    }
    for (const auto& [name, tensor] : model.constants) {
        hasher.text(name);
        hasher.tensor(*tensor, !weights.contains(name));
    }
    for (const Node& node : model.nodes) {
        hasher.text(node.op);
        hasher.text(node.domain);
        hasher.texts(node.inputs);
        hasher.texts(node.outputs);
        hasher.whole(static_cast<std::int64_t>(node.attributes.size()));
        std::map<std::string_view, const Attribute*> sorted;
        for (const Attribute& attribute : node.attributes) {
            sorted[attribute.name] = &attribute;
        }
        for (const auto& [name, attribute] : sorted) {
            hasher.attribute(*attribute);
        }
    }
    return hasher.hex();
}

std::optional<Import> importStoredDesign(const Model& model, const Registry& registry,
                                         std::string& why) {
    try {
        ReadDesign read = readDesign(model.metadata.at(designKey), model.file.string(), registry);
        Import import;
        std::unordered_set<std::string_view> weights;
        for (const Slot& slot : read.lowered.graph.slots) {
            weights.insert(slot.name);
        }
        const auto hash = model.metadata.find(graphKey);
        if (hash == model.metadata.end() || hash->second != graphHash(model, weights) ||
            !takeWeights(model, read.lowered.graph, import) ||
            !takeOutputs(model, read.lowered.graph, import)) {
            why = "is of another graph: a program changed the model after its export";
            return {};
        }
        import.design = std::move(read.design);
        import.lines.push_back(
            {.outcome = ImportOutcome::remark,
             .subject = "the model",
             .text = "contains the design that it was exported from, which is taken as it is, "
                     "with the model's weights"});
        return import;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::bug) {
            throw;
        }
        why = fmt::format("cannot be used ({})", error.problem());
        return {};
    }
}

} // namespace weft::onnx
