// SPDX-License-Identifier: Apache-2.0
#include "schedule/simulate.h"

#include "graph/op.h"
#include <weft/error.h>

#include <algorithm>
#include <map>

namespace weft {

namespace {

SpanKind kindOf(const Step& step) {
    switch (step.kind) {
    case StepKind::collective: return SpanKind::communicate;
    case StepKind::copy: return SpanKind::copy;
    case StepKind::compute: break;
    }
    return SpanKind::compute;
}

std::int64_t priceOf(const Step& step, Priced priced) {
    switch (priced) {
    case Priced::low: return step.band.low.count;
    case Priced::high: return step.band.high.count;
    case Priced::predicted: break;
    }
    return step.predicted.count;
}

/// Who has come to a collective, and what it will take.
struct Meeting {
    std::size_t arrived = 0;
    std::int64_t last = 0;
    std::int64_t longest = 0;
};

struct LaneState {
    std::vector<std::size_t> steps; ///< indices into the program's steps, in order
    std::size_t done = 0;
    std::int64_t time = 0;
    bool communicates = false;
};

struct ProgramState {
    const Program* program = nullptr;
    std::vector<LaneState> lanes;
    std::vector<std::int64_t> begins;
    std::vector<std::int64_t> ends;
};

class Simulation {
public:
    Simulation(std::span<const Program* const> programs, Priced priced) : priced_(priced) {
        for (const Program* program : programs) {
            ProgramState state{.program = program, .lanes = {}, .begins = {}, .ends = {}};
            state.lanes.resize(program->lanes.size());
            state.begins.resize(program->steps.size());
            state.ends.resize(program->steps.size());
            for (std::size_t k = 0; k < program->steps.size(); ++k) {
                state.lanes[program->steps[k].lane].steps.push_back(k);
            }
            programs_.push_back(std::move(state));
        }
    }

    Timeline run() {
        for (bool moved = true; moved;) {
            moved = false;
            for (ProgramState& state : programs_) {
                for (LaneState& lane : state.lanes) {
                    while (advance(state, lane)) {
                        moved = true;
                    }
                }
            }
        }
        for (const ProgramState& state : programs_) {
            for (const LaneState& lane : state.lanes) {
                ensure(lane.done == lane.steps.size(), "programs wait for each other for ever");
            }
        }
        return timeline();
    }

private:
    bool advance(ProgramState& state, LaneState& lane) {
        if (lane.done == lane.steps.size()) {
            return false;
        }
        const std::size_t index = lane.steps[lane.done];
        const Step& step = state.program->steps[index];
        if (!lane.communicates) {
            for (const StepWait& wait : step.waits) {
                const LaneState& other = state.lanes[wait.lane];
                if (other.done < wait.count) {
                    return false;
                }
                lane.time = std::max(lane.time, state.ends[other.steps[wait.count - 1]]);
            }
            state.begins[index] = lane.time;
        }
        if (step.kind != StepKind::collective) {
            lane.time += priceOf(step, priced_);
        } else if (!hasMet(step, lane)) {
            return false;
        }
        state.ends[index] = lane.time;
        ++lane.done;
        return true;
    }

    /// The lane arrives once; when all have, its time is the end.
    bool hasMet(const Step& step, LaneState& lane) {
        ensure(!step.members.empty(), "a collective has members");
        Meeting& meeting = meetings_[{step.node, step.members.front()}];
        if (!lane.communicates) {
            lane.communicates = true;
            ++meeting.arrived;
            meeting.last = std::max(meeting.last, lane.time);
            meeting.longest = std::max(meeting.longest, priceOf(step, priced_));
        }
        if (meeting.arrived < step.members.size()) {
            return false;
        }
        lane.communicates = false;
        lane.time = meeting.last + meeting.longest;
        return true;
    }

    [[nodiscard]] Timeline timeline() const {
        Timeline made;
        for (const ProgramState& state : programs_) {
            const Program& program = *state.program;
            const auto first = static_cast<std::uint32_t>(made.sites.size());
            std::ranges::move(sitesOf(program), std::back_inserter(made.sites));
            made.devices[program.device] = program.plan->devices[program.device.value];
            for (std::uint32_t k = 0; k < program.steps.size(); ++k) {
                made.spans.push_back({.device = program.device,
                                      .lane = program.steps[k].lane,
                                      .site = first + k,
                                      .begin = {state.begins[k]},
                                      .duration = {state.ends[k] - state.begins[k]}});
            }
        }
        sortSpans(made);
        return made;
    }

    Priced priced_;
    std::vector<ProgramState> programs_;
    std::map<std::pair<PlanNodeId, DeviceId>, Meeting> meetings_;
};

} // namespace

std::vector<SpanSite> sitesOf(const Program& program) {
    std::vector<SpanSite> sites;
    const Graph& graph = *program.plan->graph;
    sites.reserve(program.steps.size());
    for (const Step& step : program.steps) {
        SpanSite site{.origin = step.origin,
                      .kind = kindOf(step),
                      .layer = graph.layerName(step.origin),
                      .op = step.name,
                      .flops = step.flops,
                      .bytes = step.traffic};
        if (!step.node.isNone()) {
            const PlanNode& node = program.plan->at(step.node);
            if (!node.node.isNone()) {
                site.op = graph.at(node.node).op->name;
                site.pass = graph.at(node.node).pass;
            }
        }
        sites.push_back(std::move(site));
    }
    return sites;
}

Timeline simulate(std::span<const Program* const> programs, Priced priced) {
    return Simulation(programs, priced).run();
}

} // namespace weft
