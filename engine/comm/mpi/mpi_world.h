// SPDX-License-Identifier: Apache-2.0
#pragma once
// The world that mpirun, srun or the like created. MPI is called under one lock, so threads of a
// rank take turns. Nothing blocks inside MPI while a peer may be gone: requests are polled with
// pauses, up to a time limit.

#include "comm/world.h"

#include <memory>

namespace weft {

[[nodiscard]] std::unique_ptr<World> joinMpiWorld();

} // namespace weft
