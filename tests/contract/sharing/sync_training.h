// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small designs trained by the whole trainer, for the suite of the sync block: what was lost and
// applied by step, what is in the last checkpoint, and what the devices have sent. Free of Qt.

#include <weft/design.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft::test {

/// "dense": tanh between two products; "conv": a batch norm and dropout among them, clipped adamw;
/// "attention": ids, looked up, with momentum; "sets": layers with sets per element, per position
/// and both; "lca": neurons that compete, "lca per_element" and the like with those switches on.
[[nodiscard]] Design syncDesign(const std::string& net);

struct SyncSettings {
    std::int64_t every = 1;
    std::int64_t period = 1;
    std::int64_t first = 1;
    bool isLate = false;
};
[[nodiscard]] std::string nameOf(const SyncSettings& settings);

/// "batch", "batch on fc2, data", "batch model.stack" (over a mesh of two rows)
void spreadBy(Design& design, const std::string& words, std::size_t devices);

struct SyncRun {
    Design design;
    SyncSettings settings = {};
    std::size_t devices = 1;
    std::int64_t steps = 9;
    std::filesystem::path folder;          ///< for checkpoints
    std::filesystem::path checkpoint = {}; ///< resumed from
    bool isStepped = true; ///< devices meet in the simulated communicator, not in threads
    std::string backend = "reference";
};

struct SyncOutcome {
    std::vector<double> losses;
    std::vector<std::optional<double>> norms;
    std::vector<double> rates;
    std::vector<std::string> members; ///< by step
    std::vector<std::string> plans;   ///< one printed plan per program of the program set
    std::map<std::string, std::vector<double>> tensors; ///< as in the file
    std::filesystem::path file;                         ///< the last checkpoint
    /// Bytes that the device that sends most sends for gradients and sums.
    std::int64_t sent = 0;
    std::int64_t sentElse = 0; ///< for all else, the results of each step among it
};
[[nodiscard]] SyncOutcome trainSynced(const SyncRun& asked);

/// By name, what each of the steps makes of layers' values: "code.code", "code.steps".
using Seen = std::map<std::string, std::vector<std::byte>>;
[[nodiscard]] std::vector<Seen> seenSteps(const SyncRun& asked);

/// Parts of a sum added up.
[[nodiscard]] std::map<std::string, std::vector<double>> whole(const SyncOutcome& outcome);

/// The largest difference of a loss, or of a tensor in comparison with its largest number.
[[nodiscard]] double differenceOf(const SyncOutcome& a, const SyncOutcome& b, std::string& where);

} // namespace weft::test
