// SPDX-License-Identifier: Apache-2.0
#pragma once
// The NCCL communicator: members are GPUs, and their collectives are enqueued on their streams. For
// each set of members a worker joins once, when the first collective of that set is prepared; the
// hosts exchange the NCCL id. Sums are in NCCL's order, so bits may differ from other
// communicators.

#include "device/communicator_list.h"

#include <memory>

namespace weft::nccl {

/// Returns the communicator of this build, on whatever implements the seam.
[[nodiscard]] DeviceCommunicator communicator(); ///< its declaration for CommunicatorList

/// Opens it for one worker.
[[nodiscard]] std::unique_ptr<Communicator> openCommunicator(const CommunicatorSetup& setup);

} // namespace weft::nccl
