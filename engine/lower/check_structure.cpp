// SPDX-License-Identifier: Apache-2.0
#include "lower/check_structure.h"

#include "base/limits.h"
#include "base/text/names_of.h"
#include "design/file/document.h"
#include "design/names.h"
#include "lower/nearest_output.h"
#include <weft/settings.h>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace weft {

namespace {

std::vector<std::string> portsOf(const std::vector<PortInfo>& ports) {
    std::vector<std::string> names;
    names.reserve(ports.size());
    for (const PortInfo& port : ports) {
        names.push_back(port.variadic ? variadicPort(port.name, 0) : port.name);
    }
    return names;
}

std::string listed(const std::vector<std::string>& words, const char* none) {
    return words.empty() ? none : fmt::format("{}", fmt::join(words, ", "));
}

class NetworkCheck {
public:
    NetworkCheck(const StructureCheck& check, const NetworkIndex& index, const std::string& prefix)
        : at_(check), index_(index), prefix_(prefix) {}

    void run() {
        names();
        for (const Layer& layer : index_.network().layers) {
            kind(layer);
            inputs(layer);
            if (layer.assignment) {
                checkAssignment(at_.design, *layer.assignment, subject(layer), at_.problems);
            }
        }
        wires();
        unused();
        if (index_.group() != nullptr) {
            groupPorts(*index_.group());
        }
    }

private:
    [[nodiscard]] ProblemSubject subject(const Layer& layer) const {
        return {layer.id, prefix_ + layer.name,
                index_.group() == nullptr ? std::string() : index_.group()->name};
    }
    void say(const Layer& layer, Diagnostic diagnostic) {
        at_.problems.add(subject(layer), std::move(diagnostic));
    }
    [[nodiscard]] std::string path(const Endpoint& endpoint) const {
        return prefix_ + toString(index_.network(), endpoint);
    }
    [[nodiscard]] std::string path(const Wire& wire) const {
        return path(wire.from) + " -> " + path(wire.to);
    }

    void names() {
        std::unordered_set<std::string_view> taken;
        for (const Layer& layer : index_.network().layers) {
            if (!taken.insert(layer.name).second) {
                say(layer, {.code = "E007",
                            .attribute = "name",
                            .text = fmt::format("two layers are called {}", layer.name),
                            .fix = {"rename one of them", {}}});
            } else if (!isLayerName(layer.name)) {
                say(layer, {.code = "E007",
                            .attribute = "name",
                            .text = fmt::format("'{}' cannot be a name", layer.name),
                            .fix = {"use no /, [, ], -> and no control characters", {}}});
            }
        }
    }

    void kind(const Layer& layer) {
        if (layer.kind == groupKind) {
            instance(layer);
            return;
        }
        if (at_.ports.of(layer) != nullptr || at_.problems.isFull()) {
            return;
        }
        std::vector<std::string> words;
        words.reserve(at_.kinds.size());
        for (const LayerKindInfo& kind : at_.kinds) {
            words.push_back(kind.kind);
        }
        std::string meant = nearestWord(layer.kind, words);
        for (const LayerKindInfo& kind : at_.kinds) {
            if (meant.empty() &&
                std::ranges::find(kind.synonyms, layer.kind) != kind.synonyms.end()) {
                meant = kind.kind;
            }
        }
        const std::string name = prefix_ + layer.name;
        say(layer,
            {.code = "E001",
             .text = layer.kind.empty() ? std::string("the layer has no kind")
                                        : fmt::format("there is no layer kind {}", layer.kind),
             .fix = meant.empty() ? Fix{"use a kind that `weft layers` lists", {}}
                                  : fixBy(fmt::format("write {}", meant), "kind", {name, meant})});
    }

    void instance(const Layer& layer) {
        const auto known = at_.groups.find(layer.group);
        if (known == at_.groups.end()) {
            if (at_.problems.isFull()) {
                return;
            }
            const std::vector<std::string> words = namesOf(at_.design.groups);
            say(layer, {.code = "E021",
                        .attribute = "group",
                        .text = layer.group.empty()
                                    ? std::string("the layer has kind group, but names no group")
                                    : fmt::format("there is no group {}", layer.group),
                        .fix = fixByWord(layer.group, words, "group", {prefix_ + layer.name},
                                         fmt::format("define the group, or use one of: {}",
                                                     listed(words, "none yet")))});
            return;
        }
        const GroupDefinition* group = known->second;
        if (layer.repeat > 1 && (group->outputs.empty() || group->inputs.empty() ||
                                 group->outputs.size() > group->inputs.size())) {
            say(layer,
                {.code = "E023",
                 .attribute = "repeat",
                 .text = fmt::format("group {} has {} inputs and {} outputs, so that a copy cannot "
                                     "feed the next one",
                                     group->name, group->inputs.size(), group->outputs.size()),
                 .fix = fixBy("set repeat to 1, or give the group one input for each output",
                              "repeat", {prefix_ + layer.name, "1"})});
        }
    }

    void inputs(const Layer& layer) {
        const LayerPorts* ports = at_.ports.of(layer);
        if (ports == nullptr || layer.muted) {
            return;
        }
        if (hasTooManyInputs(index_, layer.id)) {
            say(layer, {.code = "E016",
                        .text = fmt::format("more than {} wires end at this layer", limits::inputs),
                        .fix = {"combine them in several steps", {}}});
            return;
        }
        for (const PortInfo& port : ports->inputs) {
            if (isOptional(port, layer.attributes) || isFed(layer, port)) {
                continue;
            }
            // A bypassed layer only needs the input that it passes on.
            if (layer.bypassed && &port != &ports->inputs.front()) {
                continue;
            }
            if (at_.problems.isFull()) {
                return;
            }
            say(layer,
                {.code = "E009",
                 .port = port.name,
                 .text = port.help.empty()
                             ? fmt::format("no wire ends at input {}", port.name)
                             : fmt::format("no wire ends at input {} ({})", port.name, port.help),
                 .fix = fixForUnwired(layer, port)});
        }
    }

    [[nodiscard]] Fix fixForUnwired(const Layer& layer, const PortInfo& port) const {
        const Endpoint to{layer.id, port.variadic ? variadicPort(port.name, 0) : port.name};
        const auto from = nearestOutput(index_, at_.kinds, at_.ports, layer, port);
        if (from) {
            return fixBy(fmt::format("connect {} to {}", path(*from), path(to)), "connect",
                         {path(Wire{.from = *from, .to = to})});
        }
        return fixWithoutOutput(path(to), port.type, index_.group() != nullptr);
    }

    [[nodiscard]] bool isFed(const Layer& layer, const PortInfo& port) const {
        if (!port.variadic) {
            return index_.feed({layer.id, port.name}) != nullptr;
        }
        const auto isOne = [&](const std::string& name) {
            return variadicNumber(port.name, name).has_value();
        };
        return std::ranges::any_of(index_.wiresInto(layer.id),
                                   [&](const Wire* wire) { return isOne(wire->to.port); }) ||
               std::ranges::any_of(index_.portsFedByGroup(layer.id),
                                   [&](const Endpoint& end) { return isOne(end.port); });
    }

    void wires() {
        for (const Wire& wire : index_.network().wires) {
            const Layer* from = index_.layer(wire.from.layer);
            const Layer* to = index_.layer(wire.to.layer);
            if (from == nullptr || to == nullptr) {
                at_.problems.add(
                    {.code = "E008",
                     .text = fmt::format("wire {} has an end at a layer that does not exist",
                                         path(wire)),
                     .fix = {"remove the wire", {}}});
                continue;
            }
            scheme(wire);
            // Evaluated only if there is a problem to report.
            const auto what = [&] { return fmt::format("wire {}", path(wire)); };
            output(*from, wire.from, what);
            input(*to, wire.to, what);
            if (!wire.to.port.empty() && index_.feed(wire.to)->wire != &wire &&
                !at_.problems.isFull()) {
                say(*to,
                    {.code = "E010",
                     .port = wire.to.port,
                     .text = fmt::format("more than one wire ends at this input: {}", path(wire)),
                     .fix = fixBy("remove one of them, or combine them with an add layer",
                                  "disconnect", {path(wire)})});
            }
        }
    }

    void scheme(const Wire& wire) {
        if (wire.scheme.empty()) {
            return;
        }
        const std::vector<std::string> known = namesOf(wireSchemes());
        if (std::ranges::find(known, wire.scheme) != known.end() || at_.problems.isFull()) {
            return;
        }
        const Layer* to = index_.layer(wire.to.layer);
        say(*to,
            {.code = "E015",
             .port = wire.to.port,
             .text = fmt::format("unknown scheme '{}' of wire {}", wire.scheme, path(wire)),
             .fix = fixByWord(wire.scheme, known, "scheme", {path(wire.to)},
                              fmt::format("leave the scheme out for the cheapest one, or write {}",
                                          fmt::join(known, ", ")))});
    }

    template <class What>
    void output(const Layer& layer, const Endpoint& end, const What& what) {
        const LayerPorts* ports = at_.ports.of(layer);
        if (ports == nullptr) {
            return;
        }
        const LayerKindInfo* const kind =
            layer.group.empty() ? findKind(at_.kinds, layer.kind) : nullptr;
        const std::vector<std::string> names =
            kind == nullptr ? portsOf(ports->outputs) : outputPorts(*kind, layer.attributes);
        if (std::ranges::find(names, end.port) == names.end()) {
            missingPort(layer, end, what, "output", names);
        }
    }

    template <class What>
    void input(const Layer& layer, const Endpoint& end, const What& what) {
        const LayerPorts* ports = at_.ports.of(layer);
        if (ports != nullptr && findPort(ports->inputs, end.port) == nullptr) {
            missingPort(layer, end, what, "input", portsOf(ports->inputs));
        }
    }

    template <class What>
    void missingPort(const Layer& layer, const Endpoint& end, const What& what, const char* sort,
                     const std::vector<std::string>& names) {
        if (at_.problems.isFull()) {
            return;
        }
        const std::string have = listed(names, "none");
        const std::string type = layer.group.empty() ? layer.kind : "group " + layer.group;
        say(layer, {.code = "E008",
                    .port = end.port,
                    .text = end.port.empty()
                                ? fmt::format("{} does not name one of the {}s of {}: {}", what(),
                                              sort, type, have)
                                : fmt::format("{}: {} has no {} {}", what(), type, sort, end.port),
                    .fix = fixByWord(end.port, names, "rename_port",
                                     {prefix_ + toString(index_.network(), end), sort},
                                     fmt::format("use one of: {}", have))});
    }

    // Warns about a layer whose outputs nobody reads, unless it has no outputs or produces results.
    void unused() {
        std::unordered_set<LayerId> feeding;
        for (const Wire& wire : index_.network().wires) {
            feeding.insert(wire.from.layer);
        }
        if (index_.group() != nullptr) {
            for (const GroupPort& port : index_.group()->outputs) {
                for (const Endpoint& end : port.inside) {
                    feeding.insert(end.layer);
                }
            }
        }
        for (const Layer& layer : index_.network().layers) {
            const bool isWired =
                !index_.wiresInto(layer.id).empty() || !index_.portsFedByGroup(layer.id).empty();
            if (!feeding.contains(layer.id) && !isWired && !layer.muted &&
                at_.ports.of(layer) != nullptr) {
                say(layer, {.code = "W001",
                            .severity = Severity::warning,
                            .text = "no wire begins or ends at this layer",
                            .fix = fixBy("remove the layer, or connect it", "remove",
                                         {prefix_ + layer.name})});
            }
        }
    }

    void groupPorts(const GroupDefinition& group) {
        for (const GroupPort& port : group.outputs) {
            if (port.inside.empty()) {
                groupProblem(group, port, "maps to no output of a layer");
            }
        }
        for (const auto& [ports, isInput] :
             {std::pair(&group.inputs, true), std::pair(&group.outputs, false)}) {
            for (const GroupPort& port : *ports) {
                for (const Endpoint& end : port.inside) {
                    const Layer* layer = index_.layer(end.layer);
                    const auto what = [&, &port = port] {
                        return fmt::format("port {} of group {}", port.name, group.name);
                    };
                    if (layer == nullptr) {
                        groupProblem(group, port, "maps to a layer that does not exist");
                    } else if (isInput) {
                        input(*layer, end, what);
                    } else {
                        output(*layer, end, what);
                    }
                }
            }
        }
    }

    void groupProblem(const GroupDefinition& group, const GroupPort& port, const char* text) {
        at_.problems.add(
            {.code = "E024",
             .port = port.name,
             .text = fmt::format("port {} of group {} {}", port.name, group.name, text),
             .fix = {"choose the port of an inner layer that it maps to", {}},
             .group = group.name});
    }

    const StructureCheck& at_;
    const NetworkIndex& index_;
    const std::string& prefix_;
};

} // namespace

bool hasTooManyInputs(const NetworkIndex& index, LayerId layer) {
    return index.wiresInto(layer).size() + index.portsFedByGroup(layer).size() > limits::inputs;
}

void checkStructure(const StructureCheck& check, const NetworkIndex& index,
                    const std::string& prefix) {
    NetworkCheck(check, index, prefix).run();
}

} // namespace weft
