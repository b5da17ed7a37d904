// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times training steps of a design on data held in memory, in this process or, under mpirun, in
// all of them. What it measures is the step that a run takes: the same programs, feeding and
// update, without log or checkpoints.

#include <weft/design.h>
#include <weft/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

struct BenchRequest {
    Design design;
    std::filesystem::path folder = {};            ///< where the design's files are looked for
    std::vector<std::filesystem::path> data = {}; ///< and then in these
    std::vector<std::string> devices = {};        ///< empty: those the design declares, else cpu:0
    std::string backend = {};                     ///< instead of the devices' own
    int threads = 0;                              ///< cores of all devices together; 0: all
    std::int64_t steps = 20;                      ///< that are timed
    std::int64_t warmup = 3;                      ///< that are not
    std::int64_t batches = 1;                     ///< different ones, taken in turn
    std::filesystem::path weights = {};           ///< safetensors to begin from
    /// weights.safetensors as training begins and data.safetensors, every field of the batches in
    /// their order: all that another program needs to take the same steps. Empty: neither.
    std::filesystem::path record = {};
};

/// What one op costs in a step, on the device that needs longest for it.
struct OpTime {
    std::string layer;
    std::string op;
    std::string implementation; ///< the kernel that was chosen
    Pass pass = Pass::forward;
    Nanoseconds median = {};
    Flops flops = {};
    bool operator==(const OpTime&) const = default;
};

struct BenchResult {
    std::string design;
    std::int64_t batch = 0; ///< examples of a step
    int threads = 0;
    int rank = 0; ///< of this process; rank 0 speaks for all
    std::vector<std::string> devices;
    std::vector<double> seconds; ///< of each timed step
    double median = 0;
    double fastest = 0;
    double mostResident = 0; ///< MiB of this process
    Bytes planned = {};      ///< memory of all devices, as planned
    /// Losses of every step from the first, including untimed steps.
    std::vector<double> losses;
    std::vector<double> learningRates;
    std::vector<OpTime> ops;          ///< slowest first
    std::vector<std::string> remarks; ///< what of given weights did not fit
};

/// Throws Error as a run of the design does.
[[nodiscard]] BenchResult bench(const BenchRequest& request);

/// One JSON object on one line, with the program's version as given and the machine's model;
/// `withOps` adds the time of every op.
[[nodiscard]] std::string toJson(const BenchResult& result, const std::string& version,
                                 bool withOps);

} // namespace weft
