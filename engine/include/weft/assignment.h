// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a user may choose for a layer: which devices, arranged how, and per axis of that mesh one
// word.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One word per mesh axis.
enum class AxisWord : std::uint8_t {
    follow,     ///< as its inputs come (the default)
    data,       ///< split the batch, add gradients up over devices at every update
    batch,      ///< split the batch, keep sums apart until they are applied: once in `sync_every`
    modelStack, ///< split output features: results are stacked
    modelAdd,   ///< split input features: results are added
    spaceRows,
    spaceColumns,
    replicate
};
/// "model.stack"
[[nodiscard]] std::string_view nameOf(AxisWord word);
[[nodiscard]] std::optional<AxisWord> axisWordNamed(std::string_view name);

struct Assignment {
    /// Names of declared devices in mesh order; empty: where its first input is, or all devices of
    /// the run.
    std::vector<std::string> devices;
    /// Extent of each mesh axis; empty: one axis over all its devices.
    std::vector<std::int64_t> mesh;
    /// One word per axis; fewer words than axes: the rest follow.
    std::vector<AxisWord> words;
    bool operator==(const Assignment&) const = default;
};

/// "data", "[data, model.stack] on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"
[[nodiscard]] std::string toString(const Assignment& assignment);

} // namespace weft
