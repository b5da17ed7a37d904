// SPDX-License-Identifier: Apache-2.0
#include "place/layers_placed.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

LayersPlaced::LayersPlaced(const Graph& graph, const PlacementRequest& request, PlaceTables& tables,
                           std::vector<Diagnostic>& problems)
    : graph_(graph),
      request_(request),
      tables_(tables),
      shardings_(tables.shardings),
      problems_(problems) {
    Mesh all;
    for (std::uint32_t k = 0; k < request.devices.size(); ++k) {
        all.devices.push_back({k});
    }
    all.shape = {static_cast<std::int64_t>(all.devices.size())};
    all_ = shardings_.mesh(all);
    isData_.assign(graph.values.size(), false);
    for (const Feed& feed : graph.feeds) {
        isData_[feed.value.value] = feed.kind == FeedKind::data;
    }
    for (const ValueId input : graph.bodyInputs) {
        isData_[input.value] = true; // its repeat determines whether it is
    }
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        const bool isData =
            std::ranges::any_of(node.inputs, [&](ValueId input) { return isData_[input.value]; });
        for (const ValueId output : node.outputs) {
            isData_[output.value] = isData;
        }
        Layer& layer = layers_[indexOf(node.origin).value];
        if (isData && (node.pass == Pass::forward || node.pass == Pass::metric)) {
            layer.forward.push_back({n});
        }
    }
}

/// The nodes of a layer are adjacent.
LayerIndex LayersPlaced::indexOf(Origin origin) {
    if (layers_.empty() || layers_[latest_.value].origin != origin) {
        const LayerIndex next{static_cast<std::uint32_t>(layers_.size())};
        const auto [found, isNew] = byOrigin_.try_emplace(origin, next);
        if (isNew) {
            layers_.push_back({.origin = origin});
        }
        latest_ = found->second;
    }
    return latest_;
}

const Assignment& LayersPlaced::assignmentOf(Origin origin) const {
    const auto found = request_.layers.find(origin);
    return found == request_.layers.end() ? request_.fallback : found->second;
}

void LayersPlaced::report(Origin origin, std::string code, std::string text, Fix fix) {
    problems_.push_back({.code = std::move(code),
                         .severity = Severity::error,
                         .layer = origin.layer,
                         .layerName = graph_.layerName(origin),
                         .port = {},
                         .attribute = "assignment",
                         .text = std::move(text),
                         .fix = std::move(fix)});
}

Mesh LayersPlaced::chosenDevices(Origin origin, const Assignment& assignment, MeshId first) {
    const Assignment& fallback = request_.fallback;
    const Assignment& from = assignment.devices.empty() ? fallback : assignment;
    Mesh mesh;
    for (const std::string& name : from.devices) {
        const auto found = std::ranges::find(request_.devices, name);
        if (found == request_.devices.end()) {
            report(origin, "E070", fmt::format("there is no device {} in this run", name),
                   {"add that device to the run, or assign the layer to other devices"});
            continue;
        }
        const DeviceId id{static_cast<std::uint32_t>(found - request_.devices.begin())};
        if (std::ranges::find(mesh.devices, id) != mesh.devices.end()) {
            report(origin, "E071", fmt::format("device {} is named twice", name),
                   {"name each device once"});
            continue;
        }
        mesh.devices.push_back(id);
    }
    mesh.shape =
        assignment.mesh.empty() && assignment.devices.empty() ? fallback.mesh : assignment.mesh;
    if (mesh.devices.empty()) {
        const Mesh& follows = shardings_.at(first.isNone() ? all_ : first);
        mesh.devices = follows.devices;
        mesh.shape = mesh.shape.empty() ? follows.shape : mesh.shape;
    }
    return mesh;
}

MeshId LayersPlaced::meshFor(Origin origin, const Assignment& assignment, MeshId first) {
    Mesh mesh = chosenDevices(origin, assignment, first);
    const auto count = static_cast<std::int64_t>(mesh.devices.size());
    if (mesh.shape.empty()) {
        mesh.shape = {count};
    }
    if (mesh.shape.size() > 2 || elementsOf(mesh.shape) != count ||
        std::ranges::any_of(mesh.shape, [](std::int64_t size) { return size < 1; })) {
        report(origin, "E072",
               fmt::format("{} devices cannot be arranged as {}", count, toString(mesh.shape)),
               {"set the mesh to one or two sizes whose product is the number of devices"});
        mesh.shape = {count};
    }
    return shardings_.mesh(mesh);
}

std::vector<WordNode> LayersPlaced::wordNodesOf(const Layer& layer) {
    std::vector<WordNode> nodes;
    for (const NodeId id : layer.forward) {
        addWordNodes(graph_, graph_.at(id), nodes);
    }
    return nodes;
}

/// Adds the nodes that an assignment may split; for a repeat, those of its body.
void LayersPlaced::addWordNodes(const Graph& graph, const Node& node,
                                std::vector<WordNode>& nodes) {
    if (!node.body) {
        nodes.push_back({&node, &tables_.book.of(graph, node)});
        return;
    }
    for (const Node& inside : node.body->nodes) {
        if (inside.pass == Pass::forward) {
            addWordNodes(*node.body, inside, nodes);
        }
    }
}

LegalWords LayersPlaced::legalWords() {
    LegalWords legal;
    legal.reserve(layers_.size());
    std::vector<std::uint64_t> key;
    for (const Layer& layer : layers_) {
        if (layer.origin.layer.isNone() || layer.forward.empty()) {
            continue;
        }
        const std::vector<WordNode> nodes = wordNodesOf(layer);
        // Layers of equal rules have the same legal words, unless their nodes have letters of their
        // own.
        key.clear();
        bool isUsual = true;
        for (const WordNode& at : nodes) {
            key.push_back(at.rule->id);
            isUsual = isUsual && at.node->letters.empty();
        }
        const auto found = isUsual ? tables_.legal.find(key) : tables_.legal.end();
        if (found != tables_.legal.end()) {
            legal.emplace_back(layer.origin, found->second);
            continue;
        }
        std::vector<LegalWord> made;
        for (const AxisWord word : {AxisWord::follow, AxisWord::data, AxisWord::batch,
                                    AxisWord::modelStack, AxisWord::modelAdd, AxisWord::spaceRows,
                                    AxisWord::spaceColumns, AxisWord::replicate}) {
            made.push_back(legalityOf(nodes, word));
        }
        auto words = std::make_shared<const std::vector<LegalWord>>(std::move(made));
        if (isUsual) {
            tables_.legal.emplace(key, words);
        }
        legal.emplace_back(layer.origin, std::move(words));
    }
    return legal;
}

std::vector<AxisWord> LayersPlaced::wordsFor(const Layer& layer) {
    const Assignment& assignment = assignmentOf(layer.origin);
    const bool isExplicit = request_.layers.contains(layer.origin);
    const Mesh mesh = shardings_.at(layer.mesh);
    std::vector<AxisWord> words(mesh.axes(), AxisWord::follow);
    if (assignment.words.size() > mesh.axes() && isExplicit) {
        report(layer.origin, "E073",
               fmt::format("{} assignments are given for a mesh of {} axes",
                           assignment.words.size(), mesh.axes()),
               {"arrange the devices in a mesh with one axis per assignment, such as 2x2"});
    }
    for (std::size_t axis = 0; axis < std::min(mesh.axes(), assignment.words.size()); ++axis) {
        words[axis] = assignment.words[axis];
        if (words[axis] == AxisWord::follow || words[axis] == AxisWord::replicate ||
            layer.forward.empty()) {
            continue;
        }
        if (words[axis] == AxisWord::data && areApart(wordNodesOf(layer))) {
            refuseMean(layer.origin, legalityOf(wordNodesOf(layer), AxisWord::data).reason);
            words[axis] = AxisWord::batch;
        }
        if (mesh.shape[axis] == 1) {
            continue;
        }
        // On two axes the same word would cut the same letter twice.
        const bool isTwice = axis > 0 && assignment.words[axis - 1] == words[axis];
        const std::string reason = refusalOf(legalityOf(wordNodesOf(layer), words[axis]),
                                             isTwice ? elementsOf(mesh.shape) : mesh.shape[axis]);
        if (reason.empty()) {
            taken_.insert(words[axis]);
            continue;
        }
        if (isExplicit) {
            report(layer.origin, "E074",
                   fmt::format("the layer does not support {}: {}", nameOf(words[axis]), reason),
                   {"set the assignment to follow",
                    {{"assign",
                      {graph_.layerName(layer.origin), std::string(nameOf(AxisWord::follow))}}}});
            words[axis] = AxisWord::replicate;
        } else {
            idle_.try_emplace(words[axis], reason);
            words[axis] = AxisWord::follow;
        }
    }
    return words;
}

void LayersPlaced::tellIdleWords() {
    for (const auto& [word, reason] : idle_) {
        if (!taken_.contains(word)) {
            problems_.push_back(
                {.code = "W074",
                 .severity = Severity::warning,
                 .attribute = "assign",
                 .text = fmt::format("{} splits no layer of the design: {}", nameOf(word), reason),
                 .fix = {"set the design's assignment to data, batch or model.stack, or assign "
                         "single layers",
                         {}}});
        }
    }
}

/// Refuses `data`. The fix also changes the design's own assignment, since `batch` gives the same
/// numbers everywhere.
void LayersPlaced::refuseMean(Origin origin, const std::string& reason) {
    report(origin, "E075", fmt::format("the layer does not support data: {}", reason),
           {"replace data by batch in the whole design", {{"word", {"data", "batch"}}}});
}

MeshId LayersPlaced::meshOf(Origin origin) {
    return byOrigin_.contains(origin) ? settled(byOrigin_.at(origin), {}).mesh
                                      : meshFor(origin, assignmentOf(origin), {});
}

void LayersPlaced::refuseInput(Origin origin, AxisWord word) {
    report(origin, "E074",
           fmt::format("the input layer does not support {}: it provides the examples of the batch",
                       nameOf(word)),
           {"set the assignment to data",
            {{"assign", {graph_.layerName(origin), std::string(nameOf(AxisWord::data))}}}});
}

const LayersPlaced::Layer& LayersPlaced::settled(LayerIndex index, MeshId first) {
    Layer& layer = layers_[index.value];
    if (!layer.mesh.isNone()) {
        return layer;
    }
    if (layer.origin.layer.isNone()) {
        // Ops of no layer (norms over all gradients) run on all devices.
        layer.mesh = all_;
        layer.words.assign(1, AxisWord::follow);
        return layer;
    }
    layer.mesh = meshFor(layer.origin, assignmentOf(layer.origin), first);
    layer.words = wordsFor(layer);
    return layer;
}

} // namespace weft
