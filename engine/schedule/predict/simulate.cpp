// SPDX-License-Identifier: Apache-2.0
#include "schedule/predict/simulate.h"

#include "graph/op.h"
#include <weft/error.h>

#include <algorithm>
#include <map>
#include <memory>

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

std::int64_t priceOf(const Step& step, PriceBound priced) {
    switch (priced) {
    case PriceBound::low: return step.band.low.count;
    case PriceBound::high: return step.band.high.count;
    case PriceBound::predicted: break;
    }
    return step.predicted.count;
}

/// The arrivals at a collective, and its predicted time.
struct Meeting {
    std::size_t arrived = 0;
    std::int64_t last = 0;
    std::int64_t longest = 0;
};

struct StreamState {
    std::vector<std::size_t> steps; ///< indices into the program's steps, in order
    std::size_t done = 0;
    std::int64_t time = 0;
    bool communicates = false;
};

/// The members that a step communicates with. One arrival stands for all devices that are alike.
struct Meets {
    DeviceId first;
    std::size_t count = 0;
};

Meets meetsOf(const Step& step, const AlikeDevices& alike) {
    std::vector<DeviceId> shown;
    shown.reserve(step.members.size());
    for (const DeviceId member : step.members) {
        shown.push_back(alike[member]);
    }
    std::ranges::sort(shown);
    const auto rest = std::ranges::unique(shown);
    shown.erase(rest.begin(), rest.end());
    ensure(step.kind != StepKind::collective || !shown.empty(), "a collective has members");
    return {shown.empty() ? DeviceId{} : shown.front(), shown.size()};
}

struct ProgramState {
    const Program* program = nullptr;
    std::vector<StreamState> streams;
    std::vector<Meets> meets; ///< per step
    /// Shared by all streams; nullptr: each step takes its own time.
    std::unique_ptr<ChipStreams> chip;
    std::map<std::size_t, CollectiveTime>
        met; ///< for a chip: by step, once all members have arrived
};

std::vector<ChipStep> chipSteps(const Program& program, PriceBound priced) {
    std::vector<ChipStep> steps;
    for (const Step& step : program.steps) {
        const std::int64_t launch = step.chip.launch.count;
        steps.push_back({.stream = step.stream,
                         .waits = step.waits,
                         .launch = launch,
                         .work = std::max<std::int64_t>(0, priceOf(step, priced) - launch),
                         .fills = step.chip.fills,
                         .meets = step.kind == StepKind::collective});
    }
    return steps;
}

/// Adds the copy of the next batch, which starts with the step.
void addFeeding(Timeline& timeline, const Program& program, PriceBound priced) {
    const BatchCopyPrice& feeding = program.feeding;
    const Nanoseconds taken = priced == PriceBound::low    ? feeding.band.low
                              : priced == PriceBound::high ? feeding.band.high
                                                           : feeding.time;
    timeline.spans.push_back({.device = program.device,
                              .stream = feedStream(program),
                              .site = static_cast<std::uint32_t>(timeline.sites.size()),
                              .duration = taken});
    timeline.sites.push_back(feedSite(program));
}

class Simulation {
public:
    Simulation(std::span<const Program* const> programs, const AlikeDevices& alike,
               PriceBound priced)
        : priced_(priced) {
        for (const Program* program : programs) {
            ProgramState state{
                .program = program, .streams = {}, .meets = {}, .chip = {}, .met = {}};
            state.streams.resize(program->streams.size());
            times_.emplace_back(program->steps.size());
            for (std::size_t k = 0; k < program->steps.size(); ++k) {
                state.streams[program->steps[k].stream].steps.push_back(k);
                state.meets.push_back(meetsOf(program->steps[k], alike));
            }
            programs_.push_back(std::move(state));
        }
        for (ProgramState& state : programs_) {
            if (state.program->isOnChip) {
                state.chip = std::make_unique<ChipStreams>(
                    chipSteps(*state.program, priced_), state.streams.size(),
                    [&](std::size_t step, std::int64_t come) { return meet(state, step, come); });
            }
        }
    }

    std::vector<std::vector<StepTime>> run() {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t k = 0; k < programs_.size(); ++k) {
                if (programs_[k].chip) {
                    moved = programs_[k].chip->advance() || moved;
                    continue;
                }
                for (StreamState& stream : programs_[k].streams) {
                    while (advance(programs_[k], times_[k], stream)) {
                        moved = true;
                    }
                }
            }
        }
        for (std::size_t k = 0; k < programs_.size(); ++k) {
            const ProgramState& state = programs_[k];
            const bool isDone =
                state.chip ? state.chip->isDone()
                           : std::ranges::all_of(state.streams, [](const StreamState& stream) {
                                 return stream.done == stream.steps.size();
                             });
            ensure(isDone, "programs do not wait for each other in a cycle");
            if (state.chip) {
                times_[k] = state.chip->times();
            }
        }
        return std::move(times_);
    }

private:
    bool advance(ProgramState& state, std::vector<StepTime>& times, StreamState& stream) {
        if (stream.done == stream.steps.size()) {
            return false;
        }
        const std::size_t index = stream.steps[stream.done];
        const Step& step = state.program->steps[index];
        if (!stream.communicates) {
            for (const StepWait& wait : step.waits) {
                const StreamState& other = state.streams[wait.stream];
                if (other.done < wait.count) {
                    return false;
                }
                stream.time = std::max(stream.time, times[other.steps[wait.count - 1]].end);
            }
            times[index].begin = stream.time;
            times[index].met = stream.time;
        }
        if (step.kind != StepKind::collective) {
            stream.time += priceOf(step, priced_);
        } else if (!hasMet(step, state.meets[index], stream, times[index].met)) {
            return false;
        }
        times[index].end = stream.time;
        ++stream.done;
        return true;
    }

    /// Returns the times of a collective for a stream on a chip that has arrived there.
    CollectiveTime meet(ProgramState& state, std::size_t index, std::int64_t come) {
        if (const auto known = state.met.find(index); known != state.met.end()) {
            return known->second;
        }
        const Step& step = state.program->steps[index];
        StreamState& stream = state.streams[step.stream];
        stream.time = come;
        CollectiveTime time;
        time.isSettled = hasMet(step, state.meets[index], stream, time.met);
        const Meeting& meeting = meetings_.at({step.node, state.meets[index].first});
        time.end = meeting.last + meeting.longest;
        if (time.isSettled) {
            state.met.emplace(index, time);
        }
        return time;
    }

    /// True if the collective has met. The stream arrives once; when all members have arrived,
    /// `met` is set.
    bool hasMet(const Step& step, const Meets& meets, StreamState& stream, std::int64_t& met) {
        Meeting& meeting = meetings_[{step.node, meets.first}];
        if (!stream.communicates) {
            stream.communicates = true;
            ++meeting.arrived;
            meeting.last = std::max(meeting.last, stream.time);
            meeting.longest = std::max(meeting.longest, priceOf(step, priced_));
        }
        if (meeting.arrived < meets.count) {
            return false;
        }
        stream.communicates = false;
        met = meeting.last;
        stream.time = meeting.last + meeting.longest;
        return true;
    }

    PriceBound priced_;
    std::vector<ProgramState> programs_;
    std::vector<std::vector<StepTime>> times_;
    std::map<std::pair<PlanNodeId, DeviceId>, Meeting> meetings_;
};

} // namespace

std::vector<SpanSite> spanSitesOf(const Program& program) {
    std::vector<SpanSite> sites;
    const Graph& graph = *program.plan->graph;
    sites.reserve(program.steps.size());
    for (const Step& step : program.steps) {
        SpanSite site{.origin = step.origin,
                      .kind = kindOf(step),
                      .layer = graph.layerName(step.origin),
                      .op = step.name,
                      .flops = step.flops,
                      .bytes = step.traffic,
                      .rounds = step.count};
        if (!step.node.isNone()) {
            const PlanNode& node = program.plan->at(step.node);
            if (!node.node.isNone()) {
                site.op = step.isHostFallback() ? site.op : graph.at(node.node).op->name;
                site.pass = graph.at(node.node).pass;
            }
        }
        sites.push_back(std::move(site));
    }
    return sites;
}

std::vector<SpanSite> spanSitesOf(const Program& program, std::span<const ProgramPart> parts) {
    const std::vector<SpanSite> steps = spanSitesOf(program);
    std::vector<SpanSite> sites;
    sites.reserve(parts.size());
    for (const ProgramPart& part : parts) {
        if (part.steps.size() == 1) {
            sites.push_back(steps[part.steps.front()]);
            continue;
        }
        SpanSite site{.kind = SpanKind::repeat, .op = nameOf(program, part)};
        for (const std::uint32_t step : part.steps) {
            site.flops += steps[step].flops;
            site.bytes += steps[step].bytes;
        }
        sites.push_back(std::move(site));
    }
    return sites;
}

SpanSite feedSite(const Program& program) {
    return {.kind = SpanKind::feed, .op = "feeds", .bytes = program.feeding.bytes};
}

std::uint32_t feedStream(const Program& program) {
    return static_cast<std::uint32_t>(program.streams.size());
}

Timeline timelineOf(std::span<const Program* const> programs,
                    std::span<const std::vector<StepTime>> times) {
    Timeline made;
    for (const Program* program : programs) {
        std::ranges::move(spanSitesOf(*program), std::back_inserter(made.sites));
        made.devices[program->device] = program->plan->devices[program->device.value];
    }
    std::uint32_t site = 0;
    for (std::size_t p = 0; p < programs.size(); ++p) {
        for (std::size_t k = 0; k < times[p].size(); ++k, ++site) {
            const auto& [begin, met, end] = times[p][k];
            const auto add = [&](std::uint32_t of, std::int64_t from, std::int64_t to) {
                made.spans.push_back({.device = programs[p]->device,
                                      .stream = programs[p]->steps[k].stream,
                                      .site = of,
                                      .begin = {from},
                                      .duration = {to - from}});
            };
            if (met > begin) {
                SpanSite waits = made.sites[site];
                waits.kind = SpanKind::wait;
                waits.bytes = {};
                add(static_cast<std::uint32_t>(made.sites.size()), begin, met);
                made.sites.push_back(std::move(waits));
            }
            add(site, met, end);
        }
    }
    sortSpans(made);
    return made;
}

Timeline simulate(std::span<const Program* const> programs, const AlikeDevices& alike,
                  PriceBound priced) {
    Timeline made = timelineOf(programs, Simulation(programs, alike, priced).run());
    for (const Program* program : programs) {
        if (program->feeding.time.count > 0) {
            addFeeding(made, *program, priced);
        }
    }
    sortSpans(made);
    return made;
}

} // namespace weft
