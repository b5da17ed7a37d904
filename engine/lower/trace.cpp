// SPDX-License-Identifier: Apache-2.0
#include "lower/trace.h"

#include <algorithm>
#include <optional>

namespace weft {

namespace {

// Returns the input that a bypassed layer passes on: its first input, or the lowest wired input of
// a variadic port.
std::string firstInput(const NetworkIndex& index, const Layer& layer, const LayerPorts* ports) {
    const auto& wires = index.wiresInto(layer.id);
    if (ports == nullptr || ports->inputs.empty()) {
        return wires.empty() ? std::string() : wires.front()->to.port;
    }
    const PortInfo& first = ports->inputs.front();
    if (!first.variadic) {
        return first.name;
    }
    std::optional<std::size_t> lowest;
    const auto consider = [&](const std::string& port) {
        const auto number = variadicNumber(first.name, port);
        lowest = number && (!lowest || *number < *lowest) ? number : lowest;
    };
    for (const Wire* wire : wires) {
        consider(wire->to.port);
    }
    for (const Endpoint& end : index.portsFedByGroup(layer.id)) {
        consider(end.port);
    }
    return variadicPort(first.name, lowest.value_or(0));
}

} // namespace

TracedSource SourceTracer::sourceOf(std::size_t copy, Endpoint input) {
    copy_ = copy;
    endpoint_ = std::move(input);
    source_ = {};
    bypassedOnPath_.clear();
    for (Position at = Position::input; at != Position::end;) {
        at = at == Position::input ? throughInput() : throughLayer();
    }
    for (const BypassedLayer& passed : bypassedOnPath_) {
        sourceOfBypassed_.emplace(passed, source_);
    }
    return source_;
}

SourceTracer::Position SourceTracer::throughInput() {
    const IncomingWire* feed = currentCopy().index->feed(endpoint_);
    if (feed == nullptr) {
        return Position::end;
    }
    if (feed->wire != nullptr) {
        source_.scheme = source_.scheme.empty() ? feed->wire->scheme : source_.scheme;
        endpoint_ = feed->wire->from;
        return Position::output;
    }
    const GroupDefinition& group = *currentCopy().index->group();
    if (currentCopy().previous != 0 && feed->port < group.outputs.size()) {
        const auto& inside = group.outputs[feed->port].inside;
        copy_ = currentCopy().previous;
        endpoint_ = inside.empty() ? Endpoint{} : inside.front();
        return inside.empty() ? Position::end : Position::output;
    }
    endpoint_ = {currentCopy().instance, group.inputs[feed->port].name};
    copy_ = currentCopy().parent;
    return Position::input;
}

SourceTracer::Position SourceTracer::throughLayer() {
    const Layer* layer = currentCopy().index->layer(endpoint_.layer);
    if (layer == nullptr) {
        return Position::end;
    }
    if (layer->muted) {
        source_.outcome = TracedSource::Outcome::leftOut;
        return Position::end;
    }
    if (layer->bypassed) {
        return throughBypassed(currentCopy(), *layer);
    }
    if (const auto last = currentCopy().lastCopies.find(layer->id);
        last != currentCopy().lastCopies.end()) {
        return intoGroup(last->second);
    }
    if (const auto layerCopy = currentCopy().layerCopies.find(layer->id);
        layerCopy != currentCopy().layerCopies.end()) {
        const LayerPorts* ports = ports_.of(*layer);
        if (ports == nullptr || findPort(ports->outputs, endpoint_.port) != nullptr) {
            source_.outcome = TracedSource::Outcome::layer;
            source_.layerCopy = layerCopy->second;
            source_.port = endpoint_.port;
        }
    }
    return Position::end;
}

SourceTracer::Position SourceTracer::throughBypassed(const NetworkCopy& copy, const Layer& layer) {
    const BypassedLayer passed{copy_, layer.id};
    if (const auto known = sourceOfBypassed_.find(passed); known != sourceOfBypassed_.end()) {
        const std::string scheme = source_.scheme;
        source_ = known->second;
        source_.scheme = scheme.empty() ? source_.scheme : scheme;
        return Position::end;
    }
    if (!bypassedOnPath_.insert(passed).second) {
        reportCircle(layer);
        return Position::end;
    }
    endpoint_ = {layer.id, firstInput(*copy.index, layer, ports_.of(layer))};
    if (copy.index->feed(endpoint_) == nullptr) {
        source_.outcome = TracedSource::Outcome::leftOut;
        return Position::end;
    }
    return Position::input;
}

SourceTracer::Position SourceTracer::intoGroup(std::size_t last) {
    const GroupDefinition& group = *copies_.all()[last].index->group();
    const auto port = std::ranges::find(group.outputs, endpoint_.port, &GroupPort::name);
    if (port == group.outputs.end() || port->inside.empty()) {
        return Position::end;
    }
    copy_ = last;
    endpoint_ = port->inside.front();
    return Position::output;
}

void SourceTracer::reportCircle(const Layer& layer) {
    problems_.add(copies_.subject({copy_, &layer}), {.code = "E011",
                                                     .text = "bypassed layers form a cycle",
                                                     .fix = {"remove one of their wires", {}}});
}

} // namespace weft
