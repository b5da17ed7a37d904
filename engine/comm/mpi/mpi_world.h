// SPDX-License-Identifier: Apache-2.0
#pragma once
// The world that mpirun, srun or the like made. MPI is asked under one lock, so threads of a rank
// take turns; nobody waits inside MPI while a peer may be gone: every request is tested and slept
// on, with a limit.

#include "comm/world.h"

#include <memory>

namespace weft {

[[nodiscard]] std::unique_ptr<World> joinMpiWorld();

} // namespace weft
