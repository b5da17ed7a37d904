// SPDX-License-Identifier: Apache-2.0
#pragma once
// plan -> program of one device: localize, select, price, order, lay out, assemble. The device need
// not be present.

#include "device/backend.h"
#include "schedule/predict/price.h"
#include "schedule/program.h"
#include "schedule/select/cached_kernels.h"
#include "schedule/select/kernel_chooser.h"

#include <memory>
#include <string>

namespace weft {

struct CommunicatorRule;

struct ScheduleRequest {
    std::string order = "dataflow"; ///< "sequential", "depth", "dataflow"
    int streams = 1;                ///< compute streams; 0: as many as are clearly faster
    int cores = 1;                  ///< cores of the device, divided among its compute streams
    std::uint64_t seed = 1;         ///< seed of the run, for the keys of random ops
    Links links = {};
    const CommunicatorRule* communicators = nullptr; ///< nullptr: only through hosts
    const KernelList* fallback = nullptr; ///< the reference kernels, for ops that the backend lacks
    const Program* settled = nullptr;     ///< a program of the same set whose slots are taken over
    const CachedKernels* kept = nullptr;  ///< kernels of the previous attempt, preferred
    Precision precision = Precision::exact; ///< precision in which f32 may be multiplied
    KernelChoiceCache* choices = nullptr;   ///< cache of answers; nullptr: all makers are asked
    bool groups = true;         ///< false: no grouping, so that inner values can be observed
    bool wantsTransfers = true; ///< false: collectives only with what predictions need
};

[[nodiscard]] Program schedule(std::shared_ptr<const Plan> plan, DeviceId id,
                               const Backend& backend, const DeviceSheet& sheet,
                               const ScheduleRequest& request);

/// Prints the streams with waits and buffers.
[[nodiscard]] std::string print(const Program& program);
/// Prints which kernel computes each step, and why faster kernels refused.
[[nodiscard]] std::string printKernels(const Program& program);
/// Prints the arenas, the peak and the values that make it up.
[[nodiscard]] std::string printMemory(const Program& program);
/// Throws Error{bug} naming the first wait for a later step, or buffers that overlap while both are
/// alive.
void verify(const Program& program);

} // namespace weft
