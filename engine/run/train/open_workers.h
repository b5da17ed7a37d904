// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opens this process's devices for a run and makes each device's programs of the whole program set
// on the device's own thread.

#include "compile/host_share.h"
#include "compile/program_set.h"
#include "run/execute/worker_pool.h"

#include <memory>
#include <string>
#include <vector>

namespace weft {

struct RunRequest;
struct Registry;

/// Returns the host share of each device.
[[nodiscard]] std::vector<HostShare> hostSharesOf(const RunRequest& request);

/// Throws Error{device} for a backend that this build lacks. The slots are not initialised.
[[nodiscard]] std::unique_ptr<WorkerPool> openWorkers(const RunRequest& request,
                                                      const ProgramSet& programSet);

/// Opens a device such as "cpu:0" with that many cores, with the named backend if there is a name.
/// Throws Error{device} that says what is missing.
[[nodiscard]] std::unique_ptr<Device> openDevice(const Registry& registry, const std::string& name,
                                                 int cores, const std::string& backend = {});

/// Returns the local name per device of the run. All ranks call it.
[[nodiscard]] std::vector<std::string> localNames(const RunRequest& request);

} // namespace weft
