// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values of a layer that can be shown: weights in the newest checkpoint, and outputs and gradients
// of observed steps. Pure; files are named, not read.

#include <weft/runs.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft::ui {

enum class ValueSort : std::uint8_t { weight, gradient, activation };

struct WatchedValue {
    std::string layer; ///< as files name it: "block[2].conv1"
    std::string part;  ///< "weight", "y", "weight.gradient"
    ValueSort sort = ValueSort::activation;
    std::int64_t step = 0;
    std::filesystem::path file;
    std::string tensor; ///< within a checkpoint; empty: the file is the tensor
    bool operator==(const WatchedValue&) const = default;
};

/// The newest of each value, by layer and part. `weights`: names in the newest checkpoint.
[[nodiscard]] std::vector<WatchedValue> watchedValues(const std::filesystem::path& run,
                                                      const std::vector<RunFile>& tensors,
                                                      const std::vector<RunFile>& checkpoints,
                                                      const std::vector<std::string>& weights);
/// Whether a value is one of that layer, given by its full name.
[[nodiscard]] bool isOf(const WatchedValue& value, const std::string& layer);

} // namespace weft::ui
