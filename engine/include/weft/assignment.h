// SPDX-License-Identifier: Apache-2.0
#pragma once
// A user's placement choice for a layer: its devices, their mesh, and one word per mesh axis.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One word per mesh axis.
enum class AxisWord : std::uint8_t {
    follow,       ///< follows the placement of the layer's inputs (the default)
    data,         ///< splits the batch, sums gradients over the devices at every update
    batch,        ///< splits the batch, sums over the devices once in `sync_every` updates
    modelStack,   ///< splits output features and concatenates the results
    modelAdd,     ///< splits input features and sums the results
    spaceRows,    ///< splits rows of pictures; only layers without windows
    spaceColumns, ///< splits columns of pictures; only layers without windows
    replicate     ///< computes the same on all devices
};
/// "model.stack"
[[nodiscard]] std::string_view nameOf(AxisWord word);
[[nodiscard]] std::optional<AxisWord> axisWordNamed(std::string_view name);

struct Assignment {
    /// Names of declared devices in mesh order. Empty: the devices of the layer's first input, or
    /// all devices of the run.
    std::vector<std::string> devices;
    std::vector<std::int64_t> mesh; ///< extent of each mesh axis; empty: one axis over all devices
    std::vector<AxisWord> words;    ///< one per mesh axis; axes without a word use `follow`
    bool operator==(const Assignment&) const = default;
};

/// "data", "[data, model.stack] on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"
[[nodiscard]] std::string toString(const Assignment& assignment);

} // namespace weft
