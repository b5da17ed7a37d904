// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is wrong with one network as it is drawn, whatever it would compute: kinds, names, ports,
// wires, instances, assignments. Nothing here looks at shapes.

#include "design/ports.h"
#include "lower/network_index.h"
#include "lower/problems.h"
#include <weft/catalogue.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weft {

using GroupsByName = std::unordered_map<std::string_view, const GroupDefinition*>;

struct StructureCheck {
    const Design& design;
    const GroupsByName& groups;
    const std::vector<LayerKindInfo>& kinds;
    const PortTable& ports;
    ProblemList& problems;
};

/// `prefix` stands before layers' names: "block/", by the way of the first instance.
void checkStructure(const StructureCheck& check, const NetworkIndex& index,
                    const std::string& prefix);

/// E016: more than one layer can have.
[[nodiscard]] bool hasTooManyInputs(const NetworkIndex& index, LayerId layer);

/// E039: more than can be planned for; asked before anything is made of them.
[[nodiscard]] std::optional<Diagnostic> refusedDevices(std::size_t count);
/// E030 to E035: devices that are not declared, words and meshes that do not fit.
void checkAssignment(const Design& design, const Assignment& assignment, const Subject& subject,
                     ProblemList& problems);
/// E031, E036: the devices themselves.
void checkDevices(const Design& design, ProblemList& problems);

} // namespace weft
