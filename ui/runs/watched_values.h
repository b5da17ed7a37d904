// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists the recorded values of a layer: weights in the newest checkpoint, and outputs and gradients
// of observed steps. Pure: names files without reading them.

#include <weft/runs.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft::ui {

enum class ValueKind : std::uint8_t { weight, gradient, activation };

struct WatchedValue {
    std::string layer; ///< name in files: "block[2].conv1"
    std::string part;  ///< such as "weight", "y" or "weight.gradient"
    ValueKind kind = ValueKind::activation;
    std::int64_t step = 0;
    std::filesystem::path file;
    std::string tensor; ///< name within a checkpoint; empty: the file contains one tensor
    bool operator==(const WatchedValue&) const = default;
};

/// Returns the newest version of each value by layer and part. `weights`: names in the newest
/// checkpoint.
[[nodiscard]] std::vector<WatchedValue> watchedValues(const std::filesystem::path& run,
                                                      const std::vector<RunFile>& tensors,
                                                      const std::vector<RunFile>& checkpoints,
                                                      const std::vector<std::string>& weights);
/// True if a value belongs to the layer with this full name.
[[nodiscard]] bool belongsTo(const WatchedValue& value, const std::string& layer);

} // namespace weft::ui
