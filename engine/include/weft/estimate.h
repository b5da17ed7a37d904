// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a training step will take: the very programs that would run, made for the design's devices
// and folded on a clock of their own. Dearer than a preview, since kernels are prepared; a device
// that is not there is priced from its data sheet.

#include <weft/design.h>
#include <weft/devices.h>
#include <weft/memory_map.h>
#include <weft/timeline.h>
#include <weft/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

struct EstimateRequest {
    std::vector<std::string> devices = {}; ///< of the run; empty: those the design declares
    int ranks = 1;                         ///< processes over which they are spread
    int hosts = 1;                         ///< machines over which the ranks are
    MachineSheet machine = {};             ///< without devices: this one
};

/// The time of the device that spends most on it.
struct LayerEstimate {
    Origin origin;
    std::string name;
    Nanoseconds forward = {};
    Nanoseconds backward = {};
    Nanoseconds update = {};
    Nanoseconds communicate = {}; ///< in the collectives it asks for, once all were there
    TimeBand computeBand = {};
    [[nodiscard]] Nanoseconds compute() const { return forward + backward + update; }
};

struct WireEstimate {
    std::string name; ///< "conv5.y -> fc6.x", "gradients 3"
    std::string kind; ///< "all-gather"
    Bytes sent = {};  ///< of the device that sends most
    Nanoseconds time = {};
    Nanoseconds hidden = {}; ///< of that, while the same device computed
};

struct PeakPart {
    std::string layer;
    Bytes bytes = {};
};

struct DeviceEstimate {
    std::string name;
    std::string model;
    bool isPresent = true;
    bool hasKernels = true; ///< false: none of this build are for it, so that nothing is grouped
    StepTotals totals;
    Bytes kept = {};            ///< parameters, optimizer state, statistics
    Bytes work = {};            ///< of everything else, at its peak
    Bytes available = {};       ///< for it and all that share it: those of its host; 0: not known
    Bytes together = {};        ///< what all of these take
    std::string peakAt = {};    ///< the step at which most is alive
    std::vector<PeakPart> peak; ///< what is alive then, by layer, largest first
    MemoryMap memory = {};      ///< all that it holds over the step
};

struct Estimate {
    Nanoseconds step = {};
    TimeBand stepBand = {};
    std::vector<LayerEstimate> layers; ///< in the order of the network
    std::vector<WireEstimate> wires;   ///< in the order of the plan
    std::vector<DeviceEstimate> devices;
    Timeline timeline;
};

/// Error{design} where errors keep the design from being planned.
[[nodiscard]] Estimate estimate(const Design& design, const EstimateRequest& request = {});
[[nodiscard]] std::string print(const Estimate& estimate);
/// For a program to read; without the spans.
[[nodiscard]] std::string jsonOf(const Estimate& estimate);

/// One layer of a run: what was predicted beside what its profile measured, per step.
struct LayerComparison {
    Origin origin;
    std::string name;
    Nanoseconds predicted = {};
    Nanoseconds measured = {};
    TimeBand band = {}; ///< of the predicted one
    Nanoseconds predictedCommunication = {};
    Nanoseconds measuredCommunication = {};
    Nanoseconds measuredWaiting = {}; ///< for the other devices of its collectives to come
};

struct Comparison {
    std::string run;
    Nanoseconds predicted = {}; ///< a step
    Nanoseconds measured = {};  ///< a step, in the middle of the run's
    Nanoseconds waiting = {};   ///< for others in a step, of the device that waits most
    TimeBand band = {};         ///< of the predicted one
    std::vector<LayerComparison> layers;
};

/// Of a run directory, on the devices and ranks of its last attempt. Error{file} where it holds no
/// run, Error{format} where nothing of it was measured.
[[nodiscard]] Comparison compareRun(const std::filesystem::path& folder);
[[nodiscard]] std::string print(const Comparison& comparison);
[[nodiscard]] std::string jsonOf(const Comparison& comparison);

} // namespace weft
