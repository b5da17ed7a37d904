// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/build_display_list.h"

#include "document/device_slot.h"
#include "theme/quantity.h"
#include "theme/theme.h"
#include "widgets/word_placements.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>

namespace weft::ui {

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

/// Predictions by the name a layer has once groups are expanded.
class Known {
public:
    explicit Known(const DisplayRequest& request) : request_(request) {
        if (request.preview == nullptr) {
            return;
        }
        for (const LayerPreview& layer : request.preview->layers) {
            byName_.emplace(layer.name, &layer);
        }
        prefix_ = prefixOf(request.design->network, request.path.group, {});
    }

    [[nodiscard]] std::string nameOf(const Layer& layer) const { return prefix_ + layer.name; }

    [[nodiscard]] const LayerPreview* find(const std::string& name) const {
        const auto found = byName_.find(name);
        return found == byName_.end() ? nullptr : found->second;
    }

    /// All copies of what is inside a group.
    [[nodiscard]] std::vector<const LayerPreview*> inside(const std::string& name) const {
        std::vector<const LayerPreview*> found;
        for (auto at = byName_.lower_bound(name); at != byName_.end(); ++at) {
            const std::string& other = at->first;
            if (!other.starts_with(name)) {
                break;
            }
            if (other.size() > name.size() &&
                (other[name.size()] == '/' || other[name.size()] == '[')) {
                found.push_back(at->second);
            }
        }
        return found;
    }

private:
    /// The way of names to the first instance of a group.
    std::string prefixOf(const Network& network, const std::string& group,
                         const std::string& before) const {
        if (group.empty()) {
            return {};
        }
        for (const Layer& layer : network.layers) {
            if (layer.kind != groupKind) {
                continue;
            }
            const std::string here = before + layer.name + (layer.repeat > 1 ? "[1]/" : "/");
            if (layer.group == group) {
                return here;
            }
            const GroupDefinition* definition = request_.design->group(layer.group);
            if (definition != nullptr) {
                std::string found = prefixOf(definition->network, group, here);
                if (!found.empty()) {
                    return found;
                }
            }
        }
        return {};
    }

    const DisplayRequest& request_;
    std::map<std::string, const LayerPreview*> byName_;
    std::string prefix_;
};

QString wordsOf(const std::vector<AxisWord>& words, const std::vector<std::int64_t>& mesh,
                const std::vector<std::string>& devices) {
    if (devices.size() == 1) {
        return text(devices[0]);
    }
    QStringList said;
    for (const AxisWord word : words) {
        if (word != AxisWord::follow) {
            said << text(std::string(nameOf(word)));
        }
    }
    if (said.isEmpty() || devices.empty()) {
        return {};
    }
    QStringList extents;
    for (const std::int64_t extent : mesh) {
        extents << QString::number(extent);
    }
    return said.size() == 1 ? QStringLiteral("%1 ×%2").arg(said[0]).arg(devices.size())
                            : QStringLiteral("%1 %2").arg(said.join(" × "), extents.join("×"));
}

class Builder {
public:
    explicit Builder(const DisplayRequest& request)
        : request_(request), known_(request), network_(networkAt(*request.design, request.path)) {}

    DisplayList build() {
        list_.nodes.reserve(network_.layers.size());
        for (const Layer& layer : network_.layers) {
            addNode(layer);
        }
        for (const NodeView& node : list_.nodes) {
            list_.longest = std::max(list_.longest, node.predicted);
        }
        addMarks();
        // Wires ask for nodes by id.
        list_.index();
        for (const Wire& wire : network_.wires) {
            addWire(wire);
        }
        for (std::size_t i = 0; i < network_.frames.size(); ++i) {
            const Frame& frame = network_.frames[i];
            list_.frames.push_back({text(frame.title),
                                    {frame.topLeft.x, frame.topLeft.y, frame.size.x, frame.size.y},
                                    i});
        }
        for (std::size_t i = 0; i < network_.comments.size(); ++i) {
            const Comment& comment = network_.comments[i];
            list_.comments.push_back(
                {text(comment.text), {comment.position.x, comment.position.y}, i});
        }
        list_.index();
        return std::move(list_);
    }

private:
    void addNode(const Layer& layer) {
        const Sizes::Size& size = tokens().sizes.size;
        const LayerKindInfo* kind = findKind(*request_.kinds, layer.kind);
        NodeView node;
        node.id = layer.id;
        node.name = text(layer.name);
        node.isGroup = layer.kind == groupKind;
        node.kind = node.isGroup ? text(layer.group) : text(layer.kind);
        node.category = kind != nullptr ? text(kind->category) : QStringLiteral("custom");
        node.icon = node.isGroup ? QStringLiteral("structure/group")
                    : kind == nullptr
                        ? QStringLiteral("kinds/custom")
                        : "kinds/" + text(kind->icon.empty() ? kind->category : kind->icon);
        node.isCompact = request_.collapsed.contains(layer.id) ||
                         (!node.isGroup && kind != nullptr && kind->parameters.empty());
        node.isMuted = layer.muted;
        node.isBypassed = layer.bypassed;
        node.repeat = layer.repeat;
        node.box = QRectF(layer.position.x, layer.position.y, size.nodeWidth,
                          node.isCompact ? size.nodeCompact : size.nodeHeight);
        addPorts(layer, kind, node);
        if (node.isGroup) {
            addSum(layer, node);
        } else if (const LayerPreview* known = known_.find(known_.nameOf(layer))) {
            addKnown(layer, *known, node);
        }
        list_.nodes.push_back(std::move(node));
    }

    void addPorts(const Layer& layer, const LayerKindInfo* kind, NodeView& node) const {
        QStringList inputs;
        QStringList outputs;
        if (const GroupDefinition* group =
                node.isGroup ? request_.design->group(layer.group) : nullptr) {
            for (const GroupPort& port : group->inputs) {
                inputs << text(port.name);
            }
            for (const GroupPort& port : group->outputs) {
                outputs << text(port.name);
            }
        } else if (kind != nullptr) {
            for (const PortInfo& port : kind->inputs) {
                if (port.variadic) {
                    // Those that are wired, and one that is free.
                    int count = 0;
                    for (const Wire& wire : network_.wires) {
                        count += wire.to.layer == layer.id ? 1 : 0;
                    }
                    for (int i = 0; i <= count; ++i) {
                        inputs << text(port.name) + QString::number(i);
                    }
                } else {
                    inputs << text(port.name);
                }
            }
            for (const PortInfo& port : kind->outputs) {
                outputs << text(port.name);
            }
        }
        for (const bool isInput : {true, false}) {
            const QStringList& names = isInput ? inputs : outputs;
            for (int i = 0; i < names.size(); ++i) {
                const double share = (i + 1.0) / (static_cast<double>(names.size()) + 1);
                const QPointF at = request_.flow == Flow::down
                                       ? QPointF(node.box.left() + node.box.width() * share,
                                                 isInput ? node.box.top() : node.box.bottom())
                                       : QPointF(isInput ? node.box.left() : node.box.right(),
                                                 node.box.top() + node.box.height() * share);
                node.ports.push_back({names[i], at, isInput});
            }
        }
    }

    [[nodiscard]] std::vector<int> slotsOf(const std::vector<std::string>& devices) const {
        std::vector<int> found;
        for (const std::string& device : devices) {
            found.push_back(slotOf(*request_.design, device));
        }
        return found;
    }

    void addKnown(const Layer& layer, const LayerPreview& known, NodeView& node) {
        const Assignment& chosen =
            layer.assignment ? *layer.assignment : request_.design->assignment;
        std::vector<std::int64_t> mesh = chosen.mesh;
        if (mesh.empty()) {
            mesh.push_back(static_cast<std::int64_t>(known.devices.size()));
        }
        std::vector<AxisWord> words = chosen.words;
        words.resize(std::max<std::size_t>(mesh.size(), 1), AxisWord::follow);
        const std::vector<int> hues = slotsOf(known.devices);
        node.assignment = wordsOf(words, mesh, known.devices);
        node.glyph = glyphOf(words, known.devices.size());
        if (!known.outputs.empty()) {
            const PortPreview& y = known.outputs.front();
            const WordPlacements as = placementsOf(words, y.placement);
            node.shape = y.shape.empty() ? QCoreApplication::translate("canvas", "scalar")
                                         : quantity::shape(y.shape);
            node.y = drawingOf(y.placement.empty() ? as.y : y.placement, y.shape, mesh, hues);
            node.x = drawingOf(as.x, y.shape, mesh, hues);
        }
        if (!known.parameters.empty()) {
            const ParameterPreview& weight = known.parameters.front();
            node.weight = drawingOf(weight.placement, weight.shape, mesh, hues, true);
            double count = 0;
            for (const ParameterPreview& parameter : known.parameters) {
                count += static_cast<double>(elementsOf(parameter.shape));
            }
            node.parameters = quantity::count(count);
            if (weight.shape.size() == 4) {
                node.parameters +=
                    QStringLiteral(" · %1×%2").arg(weight.shape[2]).arg(weight.shape[3]);
            }
            node.isReduced = known.devices.size() > 1 &&
                             node.weight.kind == ValueDrawing::Kind::replicated &&
                             node.y.kind == ValueDrawing::Kind::split;
        }
        node.predicted = static_cast<double>(known.compute.count) / 1e9;
    }

    void addSum(const Layer& layer, NodeView& node) {
        const std::vector<const LayerPreview*> inside = known_.inside(known_.nameOf(layer));
        double parameters = 0;
        for (const LayerPreview* one : inside) {
            node.predicted += static_cast<double>(one->compute.count) / 1e9;
            for (const ParameterPreview& parameter : one->parameters) {
                parameters += static_cast<double>(elementsOf(parameter.shape));
            }
        }
        if (const GroupDefinition* group = request_.design->group(layer.group)) {
            node.assignment = quantity::counted(static_cast<double>(group->network.layers.size()),
                                                QCoreApplication::translate("canvas", "layer"),
                                                QCoreApplication::translate("canvas", "layers"));
        }
        if (!inside.empty() && !inside.back()->outputs.empty()) {
            std::vector<std::int64_t> mesh{
                static_cast<std::int64_t>(inside.back()->devices.size())};
            const PortPreview& last = inside.back()->outputs.front();
            node.y = drawingOf(last.placement.empty() ? "R" : last.placement, last.shape, mesh,
                               slotsOf(inside.back()->devices));
            node.shape = quantity::shape(inside.back()->outputs.front().shape);
        }
        node.parameters = parameters > 0 ? quantity::count(parameters) : QString();
    }

    void addMarks() {
        if (request_.preview == nullptr) {
            return;
        }
        std::map<std::uint32_t, NodeView*> nodes;
        for (NodeView& node : list_.nodes) {
            nodes.emplace(node.id.value, &node);
        }
        const std::vector<Diagnostic>& problems = request_.preview->problems;
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const auto node = nodes.find(problems[i].layer.value);
            if (problems[i].group == request_.path.group && node != nodes.end()) {
                node->second->marks.push_back(
                    {problems[i].severity, text(problems[i].text), text(problems[i].fix.text), i});
            }
        }
        for (NodeView& node : list_.nodes) {
            std::ranges::stable_sort(node.marks, {}, &MarkView::severity);
        }
    }

    [[nodiscard]] static const PortView* portOf(const NodeView* node, const std::string& name,
                                                bool isInput) {
        if (node == nullptr) {
            return nullptr;
        }
        for (const PortView& port : node->ports) {
            if (port.isInput == isInput && port.name == text(name)) {
                return &port;
            }
        }
        return nullptr;
    }

    void addWire(const Wire& wire) {
        const NodeView* from = list_.node(wire.from.layer);
        const NodeView* to = list_.node(wire.to.layer);
        const PortView* out = portOf(from, wire.from.port, false);
        const PortView* in = portOf(to, wire.to.port, true);
        if (out == nullptr || in == nullptr) {
            return;
        }
        WireView view;
        view.wire = wire;
        view.line = wireLine(out->at, in->at, request_.flow, from->box | to->box);
        view.box = boxOf(view.line);
        view.thickness = thicknessOf(*from);
        view.isOff = from->isMuted || to->isMuted;
        addBadge(wire, *from, *to, view);
        list_.wires.push_back(std::move(view));
    }

    [[nodiscard]] int thicknessOf(const NodeView& from) const {
        const Layer* layer = findLayer(network_, from.id);
        const LayerPreview* known = known_.find(known_.nameOf(*layer));
        double bytes = 0;
        if (known != nullptr && !known->outputs.empty()) {
            const PortPreview& y = known->outputs.front();
            bytes =
                static_cast<double>(elementsOf(y.shape)) * static_cast<double>(byteSize(y.dtype));
        }
        for (const Sizes::WireStep& step : tokens().sizes.stroke.wireSteps) {
            if (bytes < step.belowBytes) {
                return step.px;
            }
        }
        return 1;
    }

    void addBadge(const Wire& wire, const NodeView& from, const NodeView& to, WireView& view) {
        if (request_.preview == nullptr) {
            return;
        }
        const Layer* source = findLayer(network_, wire.from.layer);
        const Layer* target = findLayer(network_, wire.to.layer);
        const std::string name = known_.nameOf(*source) + "." + wire.from.port + " -> " +
                                 known_.nameOf(*target) + "." + wire.to.port;
        const CollectivePreview* forward = nullptr;
        for (const CollectivePreview& one : request_.preview->collectives) {
            if (one.wire == name && !one.isBackward) {
                forward = &one;
            }
        }
        if (forward == nullptr) {
            return;
        }
        BadgeView badge;
        badge.kind = text(forward->kind);
        badge.label = quantity::bytes(static_cast<double>(forward->sentPerDevice.count)) + " · " +
                      quantity::predicted(
                          quantity::time(static_cast<double>(forward->predicted.count) / 1e9));
        badge.before = from.y;
        badge.after = to.x;
        badge.devices = from.y.hues;
        badge.at = pointAlong(view.line, 0.5).at;
        badge.isFree = forward->sentPerDevice.count == 0;
        view.badge = static_cast<int>(list_.badges.size());
        list_.badges.push_back(std::move(badge));
    }

    const DisplayRequest& request_;
    Known known_;
    const Network& network_;
    DisplayList list_;
};

} // namespace

DisplayList buildDisplayList(const DisplayRequest& request) { return Builder(request).build(); }

} // namespace weft::ui
