// SPDX-License-Identifier: Apache-2.0
#pragma once
// The workers of a run: this process's devices opened, and each with its programs of the whole
// family, prepared on its own thread.

#include "run/family.h"
#include "run/worker_pool.h"

#include <memory>

namespace weft {

struct RunRequest;

/// Error{device} for a backend that this build lacks. The slots hold nothing yet.
[[nodiscard]] std::unique_ptr<WorkerPool> openWorkers(const RunRequest& request,
                                                      const Family& family);

/// Error{design} with the first of them that is an error.
void refuseErrors(const std::vector<Diagnostic>& problems);

} // namespace weft
