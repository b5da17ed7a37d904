// SPDX-License-Identifier: Apache-2.0
#pragma once
// The later parts of a preview: the scheduled and simulated training step, and the memory of a run.
// If steps differ (forward only, accumulating, applying), all times and bytes sent are means over a
// period. The timeline and memory are those of the slowest kind of step.

#include <weft/devices.h>
#include <weft/memory_map.h>
#include <weft/timeline.h>
#include <weft/types.h>

#include <memory>
#include <string>
#include <vector>

namespace weft {

/// Predicted times of a layer in a step, on the device that spends most on it.
struct LayerStep {
    Nanoseconds forward = {};
    Nanoseconds backward = {};
    Nanoseconds update = {};
    Nanoseconds communicate = {}; ///< in the layer's collectives, after all arrived
    TimeBand computeBand = {};
    Bytes made = {}; ///< outputs of its forward ops, on the device with most
    [[nodiscard]] Nanoseconds compute() const { return forward + backward + update; }
    bool operator==(const LayerStep&) const = default;
};

struct CollectiveStep {
    Nanoseconds time = {};
    Nanoseconds hidden = {}; ///< part of `time` during which the same device computed
    TimeBand band = {};
    bool operator==(const CollectiveStep&) const = default;
};

struct PeakPart {
    std::string layer;
    Bytes bytes = {};
    bool operator==(const PeakPart&) const = default;
};

/// Work and memory of a device in a training step.
struct DeviceStep {
    StepTotals totals;
    bool hasKernels = true;                       ///< false: no kernels in this build, so no fusion
    Bytes kept = {};                              ///< parameters, optimizer state, statistics
    Bytes work = {};                              ///< everything else, at its peak
    std::string peakAt = {};                      ///< step at which most bytes are alive
    std::vector<PeakPart> peak = {};              ///< alive bytes at the peak, largest first
    std::string largestLayer = {};                ///< layer that allocates most memory
    std::shared_ptr<const MemoryMap> memory = {}; ///< never null; may be shared by equal devices
    [[nodiscard]] Bytes holds() const { return kept + work; }
    bool operator==(const DeviceStep&) const = default;
};

/// Memory of a device in a run, which prepares all its programs before the first step.
struct DeviceRun {
    Bytes takes = {};         ///< persistent slots and the largest arena of all programs
    std::string largest = {}; ///< program with that arena: "train", "train observed"
    Bytes observed = {};      ///< part of `takes` that only the observed step needs
    Bytes together = {};      ///< total of all devices that share `available`
    bool operator==(const DeviceRun&) const = default;
};

struct StepPreview {
    Nanoseconds time = {};
    TimeBand band = {};
    /// Never null. Devices with equal programs share the row of the first of them.
    std::shared_ptr<const Timeline> timeline = {};
    std::vector<DeviceId> representedBy = {}; ///< by DeviceId: device whose row is shown for it
    std::string shown = {};  ///< program that the timeline shows: "train", "train accumulate"
    std::int64_t period = 1; ///< number of steps that times are averaged over
};

struct RunPreview {
    /// Names of its variants: "train", "train/17", "train accumulate", "evaluate".
    std::vector<std::string> members = {};
    /// False: the data could not be counted, so a short last batch is not among the members.
    bool isDataKnown = true;
};

} // namespace weft
