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

struct ScheduleContext {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    Links links = {};
    CommunicatorRule communicators = {};
    KernelChoiceCache* choices = nullptr; ///< cache of kernel choices; nullptr: none
    bool wantsTransfers = true;           ///< false: collectives only with what predictions need
};

/// A variant on one device.
struct VariantOnDevice {
    std::shared_ptr<const Plan> plan;
    DeviceId device;
    const Backend* backend = nullptr;
    const DeviceSheet* sheet = nullptr;
    int cores = 1;      ///< cores that it computes on
    bool groups = true; ///< false: no fused groups, so that inner values can be observed
    const Program* first = nullptr;      ///< first variant, whose slots and streams are taken over
    const CachedKernels* kept = nullptr; ///< kernels of the run's previous attempt
};

[[nodiscard]] Precision precisionOf(const TrainingSettings& training);
/// Reports a device that does not support the precision and may not compute in another.
[[nodiscard]] std::vector<Diagnostic>
checkPrecision(const TrainingSettings& training, const Backend& backend, const DeviceSheet& sheet);
[[nodiscard]] Program programOf(const ScheduleContext& programSet, const VariantOnDevice& member);

/// Returns the cores that a device computes on: its share of the host's cores, or all cores of its
/// data sheet.
[[nodiscard]] int coresOf(const HostShare& share, const DeviceSheet& sheet);

} // namespace weft
