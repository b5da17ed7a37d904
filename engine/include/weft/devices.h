// SPDX-License-Identifier: Apache-2.0
#pragma once
// Devices of this machine and data sheets of others: measured or published rates, from which every
// prediction is made.

#include <weft/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Spread of repeated measurements: the quartiles of the times as multiples of the median, which is
/// stored as the rate.
struct TimeDeviation {
    double low = 1;  ///< lower quartile of the times / median
    double high = 1; ///< upper quartile of the times / median
    [[nodiscard]] bool isKnown() const { return low < high; }
    auto operator<=>(const TimeDeviation&) const = default;
};

/// The range of a predicted time that follows from the spread of the rates.
struct TimeBand {
    Nanoseconds low = {};  ///< lower end of a predicted time
    Nanoseconds high = {}; ///< upper end of a predicted time
    /// False if the spread of the rates is unknown.
    [[nodiscard]] bool isKnown() const { return low < high; }
    [[nodiscard]] bool has(Nanoseconds time) const { return low <= time && time <= high; }
    bool operator==(const TimeBand&) const = default;
};

/// One class of links: time = latency + bytes / rate, per message.
struct LinkSheet {
    std::string name;             ///< "threads", "shared-memory", "network", "NVLink 4"
    Nanoseconds latency = {2000}; ///< per message
    double bytesPerSecond = 10e9;
    bool isMeasured = false;
    TimeDeviation latencySpread = {}; ///< spread of the measured latency
    TimeDeviation bytesSpread = {};   ///< spread of the measured rate
    bool operator==(const LinkSheet&) const = default;
};

/// The fastest of a library's algorithms for one computation.
struct MeasuredPlan {
    std::string engine;        ///< the library's name of the algorithm
    Bytes workspace = {};      ///< scratch memory
    Nanoseconds time = {};     ///< median
    TimeDeviation spread = {}; ///< spread of the measured time
    auto operator<=>(const MeasuredPlan&) const = default;
};
using PlansByName = std::map<std::string, MeasuredPlan>; ///< key: the computation

/// Plans measured on one chip model with one library version. They are invalid for others.
struct MeasuredPlans {
    std::string model;     ///< model of the chip
    std::string library;   ///< version of the library
    PlansByName best = {}; ///< the fastest plan for each computation
    bool operator==(const MeasuredPlans&) const = default;
};

/// Rates of one device. Unknown rates are 0 and are priced with the defaults of the device class.
struct DeviceSheet {
    std::string name;              ///< "cpu:0"
    std::string backend;           ///< "cpu"
    std::string model;             ///< "AMD EPYC 9554", "NVIDIA H200"
    int generation = 0;            ///< compute capability times 10: 90 is 9.0; 0: unknown or none
    std::string library = {};      ///< version of cuDNN; empty: none, or device not present
    std::int64_t cores = 1;        ///< CPU cores of its streams
    Bytes memory = {};             ///< size of the device's memory; 0: unknown
    double flopsPerSecond = 0;     ///< dense f32 rate of the whole device
    double tf32FlopsPerSecond = 0; ///< rate with f32 rounded to TF32; 0: not faster
    double bf16FlopsPerSecond = 0; ///< rate with f32 rounded to bf16; 0: not faster
    double bytesPerSecond = 0;     ///< streaming from memory
    Nanoseconds overhead = {1000}; ///< per kernel launch
    std::map<std::string, double> efficiency = {}; ///< op -> fraction of the dense rate
    bool isPresent = true;                         ///< false: planned from its data sheet only
    bool isMeasured = false;                       ///< here, or scaled from another number of cores
    std::int64_t measuredAt = 0;                   ///< Unix time in seconds; 0: unknown
    TimeDeviation streamSpread = {};               ///< spread of `bytesPerSecond`
    TimeDeviation overheadSpread = {};
    std::map<std::string, TimeDeviation> opSpread = {}; ///< op -> spread of its measured times
    std::optional<LinkSheet> bus = {};  ///< link to host memory; none: the device computes there
    std::optional<LinkSheet> peer = {}; ///< to a like device of the host; none: via host memory
    std::int64_t threads = 0; ///< hardware threads of a GPU; 0: the device has cores instead
    MeasuredPlans plans = {}; ///< used if GPU model and library version match
    /// Scales the rates to those of a share of the device, or of several devices.
    void scaleRates(double share) {
        flopsPerSecond *= share;
        tf32FlopsPerSecond *= share;
        bf16FlopsPerSecond *= share;
        bytesPerSecond *= share;
        for (auto& [name, plan] : plans.best) {
            plan.time = {static_cast<std::int64_t>(static_cast<double>(plan.time.count) / share)};
        }
    }
    /// Replaces the dense rate and scales the TF32 and bf16 rates in proportion.
    void setDenseRate(double known) {
        const double times = flopsPerSecond > 0 ? known / flopsPerSecond : 0;
        tf32FlopsPerSecond *= times;
        bf16FlopsPerSecond *= times;
        flopsPerSecond = known;
    }
    bool operator==(const DeviceSheet&) const = default;
};

/// A machine as the planner sees it.
struct MachineSheet {
    std::string host; ///< name of the host
    std::vector<DeviceSheet> devices;
    LinkSheet withinProcess{"threads", {1000}, 20e9};   ///< between workers of one process
    LinkSheet withinHost{"shared-memory", {3000}, 8e9}; ///< between processes on one host
    LinkSheet betweenHosts{"network", {30000}, 1.2e9};
    bool operator==(const MachineSheet&) const = default;
};

/// Returns the devices of this machine, with rates from the calibration cache where available.
[[nodiscard]] MachineSheet thisMachine();

/// Returns published data sheets by name: a device declared with `"sheet": "h200"` is planned and
/// priced with them.
[[nodiscard]] std::vector<DeviceSheet> dataSheets();

/// An optional feature: whether this build and machine have it, and how to get it.
struct Feature {
    std::string name; ///< "MPI"
    bool isFound = false;
    std::string detail; ///< "Open MPI 4.1.4", "no driver is loaded"
    std::string remedy; ///< a command or a sentence; empty if the feature is found
    bool operator==(const Feature&) const = default;
};

/// The machine as `weft devices` reports it.
struct MachineReport {
    MachineSheet machine;   ///< devices and links with their rates
    std::int64_t cores = 1; ///< CPU cores of the host
    Bytes memory = {};      ///< size of the host's memory
    std::vector<Feature> features;
    std::map<std::string, Bytes> freeMemory = {}; ///< by name of the devices that were asked
    std::string ratesFile; ///< file of the measured rates; empty: rates are not kept
};
/// Says how far the devices of a backend are tested; empty: the test suite runs on them.
[[nodiscard]] std::string_view proofOf(std::string_view backend); ///< how far it is tested
/// Returns known limits of the kernels on these devices, one line per group of devices: "cuda:0,
/// cuda:1: ...".
[[nodiscard]] std::vector<std::string> remarksOn(const std::vector<DeviceSheet>& devices);
[[nodiscard]] MachineReport surveyMachine();
/// Asks each device with own memory for its free memory. This opens the device, which takes a
/// moment; a device that cannot be opened has no entry.
void askFreeMemory(MachineReport& report);
/// Asks in a process of its own, so that this process allocates no device memory.
void askFreeMemory(MachineReport& report, const std::filesystem::path& program);
/// Prints a line per device, link and feature.
[[nodiscard]] std::string print(const MachineReport& report);
/// Machine-readable form of the report.
[[nodiscard]] std::string jsonOf(const MachineReport& report);

/// Returns why a run cannot open these devices, one sentence per host and reason; empty: it can.
/// Collective over all ranks of this process's world: each rank checks the devices that a run would
/// give it, and rank 0 gets all answers.
[[nodiscard]] std::vector<std::string> missingDevices(const std::vector<std::string>& devices);

/// Requests new measurements of the rates, which later processes reuse.
struct CalibrationRequest {
    std::string backend = {};    ///< measures only its devices; empty: all used by runs
    bool measuresThreads = true; ///< true: also the link between two workers of a process
    /// Called repeatedly from a measuring thread with the fraction that is done. Returning false
    /// stops with Error{stopped} and keeps the previous rates.
    std::function<bool(double done)> progress = {};
};
[[nodiscard]] MachineSheet measureThisMachine(const CalibrationRequest& request = {});
/// Measures the link between ranks 0 and 1; rank 0 stores it. Collective over all ranks of this
/// process's world; Error{peer} if there is only one.
[[nodiscard]] LinkSheet measureLinkBetweenRanks();

} // namespace weft
