// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times training steps of a design on data held in memory, in this process or, under mpirun, in all
// ranks. A timed step uses the same programs, feeding and update as a run, without log or
// checkpoints.

#include <weft/design.h>
#include <weft/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

struct BenchRequest {
    Design design;
    std::filesystem::path folder = {};            ///< search folder of the design's files
    std::vector<std::filesystem::path> data = {}; ///< further search folders
    std::vector<std::string> devices = {};        ///< empty: the design's, else cpu:0
    std::string backend = {};                     ///< replaces the devices' own backends
    int threads = 0;                              ///< cores of all devices together; 0: all
    std::int64_t steps = 20;                      ///< timed steps
    std::int64_t warmup = 3;                      ///< untimed steps before them
    std::int64_t batches = 1;                     ///< number of different batches, used in turn
    std::filesystem::path weights = {};           ///< initial weights (safetensors)
    /// Output folder for weights.safetensors (initial weights) and data.safetensors (every field of
    /// the batches in order), with which another program can repeat the steps. Empty: no output.
    std::filesystem::path record = {};
};

/// Cost of one op per step, on the slowest device.
struct OpTime {
    std::string layer;          ///< as shown to the user: "block[2]/conv1"
    std::string op;             ///< name of its step: "conv2d_dw"
    std::string implementation; ///< the kernel that was chosen
    Pass pass = Pass::forward;
    Nanoseconds median = {}; ///< time per step
    Flops flops = {};
    bool operator==(const OpTime&) const = default;
};

struct BenchResult {
    std::string design;     ///< name of the design
    std::int64_t batch = 0; ///< examples per step
    int threads = 0;        ///< cores of all devices together
    int rank = 0;           ///< rank of this process; rank 0 reports for all
    std::vector<std::string> devices;
    std::vector<double> seconds; ///< per timed step
    double median = 0;           ///< seconds per step
    double fastest = 0;          ///< seconds of the fastest step
    double mostResident = 0;     ///< MiB of this process
    Bytes planned = {};          ///< planned memory of all devices
    /// Losses of every step from the first, including untimed steps.
    std::vector<double> losses;
    std::vector<double> learningRates; ///< per step, as `losses`
    std::vector<OpTime> ops;           ///< slowest first
    std::vector<std::string> remarks;  ///< given weights that did not fit
};

/// Throws the same errors as a run of the design.
[[nodiscard]] BenchResult bench(const BenchRequest& request);

/// Returns one JSON object on one line with the program's version and the machine's model;
/// `withOps` adds the time of every op.
[[nodiscard]] std::string toJson(const BenchResult& result, const std::string& version,
                                 bool withOps);

} // namespace weft
