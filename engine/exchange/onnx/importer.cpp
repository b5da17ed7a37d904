// SPDX-License-Identifier: Apache-2.0
// Walks through the nodes of a model in order: each is computed at import, becomes a layer, or is
// refused. A node that reads the output of a refused node is skipped, so that each cause gives one
// message.
#include "base/check_attributes.h"
#include "base/limits.h"
#include "compile/registry.h"
#include "data/arrays/npy.h"
#include "design/names.h"
#include "exchange/onnx/convert.h"
#include "exchange/onnx/export/stored_design.h"
#include "exchange/onnx/layer_names.h"
#include "exchange/onnx/patterns.h"
#include "exchange/onnx/place_layers.h"
#include "graph/builder.h"
#include <weft/error.h>
#include <weft/import.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace weft {

namespace onnx {

namespace {

namespace fs = std::filesystem;

class Importer final : public LayerMaker {
public:
    explicit Importer(const ImportRequest& request)
        : request_(request),
          registry_(makeRegistry()),
          model_(readModel(request.file)),
          builder_(graph_, registry_->ops) {}

    Import run() {
        if (model_.metadata.contains(designKey)) {
            if (std::optional<Import> stored = storedDesign()) {
                return std::move(*stored);
            }
        }
        for (const std::string& remark : model_.remarks) {
            add(ImportOutcome::remark, "the model", remark);
        }
        setConstants();
        for (const auto& [name, tensor] : model_.constants) {
            budget_ += perElement * tensor->size();
        }
        if (model_.outputs.empty()) {
            fail("has no output", ErrorCode::format, "export the model again");
        }
        endAt();
        keepNeeded();
        foldConstants();
        std::ranges::move(recognisePatterns(model_), std::back_inserter(import_.lines));
        const std::size_t parts = model_.nodes.size() + model_.inputs.size();
        if (parts > limits::layers) {
            fail(
                fmt::format("has {} nodes and inputs after constants are computed; {} are the most",
                            parts, limits::layers));
        }
        findReaders();
        makeInputs();
        for (const Node& node : model_.nodes) {
            convert(node);
        }
        findOutputs();
        remarkFolded();
        import_.design.name = validLayerName(request_.file.stem().string(), "model");
        import_.design.note = "Imported from " + request_.file.filename().string();
        placeLayers(import_.design.network);
        return std::move(import_);
    }

    // ---- overrides of LayerMaker
    // -----------------------------------------------------------------

    std::vector<ConvertedValue> make(const Node& node, LayerRequest request) override {
        const LayerKind* kind = registry_->layers.find(request.kind);
        ensure(kind != nullptr, "a conversion names an existing layer kind");
        const Attributes checked =
            checkedAttributes(request.attributes, kind->info.attributes, {.name = request.kind},
                              [](const Diagnostic& problem) { throw Refusal(problem.text); });
        const LayerId id{nextId_};
        const std::string name = names_.unique(layerName(node, request));
        std::vector<ConvertedValue> made = lower(*kind, id, name, checked, request);
        ++nextId_;
        import_.design.network.layers.push_back({.id = id,
                                                 .name = name,
                                                 .kind = request.kind,
                                                 .attributes = std::move(request.attributes)});
        for (const auto& [port, value] : request.inputs) {
            import_.design.network.wires.push_back({.from = value.from, .to = {id, port}});
        }
        for (auto& [parameter, tensor] : request.parameters) {
            import_.weights.push_back({name + "." + parameter, tensor->shape, tensor->reals});
        }
        return made;
    }

    [[nodiscard]] const LayerList& layers() const override { return registry_->layers; }
    [[nodiscard]] const OpList& ops() const override { return registry_->ops; }
    [[nodiscard]] std::vector<std::string> readingOps(const std::string& value) const override {
        const auto found = readers_.find(value);
        return found == readers_.end() ? std::vector<std::string>{} : found->second;
    }

    void takeFromBudget(const Node& node, std::size_t elements) override {
        if (elements > budget_) {
            fail(
                fmt::format("{}: up to here the import would read and compute more than {} numbers "
                            "per number of the model, and {} besides",
                            node.label(), perElement, free),
                ErrorCode::format,
                "simplify the model before (onnxsim), or end the import earlier with --until");
        }
        budget_ -= elements;
    }

private:
    static constexpr std::size_t perElement = 8;
    static constexpr std::size_t free = std::size_t{1} << 25U;

    [[noreturn]] void fail(const std::string& problem, ErrorCode code = ErrorCode::format,
                           const std::string& remedy = "export a smaller part of it") const {
        throw Error(code, Where{.file = request_.file.string()}, problem, remedy);
    }

    void add(ImportOutcome outcome, std::string subject, std::string text) {
        import_.lines.push_back({outcome, std::move(subject), std::move(text)});
    }
    void add(ImportOutcome outcome, const Node& node, std::string text) {
        add(outcome, node.label(), std::move(text));
        if (outcome == ImportOutcome::refused) {
            import_.lines.back().end = valueBefore(node);
        } else if (outcome == ImportOutcome::converted && !node.outputs.empty()) {
            import_.lines.back().end = node.outputs.front();
        }
    }

    /// Returns the design that the model carries, or none and says why.
    std::optional<Import> storedDesign() {
        std::string why = "is not taken, because --until, --size or --set asks for a part of the "
                          "model, or another size";
        std::optional<Import> stored;
        if (request_.until.empty() && request_.sizes.empty() && request_.constants.empty()) {
            stored = importStoredDesign(model_, *registry_, why);
        }
        if (!stored) {
            add(ImportOutcome::remark, "the model",
                fmt::format("the design in its metadata {}; its nodes are imported instead", why));
        }
        return stored;
    }

    // ---- before the walk -----------------------------------------------------------------------

    void setConstants() {
        for (const auto& [name, file] : request_.constants) {
            const auto port = std::ranges::find(model_.inputs, name, &ModelPort::name);
            if (port == model_.inputs.end()) {
                fail(fmt::format("has no input {} to make constant", name), ErrorCode::usage,
                     "name one of its inputs");
            }
            model_.constants[name] = std::make_shared<const Tensor>(
                file.extension() == ".pb" ? readTensor(file) : fromNpy(file, port->element));
            model_.inputs.erase(port);
            add(ImportOutcome::remark, "input " + name, "is a constant, as requested");
        }
    }

    static Tensor fromNpy(const fs::path& file, Element element) {
        const bool isReal = element == Element::none || isFloating(element);
        const Array array = readNpy(file, isReal ? DType::f32 : DType::i64);
        Tensor made{.element = isReal ? Element::f32 : element, .shape = array.shape};
        const auto count = static_cast<std::size_t>(elementsOf(array.shape));
        isReal ? made.reals.resize(count) : made.wholes.resize(count);
        if (count > 0) {
            std::memcpy(isReal ? static_cast<void*>(made.reals.data())
                               : static_cast<void*>(made.wholes.data()),
                        array.bytes.data(), array.bytes.size());
        }
        return made;
    }

    /// Ends the model at the value or node that the request names in `until`.
    void endAt() {
        if (request_.until.empty()) {
            return;
        }
        model_.outputs.clear();
        for (const Node& node : model_.nodes) {
            const bool isNode = node.name == request_.until;
            for (const std::string& output : node.outputs) {
                if (!output.empty() && (isNode || output == request_.until)) {
                    model_.outputs.push_back({.name = output});
                }
            }
        }
        if (model_.outputs.empty()) {
            fail(fmt::format("has no node or value {} to end at", request_.until), ErrorCode::usage,
                 "name a node as the messages of the import do, or its output");
        }
    }

    /// Leaves out nodes and inputs on which no output depends.
    void keepNeeded() {
        std::unordered_set<std::string> needed;
        for (const ModelPort& port : model_.outputs) {
            needed.insert(port.name);
        }
        std::vector<bool> isNeeded(model_.nodes.size(), false);
        for (std::size_t k = model_.nodes.size(); k-- > 0;) {
            const Node& node = model_.nodes[k];
            isNeeded[k] = std::ranges::any_of(
                node.outputs, [&](const std::string& output) { return needed.contains(output); });
            if (isNeeded[k]) {
                needed.insert(node.inputs.begin(), node.inputs.end());
            }
        }
        std::vector<Node> kept;
        for (std::size_t k = 0; k < model_.nodes.size(); ++k) {
            if (isNeeded[k]) {
                kept.push_back(std::move(model_.nodes[k]));
            } else {
                add(ImportOutcome::leftOut, model_.nodes[k].label(), "no output depends on it");
            }
        }
        model_.nodes = std::move(kept);
        std::erase_if(model_.inputs, [&](const ModelPort& port) {
            const bool isLeftOut = !needed.contains(port.name);
            if (isLeftOut) {
                add(ImportOutcome::leftOut, "input " + port.name, "no output depends on it");
            }
            return isLeftOut;
        });
    }

    /// Computes nodes that depend on constants alone, so that patterns can see their results.
    void foldConstants() {
        std::vector<Node> kept;
        for (Node& node : model_.nodes) {
            std::vector<TensorPointer> inputs;
            const bool areConstant =
                canFold(node) && std::ranges::all_of(node.inputs, [&](const std::string& input) {
                    const auto found = model_.constants.find(input);
                    const bool isKnown = found != model_.constants.end();
                    inputs.push_back(isKnown ? found->second : nullptr);
                    return isKnown || input.empty();
                });
            if (!areConstant || node.outputs.size() != 1 || !tryFold(node, inputs)) {
                kept.push_back(std::move(node));
            }
        }
        model_.nodes = std::move(kept);
    }

    bool tryFold(const Node& node, const std::vector<TensorPointer>& inputs) {
        try {
            model_.constants[node.outputs.front()] = folded(node, inputs);
        } catch (const Refusal&) {
            return false; // convert() computes the node again and reports the reason
        }
        add(ImportOutcome::folded, node, textOfFold(node, inputs));
        return true;
    }

    TensorPointer folded(const Node& node, const std::vector<TensorPointer>& inputs) {
        for (const TensorPointer& input : inputs) {
            takeFromBudget(node, input == nullptr ? 0 : input->size());
        }
        TensorPointer made = fold(node, model_.opset, inputs);
        if (node.op ==
            "Constant") { // the file contains its elements, so that they add to the budget
            budget_ += perElement * made->size();
        } else {
            takeFromBudget(node, made->size());
        }
        return made;
    }

    static std::string textOfFold(const Node& node, const std::vector<TensorPointer>& inputs) {
        if (node.op == "DequantizeLinear" && !inputs.empty() && inputs[0] != nullptr) {
            return fmt::format("{} weights with a scale became f32", nameOf(inputs[0]->element));
        }
        return node.op == "Constant" ? "is a constant" : "was computed at import";
    }

    void findReaders() {
        for (const Node& node : model_.nodes) {
            for (const std::string& input : node.inputs) {
                readers_[input].push_back(node.op);
            }
        }
        for (const ModelPort& port : model_.outputs) {
            readers_[port.name].emplace_back();
        }
    }

    // ---- inputs --------------------------------------------------------------------------------

    void makeInputs() {
        for (const auto& [name, tensor] : model_.constants) {
            values_[name].constants = {tensor, tensor};
        }
        std::set<std::string> unused;
        for (const auto& [name, size] : request_.sizes) {
            unused.insert(name);
        }
        findBatch(unused);
        for (const ModelPort& port : model_.inputs) {
            const std::string subject = "input " + port.name;
            try {
                makeInput(port, unused);
            } catch (const Refusal& refusal) {
                add(ImportOutcome::refused, subject, refusal.what());
            }
        }
        if (!unused.empty()) {
            fail(fmt::format("has no open dim {}", *unused.begin()), ErrorCode::usage,
                 "leave its --size out, or name a dim as the messages of the import do");
        }
    }

    /// Sets the batch size that the exporter fixed, if the first dims of all inputs are one number.
    void findBatch(std::set<std::string>& unused) {
        std::set<std::int64_t> first;
        for (const ModelPort& port : model_.inputs) {
            if (port.dims && !port.dims->empty()) {
                first.insert(port.dims->front().size);
                unused.erase(port.dims->front().name);
            }
        }
        if (first.size() == 1 && *first.begin() > 0) {
            fixedBatch_ = *first.begin();
            add(ImportOutcome::remark, "the model",
                fmt::format("was exported for a batch of {}; the design takes any", fixedBatch_));
        } else if (first.size() > 1) {
            std::string sizes;
            for (const std::int64_t size : first) {
                sizes += (sizes.empty() ? "" : " and ") +
                         (size < 0 ? std::string("open") : std::to_string(size));
            }
            add(ImportOutcome::refused, "the model",
                fmt::format("its inputs begin with dims of different sizes ({}), so that none is "
                            "the batch; export it with the batch as first dim of every input, or "
                            "make inputs constant with --set NAME=FILE.npy",
                            sizes));
        }
    }

    void makeInput(const ModelPort& port, std::set<std::string>& unused) {
        if (!port.isTensor) {
            throw Refusal("is not a tensor");
        }
        if (!port.dims) {
            throw Refusal("has an unknown number of dims; export the model with the shape of its "
                          "inputs");
        }
        if (port.dims->empty()) {
            throw Refusal("is a single number without a batch; make it constant with --set "
                          "NAME=FILE.npy");
        }
        Shape rest;
        for (std::size_t k = 1; k < port.dims->size(); ++k) {
            const Dim& dim = (*port.dims)[k];
            const std::string byPosition = fmt::format("{}.{}", port.name, k);
            std::int64_t size = dim.size;
            for (const std::string& name : {dim.name, byPosition}) {
                const auto given = request_.sizes.find(name);
                if (dim.size < 0 && given != request_.sizes.end()) {
                    size = given->second;
                    unused.erase(name);
                }
            }
            if (size < 1) {
                throw Refusal(fmt::format("its dim {} is open; give its size with --size {}=N", k,
                                          dim.name.empty() ? byPosition : dim.name));
            }
            rest.push_back(size);
        }
        LayerRequest request{.kind = "input",
                             .attributes = {{"shape", rest}, {"dtype", std::string(typeFor(port))}},
                             .name = port.name};
        const ConvertedValue made =
            make({.name = port.name, .op = "input"}, std::move(request)).front();
        values_[port.name] = made;
        add(ImportOutcome::converted, "input " + port.name,
            fmt::format("input {}, {} [batch{}{}]{}", import_.design.network.layers.back().name,
                        nameOf(made.dtype), rest.empty() ? "" : ", ",
                        toString(rest).substr(1, toString(rest).size() - 2),
                        isFloating(port.element) && port.element != Element::f32
                            ? fmt::format("; {} in the model", nameOf(port.element))
                            : ""));
    }

    static std::string_view typeFor(const ModelPort& port) {
        if (isFloating(port.element)) {
            return "f32";
        }
        if (port.element == Element::i64 || port.element == Element::i32) {
            return port.element == Element::i64 ? "i64" : "i32";
        }
        throw Refusal(fmt::format("has elements of {}; an input layer takes f32, i32 or i64",
                                  nameOf(port.element)));
    }

    // ---- the walk ------------------------------------------------------------------------------

    void convert(const Node& node) {
        std::vector<const ConvertedValue*> inputs;
        bool isKnown = true;
        for (const std::string& input : node.inputs) {
            const auto found = values_.find(input);
            inputs.push_back(input.empty() || found == values_.end() ? nullptr : &found->second);
            isKnown = isKnown && (input.empty() || found != values_.end());
        }
        while (!inputs.empty() && node.inputs[inputs.size() - 1].empty()) {
            inputs.pop_back();
        }
        try {
            requireOperator(node);
            if (!isKnown) {
                return; // a node that computes an input was refused
            }
            if (!tryCompute(node, inputs)) {
                makeLayer(node, std::move(inputs));
            }
        } catch (const Refusal& refusal) {
            add(ImportOutcome::refused, node, refusal.what());
        }
    }

    /// Throws Refusal if the operator becomes no layer and cannot be folded in this opset.
    void requireOperator(const Node& node) const {
        const bool isForeign = !node.domain.empty() && node.domain != recognisedDomain;
        const ConversionRow* row = findConversion(node);
        const bool hasRow = !row->op.empty() && row->convert != convertUnary;
        if (isForeign || (!hasRow && !canFold(node) && unaryKindOf(node.op, *this) == nullptr)) {
            throw Refusal(whyUnsupported(node));
        }
        if (node.domain.empty() && model_.opset < row->since) {
            throw Refusal(fmt::format("does not exist before opset {}, but the model uses opset {}",
                                      row->since, model_.opset));
        }
        if (node.outputs.empty()) {
            throw Refusal("has no output");
        }
    }

    /// Computes a node whose inputs are constant, or that reads only a shape, for both batch sizes.
    /// Returns false if the node is neither.
    bool tryCompute(const Node& node, const std::vector<const ConvertedValue*>& inputs) {
        const bool isOfShape = (node.op == "Shape" || node.op == "Size") && inputs.size() == 1 &&
                               inputs[0] != nullptr && !inputs[0]->isConstant();
        const bool areConstant = std::ranges::all_of(inputs, [](const ConvertedValue* value) {
            return value == nullptr || value->isConstant();
        });
        if (!canFold(node) || (!isOfShape && !areConstant) || node.domain == recognisedDomain) {
            return false;
        }
        if (node.outputs.size() > 1) {
            throw Refusal("has more outputs than the operator");
        }
        const bool isAlike =
            !isOfShape && std::ranges::all_of(inputs, [](const ConvertedValue* value) {
                return value == nullptr || value->constants[0] == value->constants[1];
            });
        ConvertedValue made;
        for (std::size_t k = 0; k < batches.size(); ++k) {
            if (k > 0 && isAlike) {
                made.constants[k] = made.constants[0];
                continue;
            }
            std::vector<TensorPointer> given;
            for (const ConvertedValue* value : inputs) {
                given.push_back(isOfShape          ? standIn(value->shape(batches[k]))
                                : value == nullptr ? nullptr
                                                   : value->constants[k]);
            }
            made.constants[k] = isOfShape && node.op == "Size"
                                    ? scalar(elementsOf(inputs[0]->shape(batches[k])))
                                    : folded(node, given);
        }
        values_[node.outputs.front()] = std::move(made);
        add(ImportOutcome::folded, node, "was computed at import");
        return true;
    }

    /// Returns a tensor without elements for operators that read only its shape.
    static TensorPointer standIn(Shape shape) {
        return std::make_shared<const Tensor>(
            Tensor{.element = Element::f32, .shape = std::move(shape)});
    }
    static TensorPointer scalar(std::int64_t number) {
        return std::make_shared<const Tensor>(Tensor{.element = Element::i64, .wholes = {number}});
    }

    void makeLayer(const Node& node, std::vector<const ConvertedValue*> inputs) {
        NodeConversion conversion(*this, node, model_.opset, fixedBatch_, std::move(inputs));
        findConversion(node)->convert(conversion);
        for (std::size_t k = 0; k < conversion.results().size(); ++k) {
            if (!node.outputs[k].empty()) {
                values_[node.outputs[k]] = conversion.results()[k];
            }
        }
        std::string notes;
        for (const std::string& note : conversion.notes()) {
            notes += "; " + note;
        }
        if (conversion.layerKind().empty()) {
            add(ImportOutcome::folded, node, conversion.passReason() + notes);
        } else {
            add(ImportOutcome::converted, node,
                fmt::format("layer {} ({}){}", import_.design.network.layers.back().name,
                            conversion.layerKind(), notes));
        }
    }

    /// Returns the first input of the node that a layer computes, where --until can end the import;
    /// empty if there is none.
    [[nodiscard]] std::string valueBefore(const Node& node) const {
        const auto isComputed = [&](const std::string& input) {
            const auto found = values_.find(input);
            return found != values_.end() && !found->second.isConstant() &&
                   layerOf(found->second.from).kind != "input";
        };
        const auto found = std::ranges::find_if(node.inputs, isComputed);
        return found == node.inputs.end() ? std::string() : *found;
    }

    // ---- one layer -----------------------------------------------------------------------------

    /// Lowers the layer, which infers its shape and says why it does not take its inputs.
    std::vector<ConvertedValue> lower(const LayerKind& kind, LayerId id, const std::string& name,
                                      const Attributes& attributes, const LayerRequest& request) {
        Lowering::Request wanted{.origin = {id},
                                 .name = name,
                                 .attributes = attributes,
                                 .inputs = {},
                                 .mode = Mode::infer,
                                 .batch = batches[0]};
        if (request.inputs.size() > limits::inputs) {
            throw Refusal(fmt::format("has {} inputs; {} are the most", request.inputs.size(),
                                      limits::inputs));
        }
        for (const auto& [port, value] : request.inputs) {
            requireType(kind, port, value);
            wanted.inputs.emplace_back(port, value.lowered);
        }
        const std::size_t before = graph_.slots.size();
        builder_.setOrigin(wanted.origin);
        builder_.setRole({});
        Lowering lowering(builder_, std::move(wanted));
        kind.lower(lowering);
        for (const ShapeRefusal& refusal : builder_.takeRefusals()) {
            throw Refusal(refusal.reason);
        }
        for (const Lowering::Refusal& refusal : lowering.refusals()) {
            throw Refusal(refusal.reason);
        }
        if (lowering.outputs().empty()) {
            throw Refusal(fmt::format("the layer {} has no output", kind.info.kind));
        }
        requireParameters(before, name, request);
        std::vector<ConvertedValue> made;
        for (const auto& [port, y] : lowering.outputs()) {
            const Shape& shape = builder_.shape(y);
            if (shape.empty() || shape[0] != batches[0]) {
                throw Refusal(fmt::format("the layer {} does not keep the batch", kind.info.kind));
            }
            made.push_back({.from = {id, port},
                            .lowered = y,
                            .rest = Shape(shape.begin() + 1, shape.end()),
                            .dtype = builder_.dtype(y)});
        }
        return made;
    }

    static void requireType(const LayerKind& kind, const std::string& port,
                            const ConvertedValue& value) {
        if (value.isFlattened) {
            throw Refusal("reads the result of a global pooling with dims of size 1, which it "
                          "leaves out");
        }
        for (const PortInfo& info : kind.info.inputs) {
            const bool isPort = info.name == port || (info.variadic && port.starts_with(info.name));
            const bool isOther = info.type == PortType::floating ? !isFloating(value.dtype)
                                 : info.type == PortType::whole  ? isFloating(value.dtype)
                                                                 : false;
            if (isPort && isOther) {
                throw Refusal(fmt::format(
                    "computes with {}; the layer {} takes {}", nameOf(value.dtype), kind.info.kind,
                    info.type == PortType::whole ? "whole numbers" : "floating-point numbers"));
            }
        }
    }

    /// Throws Refusal if the shape of a parameter differs from that of its tensor.
    void requireParameters(std::size_t before, const std::string& name,
                           const LayerRequest& request) const {
        ensure(graph_.slots.size() - before == request.parameters.size(),
               "a conversion gives every parameter of its layer");
        for (const auto& [parameter, tensor] : request.parameters) {
            const auto slot = std::find_if(
                graph_.slots.begin() + static_cast<std::ptrdiff_t>(before), graph_.slots.end(),
                [&](const Slot& each) { return each.name == name + "." + parameter; });
            ensure(slot != graph_.slots.end(), "a conversion names the parameters of its layer");
            if (slot->shape != tensor->shape || !tensor->isReal()) {
                throw Refusal(fmt::format("its {} is {} {}; the layer {} needs {}", parameter,
                                          nameOf(tensor->element), toString(tensor->shape),
                                          request.kind, toString(slot->shape)));
            }
        }
    }

    // ---- after the walk ------------------------------------------------------------------------

    /// Returns the layer of an output. Layer ids are 1, 2, ... in the order of the list.
    [[nodiscard]] const Layer& layerOf(const Endpoint& from) const {
        return import_.design.network.layers[from.layer.value - 1];
    }

    void findOutputs() {
        std::set<Endpoint> read;
        for (const Wire& wire : import_.design.network.wires) {
            read.insert(wire.from);
        }
        for (const ModelPort& port : model_.outputs) {
            const auto found = values_.find(port.name);
            if (found == values_.end()) {
                continue; // the node that computes the output was refused
            }
            const std::string subject = "output " + port.name;
            if (found->second.isConstant()) {
                add(ImportOutcome::refused, subject, "is a constant, which no layer computes");
                continue;
            }
            const Endpoint& from = found->second.from;
            const Layer& layer = layerOf(from);
            if (layer.kind == "input") {
                add(ImportOutcome::refused, subject, "is an input, which no layer changes");
                continue;
            }
            if (read.contains(from)) {
                add(ImportOutcome::remark, subject,
                    fmt::format("layers of the design read {}, so that weft infer does not print "
                                "it",
                                layer.name));
            }
            import_.outputs.push_back(
                {port.name, layer.name + "." + from.port, found->second.rest});
        }
    }

    void remarkFolded() {
        const auto has = [&](std::string_view kind) {
            return std::ranges::any_of(import_.design.network.layers,
                                       [&](const Layer& layer) { return layer.kind == kind; });
        };
        if (has("conv2d") && !has("batch_norm") && !has("dropout")) {
            add(ImportOutcome::remark, "the model",
                "no BatchNormalization and no Dropout are left: the exporter folded them. To "
                "train, export the model in training mode");
        }
    }

    const ImportRequest& request_;
    std::unique_ptr<const Registry> registry_;
    Model model_;
    Graph graph_;
    Builder builder_;
    Import import_;
    NameMaker names_;
    std::uint32_t nextId_ = 1;
    std::size_t budget_ = free; ///< elements of constants that may still be read or computed
    std::int64_t fixedBatch_ = 0;
    std::unordered_map<std::string, ConvertedValue> values_;
    std::unordered_map<std::string, std::vector<std::string>> readers_;
};

} // namespace

} // namespace onnx

Import importOnnx(const ImportRequest& request) { return onnx::Importer(request).run(); }

} // namespace weft
