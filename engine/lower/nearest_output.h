// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a user most likely wants to connect to an input that has no wire.

#include "design/ports.h"
#include "lower/network_index.h"
#include <weft/diagnostics.h>

#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Returns an output that has the type of the port and is not computed from the layer: first one
/// that nobody reads, then one above the layer, then the nearest. Layers without positions are
/// compared by their order in the file. For a loss or a metric, returns none of the outputs that it
/// is computed from already. Does not know shapes. Returns none if no output fits.
[[nodiscard]] std::optional<Endpoint> nearestOutput(const NetworkIndex& index,
                                                    const std::vector<LayerKindInfo>& kinds,
                                                    const PortTable& ports, const Layer& layer,
                                                    const PortInfo& port);

/// Returns the fix of an input that no output fits: an added input layer, or advice in a group.
[[nodiscard]] Fix fixWithoutOutput(const std::string& input, PortType type, bool isInGroup);

} // namespace weft
