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

TraceEnd Trace::from(std::size_t copy, Endpoint input) {
    copy_ = copy;
    end_ = std::move(input);
    source_ = {};
    passed_.clear();
    for (At at = At::input; at != At::end;) {
        at = at == At::input ? throughInput() : throughLayer();
    }
    for (const Passed& passed : passed_) {
        known_.emplace(passed, source_);
    }
    return source_;
}

Trace::At Trace::throughInput() {
    const IncomingWire* feed = here().index->feed(end_);
    if (feed == nullptr) {
        return At::end;
    }
    if (feed->wire != nullptr) {
        source_.scheme = source_.scheme.empty() ? feed->wire->scheme : source_.scheme;
        end_ = feed->wire->from;
        return At::output;
    }
    const GroupDefinition& group = *here().index->group();
    if (here().previous != 0 && feed->port < group.outputs.size()) {
        const auto& inside = group.outputs[feed->port].inside;
        copy_ = here().previous;
        end_ = inside.empty() ? Endpoint{} : inside.front();
        return inside.empty() ? At::end : At::output;
    }
    end_ = {here().instance, group.inputs[feed->port].name};
    copy_ = here().parent;
    return At::input;
}

Trace::At Trace::throughLayer() {
    const Layer* layer = here().index->layer(end_.layer);
    if (layer == nullptr) {
        return At::end;
    }
    if (layer->muted) {
        source_.sort = TraceEnd::Sort::leftOut;
        return At::end;
    }
    if (layer->bypassed) {
        return throughBypassed(here(), *layer);
    }
    if (const auto last = here().lastCopies.find(layer->id); last != here().lastCopies.end()) {
        return intoGroup(last->second);
    }
    if (const auto leaf = here().leaves.find(layer->id); leaf != here().leaves.end()) {
        const LayerPorts* ports = ports_.of(*layer);
        if (ports == nullptr || findPort(ports->outputs, end_.port) != nullptr) {
            source_.sort = TraceEnd::Sort::layer;
            source_.leaf = leaf->second;
            source_.port = end_.port;
        }
    }
    return At::end;
}

Trace::At Trace::throughBypassed(const NetworkCopy& copy, const Layer& layer) {
    const Passed passed{copy_, layer.id};
    if (const auto known = known_.find(passed); known != known_.end()) {
        const std::string scheme = source_.scheme;
        source_ = known->second;
        source_.scheme = scheme.empty() ? source_.scheme : scheme;
        return At::end;
    }
    if (!passed_.insert(passed).second) {
        reportCircle(layer);
        return At::end;
    }
    end_ = {layer.id, firstInput(*copy.index, layer, ports_.of(layer))};
    if (copy.index->feed(end_) == nullptr) {
        source_.sort = TraceEnd::Sort::leftOut;
        return At::end;
    }
    return At::input;
}

Trace::At Trace::intoGroup(std::size_t last) {
    const GroupDefinition& group = *copies_.all()[last].index->group();
    const auto port = std::ranges::find(group.outputs, end_.port, &GroupPort::name);
    if (port == group.outputs.end() || port->inside.empty()) {
        return At::end;
    }
    copy_ = last;
    end_ = port->inside.front();
    return At::output;
}

void Trace::reportCircle(const Layer& layer) {
    problems_.add(copies_.subject({copy_, &layer}), {.code = "E011",
                                                     .text = "bypassed layers form a cycle",
                                                     .fix = {"remove one of their wires", {}}});
}

} // namespace weft
