// SPDX-License-Identifier: Apache-2.0
#pragma once
// The workers of a run: this process's devices opened, and each with its programs of the whole
// programSet, made on its own thread.

#include "run/host_share.h"
#include "run/program_set.h"
#include "run/worker_pool.h"

#include <memory>
#include <string>
#include <vector>

namespace weft {

struct RunRequest;
struct Registry;

/// By device, of its host.
[[nodiscard]] std::vector<HostShare> sharesOf(const RunRequest& request);

/// Error{device} for a backend that this build lacks. The slots hold nothing yet.
[[nodiscard]] std::unique_ptr<WorkerPool> openWorkers(const RunRequest& request,
                                                      const ProgramSet& programSet);

/// Backend of the device, or the named one. Error{device} if this build lacks it.
[[nodiscard]] const Backend& backendFor(const Registry& registry, const std::string& name,
                                        const std::string& backend = {});

/// "cpu:0" with that many cores; of another backend where one is named. Error{device} says what is
/// missing.
[[nodiscard]] std::unique_ptr<Device> openDevice(const Registry& registry, const std::string& name,
                                                 int cores, const std::string& backend = {});

} // namespace weft
