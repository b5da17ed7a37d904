// SPDX-License-Identifier: Apache-2.0
// Folds the simulated timeline: per layer and wire, what is hidden behind arithmetic, what makes
// the peak of memory.
#include "front/prepared.h"
#include "schedule/map_memory.h"
#include "schedule/predict.h"
#include "schedule/simulate.h"
#include <weft/estimate.h>
#include <weft/profile.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace weft {

namespace {

struct Interval {
    std::int64_t begin;
    std::int64_t end;
};

/// Where a device computed, as disjoint intervals in order.
std::map<DeviceId, std::vector<Interval>> computingOf(const Timeline& timeline) {
    std::map<DeviceId, std::vector<Interval>> computing;
    for (const TimelineSpan& span : timeline.spans) { // sorted by begin
        const SpanKind kind = timeline.siteOf(span).kind;
        if (kind == SpanKind::communicate || kind == SpanKind::wait) {
            continue;
        }
        auto& list = computing[span.device];
        const std::int64_t end = span.begin.count + span.duration.count;
        if (!list.empty() && span.begin.count <= list.back().end) {
            list.back().end = std::max(list.back().end, end);
        } else {
            list.push_back({span.begin.count, end});
        }
    }
    return computing;
}

std::int64_t overlapOf(const std::vector<Interval>& intervals, std::int64_t begin,
                       std::int64_t end) {
    std::int64_t sum = 0;
    auto at = std::ranges::upper_bound(intervals, begin, {}, &Interval::end);
    for (; at != intervals.end() && at->begin < end; ++at) {
        sum += std::min(end, at->end) - std::max(begin, at->begin);
    }
    return sum;
}

class EstimateFold {
public:
    EstimateFold(const Study& studied, const Prepared& prepared)
        : studied_(studied), prepared_(prepared) {}

    Estimate run() {
        std::vector<const Program*> programs;
        programs.reserve(prepared_.programs.size());
        for (const Program& program : prepared_.programs) {
            programs.push_back(&program);
        }
        made_.timeline = simulate(programs);
        made_.step = made_.timeline.length();
        made_.layers = layersOf(made_.timeline);
        addBands(programs);
        addWires();
        addDevices();
        return std::move(made_);
    }

private:
    [[nodiscard]] std::vector<LayerEstimate> layersOf(const Timeline& timeline) const {
        std::vector<LayerEstimate> layers;
        std::map<Origin, std::size_t> known;
        std::map<std::tuple<std::size_t, std::size_t, DeviceId>, Nanoseconds> sums;
        for (const ExpandedLayer& layer : studied_.expanded.layers) {
            known[layer.origin] = layers.size();
            layers.push_back({.origin = layer.origin, .name = layer.name});
        }
        for (const ProfileEntry& entry : profileOf(timeline).entries) {
            const auto found = known.find(entry.origin);
            if (found == known.end() || entry.kind == SpanKind::wait) {
                continue;
            }
            LayerEstimate& layer = layers[found->second];
            Nanoseconds* const parts[] = {&layer.forward, &layer.backward, &layer.update,
                                          &layer.communicate};
            const std::size_t part = entry.kind == SpanKind::communicate ? 3
                                     : entry.pass == Pass::backward      ? 1
                                     : entry.pass == Pass::update        ? 2
                                                                         : 0;
            // Entries that differ in their device alone stand for the dearest of them.
            Nanoseconds& sum = sums[{found->second, part, entry.device}];
            sum += entry.time;
            *parts[part] = std::max(*parts[part], sum);
        }
        return layers;
    }

    /// The same programs once more, all rates at their best and all at their worst.
    void addBands(std::span<const Program* const> programs) {
        const Timeline low = simulate(programs, Priced::low);
        const Timeline high = simulate(programs, Priced::high);
        made_.stepBand = {low.length(), high.length()};
        const std::vector<LayerEstimate> least = layersOf(low);
        const std::vector<LayerEstimate> most = layersOf(high);
        for (std::size_t k = 0; k < made_.layers.size(); ++k) {
            made_.layers[k].computeBand = {least[k].compute(), most[k].compute()};
        }
    }

    void addWires() {
        const auto computing = computingOf(made_.timeline);
        std::map<PlanNodeId, WireEstimate> wires;
        std::vector<std::pair<const Step*, const Program*>> bySite;
        for (const Program& program : prepared_.programs) {
            for (const Step& step : program.steps) {
                bySite.emplace_back(&step, &program);
            }
        }
        for (const TimelineSpan& span : made_.timeline.spans) {
            if (span.site >= bySite.size()) {
                continue; // a wait
            }
            const Step& step = *bySite[span.site].first;
            if (step.kind != StepKind::collective) {
                continue;
            }
            const PlanNode& node = bySite[span.site].second->plan->at(step.node);
            WireEstimate& wire = wires[step.node];
            wire.name = node.name;
            wire.kind = std::string(nameOf(node.collective));
            wire.sent = std::max(wire.sent, step.traffic);
            if (span.duration > wire.time || wire.time.count == 0) {
                wire.time = span.duration;
                const auto of = computing.find(span.device);
                wire.hidden = {of == computing.end()
                                   ? 0
                                   : overlapOf(of->second, span.begin.count,
                                               span.begin.count + span.duration.count)};
            }
        }
        for (auto& [node, wire] : wires) {
            made_.wires.push_back(std::move(wire));
        }
    }

    void addDevices() {
        const std::vector<StepTotals> totals = totalsOf(made_.timeline);
        for (std::size_t k = 0; k < prepared_.programs.size(); ++k) {
            const Program& program = prepared_.programs[k];
            const DeviceSheet& sheet = prepared_.sheets[k];
            const MemoryPeak peak = peakOf(program);
            DeviceEstimate device{.name = sheet.name,
                                  .model = sheet.model,
                                  .isPresent = sheet.isPresent,
                                  .hasKernels = prepared_.hasKernels[k],
                                  .totals = {},
                                  .kept = program.slotSize,
                                  .work = program.workSize,
                                  .available = sheet.memory};
            const auto total = std::ranges::find(totals, program.device, &StepTotals::device);
            if (total != totals.end()) {
                device.totals = *total;
            }
            if (peak.step >= 0) {
                device.peakAt = program.steps[static_cast<std::size_t>(peak.step)].name;
            }
            for (const PeakShare& share : peak.shares) {
                device.peak.push_back({share.layer, share.bytes});
            }
            made_.devices.push_back(std::move(device));
        }
        addTogether();
    }

    /// What the devices of one host take is summed; a device's map ends where the others' begin.
    void addTogether() {
        std::map<int, Bytes> byHost;
        for (std::size_t k = 0; k < made_.devices.size(); ++k) {
            byHost[prepared_.shares[k].host] += made_.devices[k].kept + made_.devices[k].work;
        }
        for (std::size_t k = 0; k < made_.devices.size(); ++k) {
            DeviceEstimate& device = made_.devices[k];
            const Bytes own = device.kept + device.work;
            const int host = prepared_.shares[k].host;
            device.together = host == noHost ? own : byHost[host];
            device.memory = memoryOf(k);
            if (device.available.count > 0) {
                device.memory.available =
                    std::max(Bytes{1}, device.available - (device.together - own));
            }
        }
    }

    /// The sites of the timeline are the programs' steps, one program after the other.
    [[nodiscard]] MemoryMap memoryOf(std::size_t device) const {
        MemoryMap memory = mapMemory(prepared_.programs[device]);
        std::size_t first = 0;
        for (std::size_t k = 0; k < device; ++k) {
            first += prepared_.programs[k].steps.size();
        }
        for (const TimelineSpan& span : made_.timeline.spans) {
            if (span.site >= first && span.site - first < memory.steps.size()) {
                memory.steps[span.site - first].begin = span.begin;
                memory.steps[span.site - first].end = span.begin + span.duration;
            }
        }
        return memory;
    }

    const Study& studied_;
    const Prepared& prepared_;
    Estimate made_;
};

} // namespace

Estimate estimate(const Design& design, const EstimateRequest& request) {
    const auto registry = makeRegistry();
    MachineSheet machine = request.machine.devices.empty() ? thisMachine() : request.machine;
    const Study studied = study({.design = &design,
                                 .registry = registry.get(),
                                 .devices = request.devices,
                                 .machine = machine});
    refuseErrors(studied.problems);
    const Prepared prepared = prepare(studied, {.design = &design,
                                                .registry = registry.get(),
                                                .machine = std::move(machine),
                                                .ranks = request.ranks,
                                                .hosts = request.hosts});
    return EstimateFold(studied, prepared).run();
}

} // namespace weft
