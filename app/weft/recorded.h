// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values of single steps as a run's folder has them: tensors/step-000000012.conv1.y.npy, and
// series/step-000000012.code.energies.npy, a number per round and element.

#include <weft/pictures.h>
#include <weft/runs.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace weft {

struct RecordedStep {
    std::int64_t step = 0;
    std::filesystem::path file;
};
/// By the name of the value, each in the order of steps. A folder that is not there holds none.
using Recorded = std::map<std::string, std::vector<RecordedStep>>;
[[nodiscard]] Recorded recordedIn(const std::filesystem::path& folder);

/// Those of one value; Error{usage} with `remedy`, or the names there are.
[[nodiscard]] std::vector<RecordedStep>
recordedOf(const std::filesystem::path& folder, const std::string& name, const std::string& remedy);

/// All steps in one array, [steps, rounds, elements]. Those of another shape than the last's are
/// left out, as where a run went on with another batch.
struct RecordedSeries {
    std::vector<std::int64_t> steps;
    TensorNumbers numbers;
    std::size_t leftOut = 0;
};
[[nodiscard]] RecordedSeries readSeries(const std::string& name,
                                        const std::vector<RecordedStep>& steps);

/// Over rounds, the mean of all elements: a curve of at most so many steps, the last among them.
[[nodiscard]] std::vector<MetricSeries> meansOver(const RecordedSeries& series, std::size_t most);

} // namespace weft
