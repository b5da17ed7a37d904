// SPDX-License-Identifier: Apache-2.0
#pragma once
// What of a program a device can keep once it has been said, and run again as one: segments.
// Between them stands what the host takes part in.

#include "schedule/program.h"

#include <cstdint>
#include <vector>

namespace weft {

struct Segment {
    std::vector<std::uint32_t> steps; ///< of the program, in an order in which they can be enqueued
    bool needsHost = false;           ///< then it is one step
    std::uint32_t lane = 0;           ///< in whose queue it stands: that of its first step
    std::vector<StepWait> waits = {}; ///< counted in the segments of a lane
};

/// Whether a step cannot be run without the host: it meets other devices there, or a kernel of the
/// host computes it.
[[nodiscard]] bool needsHost(const Program& program, const Step& step);

/// All of it, in an order in which it can be enqueued. A segment ends where the host's part can
/// begin, and where something waits for that part.
[[nodiscard]] std::vector<Segment> segmentsOf(const Program& program);

} // namespace weft
