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
    Nanoseconds communicate = {}; ///< in its collectives, after all devices arrived
    TimeBand computeBand = {};    ///< range of the computing time
    Bytes made = {};              ///< bytes of its forward outputs, on the device with most
    [[nodiscard]] Nanoseconds compute() const { return forward + backward + update; }
    bool operator==(const LayerStep&) const = default;
};

struct CollectiveStep {
    Nanoseconds time = {};   ///< predicted, over all iterations
    Nanoseconds hidden = {}; ///< part of `time` during which the same device computed
    TimeBand band = {};      ///< range of the predicted time
    bool operator==(const CollectiveStep&) const = default;
};

struct PeakPart {
    std::string layer; ///< name; empty: of no layer
    Bytes bytes = {};
    bool operator==(const PeakPart&) const = default;
};

/// Work and memory of a device in a training step.
struct DeviceStep {
    StepTotals totals;                            ///< times of the device in the step
    bool hasKernels = true;                       ///< false: no kernels in this build, so no fusion
    Bytes kept = {};                              ///< bytes that outlive a step: parameters, states
    Bytes work = {};                              ///< bytes of everything else, at its peak
    std::string peakAt = {};                      ///< step at which most bytes are alive
    std::vector<PeakPart> peak = {};              ///< alive bytes at the peak, largest first
    std::string largestLayer = {};                ///< layer that allocates most memory
    std::shared_ptr<const MemoryMap> memory = {}; ///< never null; may be shared by equal devices
    [[nodiscard]] Bytes holds() const { return kept + work; }
    bool operator==(const DeviceStep&) const = default;
};

/// Memory of a device in a run, which prepares all its programs before the first step.
struct DeviceRun {
    Bytes takes = {};         ///< bytes: slots and the largest work arena
    std::string largest = {}; ///< program with that arena: "train", "train observed"
    Bytes observed = {};      ///< part of `takes` that only the observed step needs
    Bytes together = {};      ///< total of all devices that share `available`
    bool operator==(const DeviceRun&) const = default;
};

struct StepPreview {
    Nanoseconds time = {};                         ///< predicted time of a step
    TimeBand band = {};                            ///< range of the predicted time
    std::shared_ptr<const Timeline> timeline = {}; ///< never null; equal devices share one row
    std::vector<DeviceId> representedBy = {}; ///< by DeviceId: device whose row is shown for it
    std::string shown = {};  ///< program that the timeline shows: "train", "train accumulate"
    std::int64_t period = 1; ///< number of steps that times are averaged over
};

struct RunPreview {
    std::vector<std::string> members = {}; ///< variants: "train", "train/17", "evaluate"
    bool isDataKnown = true;               ///< false: a short last batch may be missing
};

} // namespace weft
