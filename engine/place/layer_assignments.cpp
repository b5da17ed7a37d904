// SPDX-License-Identifier: Apache-2.0
#include "place/layer_assignments.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

LayerAssignments::LayerAssignments(const Graph& graph, const PlacementRequest& request,
                                   PlaceTables& tables, std::vector<Diagnostic>& problems)
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
    allDevices_ = shardings_.mesh(all);
    isData_.assign(graph.values.size(), false);
    for (const Feed& feed : graph.feeds) {
        isData_[feed.value.value] = feed.kind == FeedKind::data;
    }
    for (const ValueId input : graph.bodyInputs) {
        isData_[input.value] = true; // the repeat decides later which operands depend on examples
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
LayerIndex LayerAssignments::indexOf(Origin origin) {
    if (layers_.empty() || layers_[latestLayer_.value].origin != origin) {
        const LayerIndex next{static_cast<std::uint32_t>(layers_.size())};
        const auto [found, isNew] = byOrigin_.try_emplace(origin, next);
        if (isNew) {
            layers_.push_back({.origin = origin});
        }
        latestLayer_ = found->second;
    }
    return latestLayer_;
}

const Assignment& LayerAssignments::assignmentOf(Origin origin) const {
    const auto found = request_.layers.find(origin);
    return found == request_.layers.end() ? request_.fallback : found->second;
}

void LayerAssignments::report(Origin origin, std::string code, std::string text, Fix fix) {
    problems_.push_back({.code = std::move(code),
                         .severity = Severity::error,
                         .layer = origin.layer,
                         .layerName = graph_.layerName(origin),
                         .port = {},
                         .attribute = "assignment",
                         .text = std::move(text),
                         .fix = std::move(fix)});
}

Mesh LayerAssignments::chosenDevices(Origin origin, const Assignment& assignment, MeshId first) {
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
        const Mesh& follows = shardings_.at(first.isNone() ? allDevices_ : first);
        mesh.devices = follows.devices;
        mesh.shape = mesh.shape.empty() ? follows.shape : mesh.shape;
    }
    return mesh;
}

MeshId LayerAssignments::meshFor(Origin origin, const Assignment& assignment, MeshId first) {
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

std::vector<WordNode> LayerAssignments::wordNodesOf(const Layer& layer) {
    std::vector<WordNode> nodes;
    for (const NodeId id : layer.forward) {
        addWordNodes(graph_, graph_.at(id), nodes);
    }
    return nodes;
}

/// Adds the nodes that an assignment may split; for a repeat, those of its body.
void LayerAssignments::addWordNodes(const Graph& graph, const Node& node,
                                    std::vector<WordNode>& nodes) {
    if (!node.body) {
        nodes.push_back({&node, &tables_.ruleBook.ruleOf(graph, node)});
        return;
    }
    for (const Node& inside : node.body->nodes) {
        if (inside.pass == Pass::forward) {
            addWordNodes(*node.body, inside, nodes);
        }
    }
}

LegalWords LayerAssignments::legalWords() {
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

std::vector<AxisWord> LayerAssignments::wordsFor(const Layer& layer) {
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
            refuseData(layer.origin, legalityOf(wordNodesOf(layer), AxisWord::data).reason);
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
            usedWords_.insert(words[axis]);
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
            unusedWords_.try_emplace(words[axis], reason);
            words[axis] = AxisWord::follow;
        }
    }
    return words;
}

void LayerAssignments::reportUnusedWords() {
    for (const auto& [word, reason] : unusedWords_) {
        if (!usedWords_.contains(word)) {
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
void LayerAssignments::refuseData(Origin origin, const std::string& reason) {
    report(origin, "E075", fmt::format("the layer does not support data: {}", reason),
           {"replace data by batch in the whole design", {{"word", {"data", "batch"}}}});
}

MeshId LayerAssignments::meshOf(Origin origin) {
    return byOrigin_.contains(origin) ? settledLayer(byOrigin_.at(origin), {}).mesh
                                      : meshFor(origin, assignmentOf(origin), {});
}

void LayerAssignments::refuseInput(Origin origin, AxisWord word) {
    report(origin, "E074",
           fmt::format("the input layer does not support {}: it provides the examples of the batch",
                       nameOf(word)),
           {"set the assignment to data",
            {{"assign", {graph_.layerName(origin), std::string(nameOf(AxisWord::data))}}}});
}

const LayerAssignments::Layer& LayerAssignments::settledLayer(LayerIndex index, MeshId first) {
    Layer& layer = layers_[index.value];
    if (!layer.mesh.isNone()) {
        return layer;
    }
    if (layer.origin.layer.isNone()) {
        // Ops of no layer (norms over all gradients) run on all devices.
        layer.mesh = allDevices_;
        layer.words.assign(1, AxisWord::follow);
        return layer;
    }
    layer.mesh = meshFor(layer.origin, assignmentOf(layer.origin), first);
    layer.words = wordsFor(layer);
    return layer;
}

} // namespace weft
