// SPDX-License-Identifier: Apache-2.0
#pragma once
// What this machine has, and data sheets of machines one doesn't have: plain measured or published
// rates from which every prediction is made.

#include <weft/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// How far apart repeated measurements lay: the quartiles of the times, as multiples of the middle
/// one, which is what is kept as a rate.
struct TimeDeviation {
    double low = 1;
    double high = 1;
    [[nodiscard]] bool isKnown() const { return low < high; }
    auto operator<=>(const TimeDeviation&) const = default;
};

/// Between what a predicted time may lie, when the rates it was made from are no surer than that.
struct TimeBand {
    Nanoseconds low = {};
    Nanoseconds high = {};
    /// False: nobody knows how sure the rates are.
    [[nodiscard]] bool isKnown() const { return low < high; }
    [[nodiscard]] bool has(Nanoseconds time) const { return low <= time && time <= high; }
    bool operator==(const TimeBand&) const = default;
};

/// One class of links: time = latency + bytes / rate, per message.
struct LinkSheet {
    std::string name; ///< "threads", "shared-memory", "network", "NVLink 4"
    Nanoseconds latency = {2000};
    double bytesPerSecond = 10e9;
    bool isMeasured = false;
    TimeDeviation latencySpread = {};
    TimeDeviation bytesSpread = {};
    bool operator==(const LinkSheet&) const = default;
};

/// The fastest of several ways in which a library computes something.
struct MeasuredPlan {
    std::string engine; ///< what the library calls that way
    Bytes workspace = {};
    Nanoseconds time = {};
    TimeDeviation spread = {};
    auto operator<=>(const MeasuredPlan&) const = default;
};
using PlansByName = std::map<std::string, MeasuredPlan>; ///< by what they compute

/// As they were measured on a chip. Another has other ways, and so has another version.
struct MeasuredPlans {
    std::string model;   ///< of the chip
    std::string library; ///< its version
    PlansByName best = {};
    bool operator==(const MeasuredPlans&) const = default;
};

/// Rates of one device. What is not known is 0 and priced as the class's default.
struct DeviceSheet {
    std::string name;    ///< "cpu:0"
    std::string backend; ///< "cpu"
    std::string model;   ///< "AMD EPYC 9554", "NVIDIA H200"
    int generation = 0;  ///< of its maker's chips: 90 is 9.0; 0: not known, or none
    /// Version of that which computes on it beside our own kernels: cuDNN's. Empty: there is none,
    /// or the device is not here.
    std::string library = {};
    std::int64_t cores = 1;
    Bytes memory = {};
    double flopsPerSecond = 0; ///< dense f32 of the whole device
    /// Rates of kernels that round f32 to TF32 or bf16; 0 if that is not faster.
    double tf32FlopsPerSecond = 0;
    double bf16FlopsPerSecond = 0;
    double bytesPerSecond = 0;     ///< streaming from memory
    Nanoseconds overhead = {1000}; ///< per kernel
    /// Share of the dense rate an op reaches, by op name, where measured.
    std::map<std::string, double> efficiency = {};
    bool isPresent = true;
    bool isMeasured = false;     ///< here, or in proportion from another number of its cores
    std::int64_t measuredAt = 0; ///< seconds since 1970; 0: not known
    TimeDeviation streamSpread = {};
    TimeDeviation overheadSpread = {};
    /// Deviation of the rates of measured ops, by name.
    std::map<std::string, TimeDeviation> opSpread = {};
    /// To its host's memory, where it has one of its own; none: it computes in the host's.
    std::optional<LinkSheet> bus = {};
    /// To another of its kind in one host, one way; none: what they exchange goes by the host.
    std::optional<LinkSheet> peer = {};
    /// That it holds at once, each at work on an element of an op: the ops of its streams share
    /// them by how much of them each can fill. 0: it has cores, and every stream some of its own.
    std::int64_t threads = 0;
    /// Measured plans, used if they match the GPU model and the library version.
    MeasuredPlans plans = {};
    /// To what a share of it does, or several like it do.
    void scaleRates(double share) {
        flopsPerSecond *= share;
        tf32FlopsPerSecond *= share;
        bf16FlopsPerSecond *= share;
        bytesPerSecond *= share;
        for (auto& [name, plan] : plans.best) {
            plan.time = {static_cast<std::int64_t>(static_cast<double>(plan.time.count) / share)};
        }
    }
    /// In place of what was known; rates of what is rounded stay in proportion.
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
    std::string host;
    std::vector<DeviceSheet> devices;
    LinkSheet withinProcess{"threads", {1000}, 20e9};
    LinkSheet withinHost{"shared-memory", {3000}, 8e9};
    LinkSheet betweenHosts{"network", {30000}, 1.2e9};
    bool operator==(const MachineSheet&) const = default;
};

/// Devices of this machine, with the rates of the calibration cache where there is one.
[[nodiscard]] MachineSheet thisMachine();

/// Published rates of devices one may not have, by name: a design that declares a device with
/// `"sheet": "h200"` is planned and priced with them.
[[nodiscard]] std::vector<DeviceSheet> dataSheets();

/// Something optional: whether this build and machine have it, and what would bring it.
struct Feature {
    std::string name; ///< "MPI"
    bool isFound = false;
    std::string detail; ///< "Open MPI 4.1.4", "no driver is loaded"
    std::string remedy; ///< a command, or a sentence; empty where it is found
    bool operator==(const Feature&) const = default;
};

/// What this machine has, as `weft devices` tells it.
struct MachineReport {
    MachineSheet machine;
    std::int64_t cores = 1;
    Bytes memory = {};
    std::vector<Feature> features;
    std::map<std::string, Bytes> freeMemory = {}; ///< by device, of those that were asked
    std::string ratesFile;                        ///< where measured rates are kept; empty: nowhere
};
/// How far the devices of a backend are proved; empty: the test suite runs on them.
[[nodiscard]] std::string_view proofOf(std::string_view backend);
/// What does not hold of its kernels on some of these devices, a line for all that have it in
/// common: "cuda:0, cuda:1: ...".
[[nodiscard]] std::vector<std::string> remarksOn(const std::vector<DeviceSheet>& devices);
[[nodiscard]] MachineReport surveyMachine();
/// Asks those that have memory of their own what of it nobody has taken: each is opened for that,
/// which takes a moment. One that cannot be has no answer.
void askFreeMemory(MachineReport& report);
/// The same by a process of its own, so that this one keeps nothing of their memory for itself.
void askFreeMemory(MachineReport& report, const std::filesystem::path& program);
/// A line per device, link and feature.
[[nodiscard]] std::string print(const MachineReport& report);
/// For a program to read.
[[nodiscard]] std::string jsonOf(const MachineReport& report);

/// Why a run on these devices cannot open them, a sentence per host and reason; empty: it can.
/// Called by all ranks of the world that this process was started into: each looks at those that a
/// run would give it, and rank 0 hears of all.
[[nodiscard]] std::vector<std::string> missingDevices(const std::vector<std::string>& devices);

/// Rates measured now and kept for later processes.
struct CalibrationRequest {
    std::string backend = {};    ///< whose devices, some seconds each; empty: all that runs are for
    bool measuresThreads = true; ///< the link between two workers of this process
    /// Told the share that is done, again and again, by a thread that measures. False: it stops,
    /// with Error{stopped}, and what was known before is kept.
    std::function<bool(double done)> progress = {};
};
[[nodiscard]] MachineSheet measureThisMachine(const CalibrationRequest& request = {});
/// The link between ranks 0 and 1 of the world this process was started into, kept by rank 0.
/// Called by all of its ranks; Error{peer} where there are no others.
[[nodiscard]] LinkSheet measureLinkBetweenRanks();

} // namespace weft
