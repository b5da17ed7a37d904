// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads recorded values of single steps from a run's folder: tensors/step-000000012.conv1.y.npy,
// and series/step-000000012.code.energies.npy with one number per round and element.

#include <weft/pictures.h>
#include <weft/runs.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace weft {

struct RecordedStep {
    std::int64_t step = 0;      ///< training step
    std::filesystem::path file; ///< the recorded tensor
};
/// Maps the name of a value to its steps in ascending order. Empty if the folder doesn't exist.
using RecordedValues = std::map<std::string, std::vector<RecordedStep>>;
[[nodiscard]] RecordedValues recordedValuesIn(const std::filesystem::path& folder);

/// Returns the recorded steps of one value. Throws Error{usage} with `remedy`, or with the known
/// names.
[[nodiscard]] std::vector<RecordedStep> recordedStepsOf(const std::filesystem::path& folder,
                                                        const std::string& name,
                                                        const std::string& remedy);

/// All steps in one array [steps, rounds, elements]. Steps whose shape differs from the last step's
/// are left out, for example after a resume with another batch size.
struct RecordedSeries {
    std::vector<std::int64_t> steps; ///< numbers of the steps
    TensorNumbers numbers;           ///< [steps, rounds, elements]
    std::size_t leftOut = 0;         ///< number of steps whose shape differs
};
[[nodiscard]] RecordedSeries readSeries(const std::string& name,
                                        const std::vector<RecordedStep>& steps);

/// Returns the mean over all elements per round, for at most `most` steps including the last.
[[nodiscard]] std::vector<MetricSeries> meanCurves(const RecordedSeries& series, std::size_t most);

} // namespace weft
