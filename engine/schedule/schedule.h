// SPDX-License-Identifier: Apache-2.0
#pragma once
// plan -> program of one device: localize, select, price, order, lay out, assemble. The device need
// not be there.

#include "device/backend.h"
#include "schedule/cached_kernels.h"
#include "schedule/kernel_chooser.h"
#include "schedule/price.h"
#include "schedule/program.h"

#include <memory>
#include <string>

namespace weft {

struct CommunicatorRule;

struct ScheduleRequest {
    std::string order = "dataflow"; ///< "sequential", "depth", "dataflow"
    int streams = 1;                ///< of compute; 0: as many as clearly gain
    int cores = 1;                  ///< of the device, shared out among its compute streams
    std::uint64_t seed = 1;         ///< of the run: keys of random ops
    Links links = {};
    const CommunicatorRule* communicators = nullptr; ///< none: all meet with the hosts
    const KernelList* fallback = nullptr;            ///< the reference kernels
    const Program* settled = nullptr;       ///< a member of the family whose slots are given
    const CachedKernels* kept = nullptr;    ///< an earlier attempt's choices, had again
    Precision precision = Precision::exact; ///< in which f32 may be multiplied
    ChoiceMemory* choices = nullptr;        ///< answers that are had again; none: all are asked for
    bool groups = true; ///< false: what is made inside a group could not be looked at
    /// False: collectives are those that would run but for what is moved between whom.
    bool wantsMoves = true;
};

[[nodiscard]] Program schedule(std::shared_ptr<const Plan> plan, DeviceId id,
                               const Backend& backend, const DeviceSheet& sheet,
                               const ScheduleRequest& request);

/// Stream by stream, with waits and buffers.
[[nodiscard]] std::string print(const Program& program);
/// Which kernel computes what, and why faster ones refused.
[[nodiscard]] std::string printKernels(const Program& program);
/// Arenas, the peak and the values that make it.
[[nodiscard]] std::string printMemory(const Program& program);
/// Throws Error{bug} naming the first wait that looks forward, or buffers that overlap while both
/// live.
void verify(const Program& program);

} // namespace weft
