// SPDX-License-Identifier: Apache-2.0
// Exports a design: its graph, its weights, and the design itself as metadata.
#include "base/finite.h"
#include "compile/applied.h"
#include "compile/program_set.h"
#include "compile/registry.h"
#include "compile/spread.h"
#include "exchange/onnx/export/device_fields.h"
#include "exchange/onnx/export/export_graph.h"
#include "exchange/onnx/export/stored_design.h"
#include "exchange/onnx/export/write_model.h"
#include "run/checkpoint/stored_tensors.h"
#include "run/execute/initialise.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/onnx_export.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>

namespace weft {

namespace onnx {

namespace {

/// The first opset whose IR has fields for several devices.
constexpr std::int64_t devicesSince = 23;

class Exporter {
public:
    explicit Exporter(const OnnxExportRequest& request)
        : request_(request),
          registry_(makeRegistry()),
          expanded_(expand(request.design, registry_->kinds)) {
        refuseErrors(expanded_.problems);
    }

    OnnxExport run() {
        lowerForInference();
        ExportedGraph graph = exportGraph(part_.design, lowered_, request_.opset);
        if (!graph.refusals.empty()) {
            made_.refusals = std::move(graph.refusals);
            return std::move(made_);
        }
        Model& model = graph.model;
        model.producer = "Weft";
        model.name = request_.design.name.empty() ? "design" : request_.design.name;
        model.metadata = {{designKey, toText(request_.design)}, {graphKey, hashWithWeights(model)}};
        made_.nodes = model.nodes.size();
        const DeviceFields devices = fieldsFor(graph);
        made_.model = bytesOf(std::move(model), devices);
        return std::move(made_);
    }

private:
    void lowerForInference() {
        const LowerRequest wanted{.name = "infer", .mode = Mode::infer, .batch = loweredBatch};
        const Lowered whole = lower(expanded_, registry_->layers, registry_->ops, wanted);
        refuseErrors(whole.problems);
        part_ = inferencePart(expanded_, whole.graph);
        lowered_ = lower(part_.design, registry_->layers, registry_->ops, wanted);
        refuseErrors(lowered_.problems);
        addOutputs(lowered_, part_);
        if (lowered_.graph.results.empty()) {
            throw Error(ErrorCode::design, {}, "no layer of the design has an output to export",
                        "add a layer whose output only losses, or no layer, reads");
        }
    }

    /// Adds the weights to the model, and returns the hash of both.
    std::string hashWithWeights(Model& model) {
        std::optional<SafetensorsReader> file;
        if (!request_.weights.empty()) {
            file.emplace(request_.weights);
        }
        std::vector<std::string> missing;
        std::unordered_set<std::string_view> names;
        const Graph& graph = lowered_.graph;
        for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
            const Slot& slot = graph.at(SlotId{s});
            if (!isWeight(slot)) {
                continue;
            }
            Tensor tensor{.element = Element::f32, .shape = slot.shape};
            tensor.reals.resize(static_cast<std::size_t>(elementsOf(slot.shape)));
            if (!fill(file, SlotId{s}, std::as_writable_bytes(std::span(tensor.reals)))) {
                missing.push_back(slot.name);
            }
            model.constants[slot.name] = std::make_shared<const Tensor>(std::move(tensor));
            names.insert(slot.name);
        }
        if (!missing.empty()) {
            throw Error(ErrorCode::format, Where{.file = request_.weights.string()},
                        fmt::format("holds no {}", fmt::join(missing, ", ")),
                        "name weights that were trained with this design");
        }
        if (!file && !names.empty()) {
            made_.remarks.push_back(fmt::format(
                "no weights are given, so that the model has the initial ones of seed {}",
                request_.design.training.seed));
        }
        made_.weights = names.size();
        return graphHash(model, names);
    }

    /// Returns false if the file of weights does not hold the slot.
    bool fill(const std::optional<SafetensorsReader>& file, SlotId id,
              std::span<std::byte> numbers) const {
        const Slot& slot = lowered_.graph.at(id);
        ensure(slot.dtype == DType::f32, "layers of other types are refused");
        if (!file) {
            drawInitialContents(slot, static_cast<std::uint64_t>(request_.design.training.seed),
                                wholeBox(slot.shape), numbers);
            return true;
        }
        const StoredPart stored = storedPart(*file, lowered_.graph, id, request_.weights);
        if (stored.entry == nullptr) {
            return false;
        }
        file->read(*stored.entry, stored.from, numbers);
        if (!areFinite(slot.dtype, numbers)) {
            throw Error(ErrorCode::format, Where{.file = request_.weights.string()},
                        stored.entry->name + " holds a number that is not finite",
                        "export the weights of an earlier step");
        }
        return true;
    }

    /// Places the design on its devices, if the opset can tell, and there are several.
    DeviceFields fieldsFor(const ExportedGraph& graph) {
        const std::vector<std::string> devices = devicesOf(request_.design, {});
        if (request_.opset < devicesSince || devices.size() < 2) {
            return {};
        }
        const ProgramSet placed =
            makeProgramSet({.design = &request_.design,
                            .expanded = &expanded_,
                            .ops = &registry_->ops,
                            .layers = &registry_->layers,
                            .optimizers = &registry_->optimizers,
                            .devices = devices,
                            .machine = {},
                            .members = {{Mode::infer, request_.design.data.batch}}});
        refuseErrors(placed.problems);
        const Variant& variant = placed.members.front();
        DeviceFields fields = deviceFields(graph, *variant.plan, variant.values);
        if (!fields.inexpressible.empty()) {
            made_.remarks.push_back(fmt::format(
                "the multi-device fields do not have {}: they cannot express partial sums and "
                "unequal parts; the whole assignment is in the metadata",
                fmt::join(fields.inexpressible, ", ")));
        }
        return fields;
    }

    const OnnxExportRequest& request_;
    std::unique_ptr<const Registry> registry_;
    ExpandedDesign expanded_;
    InferenceDesign part_;
    Lowered lowered_;
    OnnxExport made_;
};

} // namespace

std::int64_t irVersionOf(std::int64_t opset) {
    // Opsets 17 to 24 came with these.
    return opset < 19 ? 8 : opset < 21 ? 9 : opset < 23 ? 10 : opset < 24 ? 11 : 12;
}

} // namespace onnx

std::string toString(const OnnxRefusal& refusal) {
    return printable(fmt::format("layer {} ({}): {}; mute the layer to export the others",
                                 refusal.layer, refusal.kind, refusal.reason));
}

OnnxExport exportOnnx(const OnnxExportRequest& request) {
    if (request.opset < oldestExportedOpset || request.opset > newestExportedOpset) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("opset {} is not exported; {} to {} are", request.opset,
                                oldestExportedOpset, newestExportedOpset),
                    "leave --opset out, or name one of these");
    }
    return onnx::Exporter(request).run();
}

} // namespace weft
