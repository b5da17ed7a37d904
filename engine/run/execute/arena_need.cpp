// SPDX-License-Identifier: Apache-2.0
#include "run/execute/arena_need.h"

#include "comm/staged/staged_communicator.h"
#include "schedule/feeds_ahead.h"

#include <algorithm>

namespace weft {

StreamStaging stagingOf(const Program& program) {
    std::vector<Bytes> most(program.streams.size());
    for (const Step& step : program.steps) {
        if (step.kind != StepKind::collective) {
            most[step.stream] =
                std::max(most[step.stream], program.choices[step.kernelOrCollective]->staging);
        }
    }
    constexpr std::int64_t page = 4096; // separate pages, since streams write concurrently
    StreamStaging layout;
    for (const Bytes size : most) {
        layout.streams.push_back(layout.size.count);
        layout.size.count += (size.count + page - 1) / page * page;
    }
    return layout;
}

void ArenaNeed::growFor(const Program& program) {
    slots = std::max(slots, program.slotSize);
    work = std::max(work, program.workSize);
    ahead = std::max(ahead, prefetchBytes(program));
    staging = std::max(staging, stagingOf(program).size);
    for (const CollectiveRequest& request : program.collectives) {
        collectiveStaging = std::max(collectiveStaging, stagedBytes(request, program.device));
    }
}

ArenaNeed arenaNeed(std::span<const Program> programs) {
    ArenaNeed need{.slots = {1}, .work = {1}}; // so that each arena has an address
    for (const Program& program : programs) {
        need.growFor(program);
    }
    return need;
}

} // namespace weft
