// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ports of layers as they stand in a design: those of their kind, or of the group they are an
// instance of. Variadic ports of a kind are x0, x1, ...

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

/// Made once for a design and a catalogue, neither of which may change meanwhile.
class PortTable {
public:
    PortTable(const Design& design, const std::vector<LayerKindInfo>& kinds);
    /// nullptr where the kind or the group is not known.
    [[nodiscard]] const LayerPorts* of(const Layer& layer) const;

private:
    std::unordered_map<std::string_view, LayerPorts> kinds_;
    std::unordered_map<std::string_view, LayerPorts> groups_;
};

/// "x3"
[[nodiscard]] std::string variadicPort(std::string_view stem, std::size_t number);
/// 3 for "x3" when the stem is "x".
[[nodiscard]] std::optional<std::size_t> variadicNumber(std::string_view stem,
                                                        std::string_view port);
/// The port of that name, variadic ones included; nullptr when there is none.
[[nodiscard]] const PortInfo* findPort(const std::vector<PortInfo>& ports, std::string_view name);

/// Gives wires and group ports that leave a port out the one that its kind has.
void resolvePorts(Design& design, const std::vector<LayerKindInfo>& kinds);

} // namespace weft
