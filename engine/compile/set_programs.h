// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes the programs of a run from its plans. Predictions and runs use this same code.

#include "compile/host_share.h"
#include "schedule/schedule.h"
#include "schedule/select/choose_communicator.h"
#include <weft/design.h>

#include <memory>

namespace weft {

struct Registry;

struct ProgramSetSchedule {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    Links links = {};
    CommunicatorRule communicators = {};
    ChoiceMemory* choices = nullptr;
    bool wantsMoves = true;
};

/// A variant on one device.
struct VariantOnDevice {
    std::shared_ptr<const Plan> plan;
    DeviceId device;
    const Backend* backend = nullptr;
    const DeviceSheet* sheet = nullptr;
    int cores = 1;
    bool groups = true;
    const Program* first =
        nullptr; ///< program of the same set on this device whose slots and streams are taken over
    const CachedKernels* kept = nullptr; ///< kernels of the run's previous attempt
};

[[nodiscard]] Precision precisionOf(const TrainingSettings& training);
/// Reports a device that does not support the precision and may not compute in another.
[[nodiscard]] std::vector<Diagnostic>
checkPrecision(const TrainingSettings& training, const Backend& backend, const DeviceSheet& sheet);
[[nodiscard]] Program programOf(const ProgramSetSchedule& programSet,
                                const VariantOnDevice& member);

/// Returns the cores that a device computes on: its share of the host's cores, or all cores of its
/// data sheet.
[[nodiscard]] int coresOf(const HostShare& share, const DeviceSheet& sheet);

} // namespace weft
