// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a run's programs are made of its plans: one rule for what is predicted and for what runs.

#include "run/host_share.h"
#include "schedule/choose_communicator.h"
#include "schedule/schedule.h"
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

/// A member on a device.
struct VariantOnDevice {
    std::shared_ptr<const Plan> plan;
    DeviceId device;
    const Backend* backend = nullptr;
    const DeviceSheet* sheet = nullptr;
    int cores = 1;
    bool groups = true;
    const Program* first =
        nullptr; ///< of the programSet on this device: slots and streams are its own
    const CachedKernels* kept = nullptr; ///< of an earlier attempt
};

[[nodiscard]] Precision precisionOf(const TrainingSettings& training);
/// Problems of a device that does not support the precision and may not compute in another.
[[nodiscard]] std::vector<Diagnostic>
checkPrecision(const TrainingSettings& training, const Backend& backend, const DeviceSheet& sheet);
[[nodiscard]] Program programOf(const ProgramSetSchedule& programSet,
                                const VariantOnDevice& member);

/// That a device computes on: its part of its host's, or all that its data sheet says.
[[nodiscard]] int coresOf(const HostShare& share, const DeviceSheet& sheet);

} // namespace weft
