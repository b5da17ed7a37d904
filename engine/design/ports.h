// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ports of a design's layers: those of their kind, or of the group that they instantiate.
// Variadic ports of a kind are x0, x1, ...

#include <weft/catalogue.h>
#include <weft/design.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weft {

struct LayerPorts {
    std::vector<PortInfo> inputs;
    std::vector<PortInfo> outputs;
};

[[nodiscard]] LayerPorts portsOf(const GroupDefinition& group);

/// Built once for a design and a catalogue, which must not change meanwhile.
class PortTable {
public:
    PortTable(const Design& design, const std::vector<LayerKindInfo>& kinds);
    /// Returns nullptr if the kind or group is unknown.
    [[nodiscard]] const LayerPorts* of(const Layer& layer) const; ///< its ports

private:
    std::unordered_map<std::string_view, LayerPorts> kinds_;
    std::unordered_map<std::string_view, LayerPorts> groups_;
};

/// Returns "x3".
[[nodiscard]] std::string variadicPort(std::string_view stem, std::size_t number);
/// Returns 3 for port "x3" and stem "x".
[[nodiscard]] std::optional<std::size_t> variadicNumber(std::string_view stem,
                                                        std::string_view port);
/// Returns the port of that name, including variadic ones, or nullptr.
[[nodiscard]] const PortInfo* findPort(const std::vector<PortInfo>& ports, std::string_view name);

/// Sets ports that wires and group ports leave out to the default port of the layer's kind.
void resolvePorts(Design& design, const std::vector<LayerKindInfo>& kinds);

} // namespace weft
