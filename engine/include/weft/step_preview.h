// SPDX-License-Identifier: Apache-2.0
#pragma once
// The later parts of a preview: what a training step takes, scheduled and simulated, and what a run
// takes of memory. Where steps differ (some only go forward, some add to a sum, some apply it), all
// times and bytes sent are means over a period; what is shown of one step, its timeline and its
// memory, is of the kind that takes longest.

#include <weft/devices.h>
#include <weft/memory_map.h>
#include <weft/timeline.h>
#include <weft/types.h>

#include <memory>
#include <string>
#include <vector>

namespace weft {

/// What a layer takes of the step: times of the device that spends most on it.
struct LayerStep {
    Nanoseconds forward = {};
    Nanoseconds backward = {};
    Nanoseconds update = {};
    Nanoseconds communicate = {}; ///< in the collectives it asks for, once all were there
    TimeBand computeBand = {};
    Bytes made = {}; ///< by its forward ops, on the device that makes most
    [[nodiscard]] Nanoseconds compute() const { return forward + backward + update; }
    bool operator==(const LayerStep&) const = default;
};

struct CollectiveStep {
    Nanoseconds time = {};
    Nanoseconds hidden = {}; ///< of that, while the same device computed
    TimeBand band = {};
    bool operator==(const CollectiveStep&) const = default;
};

struct PeakPart {
    std::string layer;
    Bytes bytes = {};
    bool operator==(const PeakPart&) const = default;
};

/// What a device does and holds in a training step.
struct DeviceStep {
    StepTotals totals;
    bool hasKernels = true;  ///< false: none of this build are for it, so that nothing is grouped
    Bytes kept = {};         ///< parameters, optimizer state, statistics
    Bytes work = {};         ///< of everything else, at its peak
    std::string peakAt = {}; ///< the step at which most is alive
    std::vector<PeakPart> peak = {};              ///< what is alive then, by layer, largest first
    std::string largestLayer = {};                ///< which makes most of the memory
    std::shared_ptr<const MemoryMap> memory = {}; ///< never null; devices that do alike share one
    [[nodiscard]] Bytes holds() const { return kept + work; }
    bool operator==(const DeviceStep&) const = default;
};

/// What a device gives to a run: its family is prepared before the first step.
struct DeviceRun {
    Bytes takes = {};         ///< what is kept, and the largest arena of the family
    std::string largest = {}; ///< whose arena that is: "train", "train observed"
    Bytes observed = {};      ///< of it, for the observed step alone
    Bytes together = {};      ///< what all take that share `available`
    bool operator==(const DeviceRun&) const = default;
};

struct StepPreview {
    Nanoseconds time = {};
    TimeBand band = {};
    /// Never null. Devices that do alike have one row: that of the first of them.
    std::shared_ptr<const Timeline> timeline = {};
    std::vector<DeviceId> shownBy = {}; ///< by DeviceId: whose row is its own
    std::string shown = {};             ///< whose timeline it is: "train", "train accumulate"
    std::int64_t period = 1;            ///< steps of which times are means
};

struct RunPreview {
    /// Names of its variants: "train", "train/17", "train accumulate", "evaluate".
    std::vector<std::string> members = {};
    /// False: the data is not there to be counted; a short last batch is not among the members.
    bool isDataKnown = true;
};

} // namespace weft
