// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/build_display_list.h"

#include "canvas/scene/known_layers.h"
#include "canvas/scene/sparse_fields.h"
#include "canvas/scene/wire_route.h"
#include "catalogue/layer_ports.h"
#include "document/count_layers.h"
#include "document/device_slot.h"
#include "theme/quantity.h"
#include "theme/theme.h"
#include "widgets/assignment_glyph.h"
#include "workspace/mend.h"
#include "workspace/prediction_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace weft::ui {

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

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

/// Formats a count with three digits, "307 k", so that a kernel's size fits beside it.
QString shortCount(double count) {
    constexpr double inFull = 1e4;
    constexpr double million = 1e6;
    return count < inFull || count >= million
               ? quantity::count(count)
               : QLocale().toString(count / 1e3, 'g', 3) + QStringLiteral("\u202Fk");
}

class Builder {
public:
    explicit Builder(const DisplayRequest& request)
        : request_(request),
          known_(*request.design, request.path, request.preview, request.older),
          network_(networkAt(*request.design, request.path)) {
        for (const LayerKindInfo& kind : *request.kinds) {
            kinds_.emplace(kind.kind, &kind);
        }
        for (const Layer& layer : network_.layers) {
            layers_.emplace(layer.id.value, &layer);
        }
        for (const Wire& wire : network_.wires) {
            ++wiresInto_[wire.to.layer.value];
        }
    }

    DisplayList build() {
        list_.group = request_.path.group;
        list_.nodes.reserve(network_.layers.size());
        for (const Layer& layer : network_.layers) {
            addNode(layer);
        }
        for (const NodeView& node : list_.nodes) {
            list_.longest = std::max({list_.longest, node.predicted, node.predictedHigh});
        }
        addMarks();
        // Wires find nodes by id and by position, and badges avoid titles.
        list_.buildIndices();
        for (std::size_t i = 0; i < network_.frames.size(); ++i) {
            const Frame& frame = network_.frames[i];
            list_.frames.push_back({text(frame.title),
                                    {frame.topLeft.x, frame.topLeft.y, frame.size.x, frame.size.y},
                                    i});
        }
        for (const Wire& wire : network_.wires) {
            addWire(wire);
        }
        for (const Layer& layer : network_.layers) {
            addSync(layer);
        }
        for (std::size_t i = 0; i < network_.comments.size(); ++i) {
            const Comment& comment = network_.comments[i];
            list_.comments.push_back(
                {text(comment.text), {comment.position.x, comment.position.y}, i});
        }
        list_.buildIndices();
        return std::move(list_);
    }

private:
    void addNode(const Layer& layer) {
        const Sizes::Size& size = tokens().sizes.size;
        const auto known = kinds_.find(layer.kind);
        const LayerKindInfo* kind = known == kinds_.end() ? nullptr : known->second;
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
        node.isPinned = layer.pinned;
        node.repeat = layer.repeat;
        const Point place = layer.position.value_or(Point{});
        node.box = QRectF(place.x, place.y, size.nodeWidth,
                          node.isCompact ? size.nodeCompact : size.nodeHeight);
        addPorts(layer, kind, node);
        if (request_.portless.contains(layer.id)) {
            std::erase_if(node.ports, [&](const PortView& port) {
                const Endpoint end{layer.id, port.name.toStdString()};
                return std::ranges::none_of(network_.wires, [&](const Wire& wire) {
                    return (port.isInput ? wire.to : wire.from) == end;
                });
            });
        }
        if (node.isGroup) {
            addSum(layer, node);
        } else if (const LayerPreview* checked = known_.find(layer)) {
            addKnown(layer, *checked, node);
        }
        if (kind != nullptr && !kind->states.empty()) {
            addStates(layer, *kind, node);
        }
        addProof(known_.nameOf(layer), node);
        list_.nodes.push_back(std::move(node));
    }

    void addPorts(const Layer& layer, const LayerKindInfo* kind, NodeView& node) const {
        const auto wired = wiresInto_.find(layer.id.value);
        const PortNames ports =
            portsOf(node.isGroup ? request_.design->group(layer.group) : nullptr, kind,
                    layer.attributes, wired == wiresInto_.end() ? 0 : wired->second);
        for (const bool isInput : {true, false}) {
            const QStringList& names = isInput ? ports.inputs : ports.outputs;
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
        found.reserve(devices.size());
        for (const std::string& device : devices) {
            found.push_back(paletteIndexOf(*request_.design, device));
        }
        return found;
    }

    void addKnown(const Layer& layer, const LayerPreview& known, NodeView& node) {
        const Assignment& chosen =
            layer.assignment ? *layer.assignment : request_.design->assignment;
        const std::vector<std::int64_t>& mesh = known.mesh;
        std::vector<AxisWord> words = chosen.words;
        words.resize(std::max<std::size_t>(mesh.size(), 1), AxisWord::follow);
        node.assignment = wordsOf(words, mesh, known.devices);
        node.glyph = known.devices.empty() ? QString() : glyphOf(words, known.devices.size());
        const LayerDrawing drawing = drawingOf(known, slotsOf(known.devices));
        node.x = drawing.x;
        node.weight = drawing.weight;
        node.y = drawing.y;
        if (!known.outputs.empty()) {
            const Shape& shape = known.outputs.front().shape;
            node.shape = shape.empty() ? QCoreApplication::translate("canvas", "scalar")
                                       : quantity::shape(shape);
        }
        if (!known.parameters.empty()) {
            const ParameterPreview& weight = known.parameters.front();
            double count = 0;
            for (const ParameterPreview& parameter : known.parameters) {
                count += static_cast<double>(elementsOf(parameter.shape));
            }
            node.parameters = shortCount(count);
            if (weight.shape.size() == 4 && !known.hasNetworkPerElement) {
                node.parameters +=
                    QStringLiteral(" · %1×%2").arg(weight.shape[2]).arg(weight.shape[3]);
            }
            node.isReduced = known.devices.size() > 1 &&
                             node.weight.kind == ValueDrawing::Kind::replicated &&
                             node.y.kind == ValueDrawing::Kind::split;
        }
        if (known.hasNetworkPerElement) {
            addSheets(node);
        }
        addTime(known, node);
        if (request_.rank >= 0) {
            showRank(known, node);
        }
    }

    void addStates(const Layer& layer, const LayerKindInfo& kind, NodeView& node) const {
        node.fields = sparseCodingFields(layer, kind);
        if (const QString line = sparseCodingSummary(layer, kind);
            !line.isEmpty() && request_.rank < 0) {
            node.parameters = line;
        }
    }

    /// Adds the sheets behind a layer whose batch elements are networks of their own.
    static void addSheets(NodeView& node) {
        constexpr std::size_t most = 3;
        node.sheets.assign(most, -1);
        if (node.y.kind == ValueDrawing::Kind::split && node.y.cutsRows()) {
            for (std::size_t sheet = 0; sheet < most; ++sheet) {
                node.sheets[sheet] = node.y.hues[(sheet + 1) % node.y.hues.size()];
            }
        }
    }

    /// Shows the layer as one device sees it: that device's part of the shapes and its colour.
    void showRank(const LayerPreview& known, NodeView& node) const {
        const std::vector<DevicePreview>& all = request_.preview->devices;
        const auto rank = static_cast<std::size_t>(request_.rank);
        const auto at = rank < all.size() ? std::ranges::find(known.devices, all[rank].name)
                                          : known.devices.end();
        node.isAway = at == known.devices.end();
        const int slot = node.isAway ? -1 : paletteIndexOf(*request_.design, *at);
        for (ValueDrawing* value : {&node.x, &node.weight, &node.y}) {
            for (int& hue : value->hues) {
                hue = hue == slot ? hue : -1;
            }
        }
        if (node.isAway) {
            return;
        }
        const auto place = static_cast<std::size_t>(at - known.devices.begin());
        if (!known.outputs.empty()) {
            const PortPreview& y = known.outputs.front();
            node.shape = quantity::shape(partOf(y.placement, y.shape, known.mesh, place));
        }
        double bytes = 0;
        for (const ParameterPreview& parameter : known.parameters) {
            bytes += static_cast<double>(parameter.bytes.count);
        }
        node.parameters = bytes > 0 ? quantity::bytes(bytes) : QString();
        node.assignment = text(*at);
        node.glyph.clear();
    }

    void addProof(const std::string& name, NodeView& node) const {
        if (request_.proof == nullptr) {
            return;
        }
        // The largest difference of all layers inside a group.
        const auto& all = request_.proof->differences;
        for (auto at = all.lower_bound(name); at != all.end() && at->first.starts_with(name);
             ++at) {
            const std::string rest = at->first.substr(name.size());
            if (rest.empty() || rest[0] == '/' || rest[0] == '[') {
                node.difference = std::max(node.difference, at->second);
            }
        }
        node.isProved = node.difference <= request_.proof->tolerance;
    }

    void addTime(const LayerPreview& known, NodeView& node) const {
        const LayerStep* step = known_.stepOf(known);
        if (step == nullptr) {
            return;
        }
        node.predicted += quantity::seconds(step->compute());
        node.predictedLow += quantity::seconds(step->computeBand.low);
        node.predictedHigh += quantity::seconds(step->computeBand.high);
        node.isOlder = known_.isStepOlder();
    }

    void addSum(const Layer& layer, NodeView& node) {
        const std::vector<const LayerPreview*> inside = known_.layersInside(layer);
        double parameters = 0;
        for (const LayerPreview* one : inside) {
            addTime(*one, node);
            for (const ParameterPreview& parameter : one->parameters) {
                parameters += static_cast<double>(elementsOf(parameter.shape));
            }
        }
        if (const GroupDefinition* group = request_.design->group(layer.group)) {
            node.assignment = quantity::counted(countLayers(*request_.design, group->network),
                                                QCoreApplication::translate("canvas", "layer"),
                                                QCoreApplication::translate("canvas", "layers"));
        }
        if (!inside.empty() && !inside.back()->outputs.empty()) {
            const PortPreview& last = inside.back()->outputs.front();
            node.y = drawingOf(last.placement, last.shape, inside.back()->mesh,
                               slotsOf(inside.back()->devices));
            node.shape = quantity::shape(inside.back()->outputs.front().shape);
        }
        node.parameters = parameters > 0 ? shortCount(parameters) : QString();
    }

    void addMarks() {
        if (request_.preview == nullptr) {
            return;
        }
        std::map<std::uint32_t, NodeView*> nodes;
        for (NodeView& node : list_.nodes) {
            nodes.emplace(node.id.value, &node);
        }
        for (const Diagnostic& problem : request_.preview->problems) {
            const auto node = nodes.find(problem.layer.value);
            if (problem.group == request_.path.group && node != nodes.end()) {
                node->second->marks.push_back(
                    {problem, text(problem.text), text(problem.fix.text), canMend(problem)});
            }
        }
        for (NodeView& node : list_.nodes) {
            std::ranges::stable_sort(node.marks, {}, &ProblemView::severity);
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
        for (const Point point : wire.via) {
            view.via.emplace_back(point.x, point.y);
        }
        view.line = view.via.empty() ? lineOf(*from, out->at, *to, in->at)
                                     : wireLineThrough(out->at, view.via, in->at, request_.flow);
        view.box = boxOf(view.line);
        view.thickness = thicknessOf(layerOf(wire.from));
        view.isOff = from->isMuted || to->isMuted;
        addBadge(wire, *from, *to, view);
        list_.wires.push_back(std::move(view));
    }

    [[nodiscard]] std::vector<QPointF> lineOf(const NodeView& from, QPointF out, const NodeView& to,
                                              QPointF in) {
        if (request_.flow != Flow::down) {
            return wireLine(out, in, request_.flow, from.box | to.box);
        }
        return router_.route(out, in, from.box, to.box, [&](const QRectF& area) {
            std::vector<QRectF> boxes;
            for (const int number : list_.nodesIn(area)) {
                const NodeView& node = list_.nodes[static_cast<std::size_t>(number)];
                if (node.id != from.id && node.id != to.id && node.box.intersects(area)) {
                    boxes.push_back(node.box);
                }
            }
            return boxes;
        });
    }

    [[nodiscard]] const Layer& layerOf(const Endpoint& end) const {
        return *layers_.at(end.layer.value);
    }

    [[nodiscard]] int thicknessOf(const Layer& from) const {
        const LayerPreview* known = known_.find(from);
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
        const CollectivePreview* forward =
            known_.trafficOn(wire, layerOf(wire.from), layerOf(wire.to)).forward;
        if (forward == nullptr) {
            return;
        }
        BadgeView badge;
        badge.name = forward->name;
        badge.kind = text(forward->kind);
        badge.glyph = "glyphs/" + badge.kind;
        badge.label = quantity::bytes(static_cast<double>(forward->sentPerDevice.count));
        if (const CollectiveStep* step = known_.stepOf(*forward)) {
            badge.label += " · " + quantity::predicted(quantity::time(step->time));
            badge.isOlder = known_.isStepOlder();
        }
        badge.before = from.y;
        badge.after = to.x;
        badge.devices = from.y.hues;
        badge.at = placeOfBadge(view.line);
        badge.isFree = forward->sentPerDevice.count == 0;
        view.badge = static_cast<int>(list_.badges.size());
        list_.badges.push_back(std::move(badge));
    }

    /// Adds the sync of a layer's gradient: the devices' partial sums before the collective, the
    /// replicated result after it. Without communication, both show the layer's own parameter.
    void addSync(const Layer& layer) {
        const LayerPreview* known = known_.find(layer);
        const NodeView* node = list_.node(layer.id);
        if (known == nullptr || !known->sync || node == nullptr || request_.rank >= 0) {
            return;
        }
        const SyncPreview& sync = *known->sync;
        SyncView view{.layer = layer.id};
        view.badge.name = sync.name;
        view.badge.often = applyIntervalText(sync);
        view.badge.devices = slotsOf(known->devices);
        view.badge.before.hues = view.badge.devices;
        if (sync.name.empty()) {
            view.badge.kind = QCoreApplication::translate("canvas", "update");
            view.badge.glyph = QStringLiteral("glyphs/single");
            view.badge.label = QCoreApplication::translate("canvas", "nothing is sent");
            view.badge.before = view.badge.after = node->weight;
        } else {
            view.badge.kind = text(sync.kind);
            view.badge.glyph = "glyphs/" + view.badge.kind;
            view.badge.label = quantity::bytes(static_cast<double>(sync.sentPerDevice.count));
            if (sync.step) {
                view.badge.label += " · " + quantity::predicted(quantity::time(sync.step->time));
            }
            view.badge.before.kind = ValueDrawing::Kind::partial;
            view.badge.after.kind = ValueDrawing::Kind::replicated;
        }
        view.form = formOfDictionary(layer, *known);
        placeSync(*node, view);
        list_.syncs.push_back(std::move(view));
    }

    /// Returns a text such as "64×1×8×8", or an empty text if the layer has no dictionary of its
    /// own.
    [[nodiscard]] QString formOfDictionary(const Layer& layer, const LayerPreview& known) const {
        const auto kind = kinds_.find(layer.kind);
        const ParameterInfo* own = kind == kinds_.end() ? nullptr : dictionaryOf(*kind->second);
        const auto found = own == nullptr
                               ? known.parameters.end()
                               : std::ranges::find(known.parameters, known.name + "." + own->name,
                                                   &ParameterPreview::name);
        return found == known.parameters.end() ? QString() : quantity::shape(found->shape);
    }

    /// Places the sync below the layer or to its right where there is room; otherwise to its right
    /// without a label.
    void placeSync(const NodeView& node, SyncView& view) const {
        const Sizes::Size& size = tokens().sizes.size;
        constexpr double line = 16;
        const double half = size.badge / 2.0;
        const double sheets = size.sheetStep * static_cast<double>(node.sheets.size());
        const QPointF below(node.box.left() + tokens().sizes.space.l + half, node.box.bottom());
        const QPointF right(node.box.right() + sheets, node.box.center().y());
        const auto isFree = [&](const QRectF& box) {
            const auto crosses = [&](const WireView& wire) {
                return std::ranges::any_of(
                    wire.line, [&](const QPointF& point) { return box.contains(point); });
            };
            return std::ranges::none_of(
                       list_.nodes,
                       [&](const NodeView& other) { return other.box.intersects(box); }) &&
                   std::ranges::none_of(list_.wires, crosses) &&
                   std::ranges::none_of(list_.syncs, [&](const SyncView& other) {
                       return other.box().intersects(box);
                   });
        };
        const auto stand = [&](double head) {
            view.from = below;
            view.badge.at = below + QPointF(0, head + line + half + size.threadLength);
            return isFree(view.box());
        };
        if (!view.form.isEmpty()) {
            view.tile = {below + QPointF(-half, line), QSizeF(size.dictionary, size.dictionary)};
            if (stand(line + size.dictionary)) {
                return;
            }
            view.tile = {};
        }
        if (!stand(0)) {
            view.from = right;
            view.badge.at = right + QPointF(line + half, 0);
            view.badge.isBare = !isFree(view.box());
        }
    }

    /// Returns the middle of the line, or the nearest point where the badge and its label overlap
    /// nothing else.
    [[nodiscard]] QPointF placeOfBadge(const std::vector<QPointF>& line) const {
        const double half = tokens().sizes.size.badge / 2.0;
        const double thread = tokens().sizes.size.threadLength;
        const auto isFree = [&](const PointOnLine& point) {
            const QRectF disc(point.at.x() - half, point.at.y() - half - thread, 2 * half,
                              2 * (half + thread));
            const QRectF all = boxOfBadge(point.at);
            return std::abs(point.direction.y()) > std::abs(point.direction.x()) &&
                   std::ranges::none_of(
                       list_.frames,
                       [&](const FrameView& frame) { return frame.titleBox().intersects(all); }) &&
                   std::ranges::none_of(list_.nodesIn(all), [&](int number) {
                       return list_.nodes[static_cast<std::size_t>(number)].box.intersects(disc);
                   });
        };
        constexpr double step = 0.06;
        for (double aside = 0; aside < 0.45; aside += step) {
            for (const double share : {0.5 - aside, 0.5 + aside}) {
                const PointOnLine point = pointAlong(line, share);
                if (isFree(point)) {
                    return point.at;
                }
            }
        }
        return pointAlong(line, 0.5).at;
    }

    const DisplayRequest& request_;
    CheckedLayers known_;
    const Network& network_;
    std::unordered_map<std::string_view, const LayerKindInfo*> kinds_;
    std::unordered_map<std::uint32_t, const Layer*> layers_;
    std::unordered_map<std::uint32_t, int> wiresInto_;
    WireRouter router_;
    DisplayList list_;
};

} // namespace

DisplayList buildDisplayList(const DisplayRequest& request) { return Builder(request).build(); }

} // namespace weft::ui
