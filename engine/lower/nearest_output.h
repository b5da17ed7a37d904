// SPDX-License-Identifier: Apache-2.0
#pragma once
// The output that a user most likely wants to connect to an input that has no wire.

#include "design/ports.h"
#include "lower/network_index.h"

#include <optional>
#include <vector>

namespace weft {

/// Returns an output that has the type of the port and is not computed from the layer, first among
/// those that nobody reads, then the nearest on the canvas, or before the layer in the file if
/// layers are not placed. Does not know shapes. Returns none if no output fits.
[[nodiscard]] std::optional<Endpoint> nearestOutput(const NetworkIndex& index,
                                                    const std::vector<LayerKindInfo>& kinds,
                                                    const PortTable& ports, const Layer& layer,
                                                    const PortInfo& port);

} // namespace weft
