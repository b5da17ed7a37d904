// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks the structure of one network: kinds, names, ports, wires, instances, assignments. Shapes
// are not checked here.

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

/// `prefix` precedes layer names: "block/", from the path of the first instance.
void checkStructure(const StructureCheck& check, const NetworkIndex& index,
                    const std::string& prefix);

/// True if the layer has more inputs than a layer may have (E016).
[[nodiscard]] bool hasTooManyInputs(const NetworkIndex& index, LayerId layer);

/// Returns E039 if there are more devices than can be planned for. Call before the devices are
/// used.
[[nodiscard]] std::optional<Diagnostic> deviceCountProblem(std::size_t count);
/// Reports E030 to E035: undeclared devices, and assignments and meshes that do not fit.
void checkAssignment(const Design& design, const Assignment& assignment,
                     const ProblemSubject& subject, ProblemList& problems);
/// Reports faults of the declared devices: E031, E036.
void checkDevices(const Design& design, ProblemList& problems);

} // namespace weft
