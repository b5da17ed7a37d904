// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opens this process's devices for a run and makes each device's programs of the whole program set
// on the device's own thread.

#include "run/host_share.h"
#include "run/program_set.h"
#include "run/worker_pool.h"

#include <memory>
#include <string>
#include <vector>

namespace weft {

struct RunRequest;
struct Registry;

/// Returns the host share of each device.
[[nodiscard]] std::vector<HostShare> sharesOf(const RunRequest& request);

/// Throws Error{device} for a backend that this build lacks. The slots are not initialised.
[[nodiscard]] std::unique_ptr<WorkerPool> openWorkers(const RunRequest& request,
                                                      const ProgramSet& programSet);

/// Returns the device's backend or the named backend. Throws Error{device} if this build lacks it.
[[nodiscard]] const Backend& backendFor(const Registry& registry, const std::string& name,
                                        const std::string& backend = {});

/// Opens a device such as "cpu:0" with that many cores, with the named backend if there is a name.
/// Throws Error{device} that says what is missing.
[[nodiscard]] std::unique_ptr<Device> openDevice(const Registry& registry, const std::string& name,
                                                 int cores, const std::string& backend = {});

} // namespace weft
