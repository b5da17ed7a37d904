// SPDX-License-Identifier: Apache-2.0
#include "design/ports.h"

#include <algorithm>
#include <charconv>

namespace weft {

namespace {

std::vector<PortInfo> portsOf(const std::vector<GroupPort>& ports) {
    std::vector<PortInfo> result;
    result.reserve(ports.size());
    for (const GroupPort& port : ports) {
        result.push_back({.name = port.name, .help = {}});
    }
    return result;
}

} // namespace

LayerPorts portsOf(const GroupDefinition& group) {
    return {portsOf(group.inputs), portsOf(group.outputs)};
}

PortTable::PortTable(const Design& design, const std::vector<LayerKindInfo>& kinds) {
    for (const LayerKindInfo& kind : kinds) {
        kinds_.emplace(kind.kind, LayerPorts{kind.inputs, kind.outputs});
    }
    for (const GroupDefinition& group : design.groups) {
        groups_.emplace(group.name, portsOf(group));
    }
}

const LayerPorts* PortTable::of(const Layer& layer) const {
    const auto& table = layer.group.empty() ? kinds_ : groups_;
    const auto found = table.find(layer.group.empty() ? layer.kind : layer.group);
    return found == table.end() ? nullptr : &found->second;
}

std::string variadicPort(std::string_view stem, std::size_t number) {
    return std::string(stem) + std::to_string(number);
}

std::optional<std::size_t> variadicNumber(std::string_view stem, std::string_view port) {
    constexpr std::size_t mostDigits = 6;
    if (!port.starts_with(stem) || port.size() == stem.size() ||
        port.size() > stem.size() + mostDigits) {
        return std::nullopt;
    }
    std::size_t number = 0;
    const char* end = port.data() + port.size();
    const auto [stop, fault] = std::from_chars(port.data() + stem.size(), end, number);
    // "x03" is not the name "x3" that its number gives.
    return fault == std::errc{} && stop == end && variadicPort(stem, number) == port
               ? std::optional(number)
               : std::nullopt;
}

const PortInfo* findPort(const std::vector<PortInfo>& ports, std::string_view name) {
    for (const PortInfo& port : ports) {
        if (port.variadic ? variadicNumber(port.name, name).has_value() : port.name == name) {
            return &port;
        }
    }
    return nullptr;
}

} // namespace weft
