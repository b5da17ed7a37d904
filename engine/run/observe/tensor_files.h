// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a run's folders tensors/ (values of observed steps) and series/ (per-iteration numbers of
// layers), a .npy file per value. Only the newest files are kept. On rank 0, on the trainer's
// thread.

#include "data/arrays/array.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>

namespace weft {

class TensorFiles {
public:
    static constexpr std::size_t keptTensors = 256;   ///< files; the oldest are removed
    static constexpr std::size_t keptSeries = 10'000; ///< files

    TensorFiles(std::filesystem::path folder, std::size_t kept);

    /// Returns the path in the run's folder: "tensors/step-000000012.conv1.y.npy".
    std::string write(std::int64_t step, const std::string& name, const Array& value);

private:
    std::filesystem::path folder_;
    std::size_t kept_;              ///< largest number of files
    std::deque<std::string> names_; ///< oldest first
};

} // namespace weft
