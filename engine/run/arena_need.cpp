// SPDX-License-Identifier: Apache-2.0
#include "run/arena_need.h"

#include "schedule/feeds_ahead.h"

#include <algorithm>

namespace weft {

void ArenaNeed::hold(const Program& program) {
    slots = std::max(slots, program.slotSize);
    work = std::max(work, program.workSize);
    ahead = std::max(ahead, bytesAhead(program));
}

ArenaNeed arenaNeed(std::span<const Program> programs) {
    ArenaNeed need{.slots = {1}, .work = {1}}; // an address each
    for (const Program& program : programs) {
        need.hold(program);
    }
    return need;
}

} // namespace weft
