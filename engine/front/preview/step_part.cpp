// SPDX-License-Identifier: Apache-2.0
// Summarises the simulated timeline: per layer and wire, communication hidden behind computation,
// and what the peak of memory consists of. One of several alike devices counts for all of them.
#include "front/preview/step_part.h"

#include "front/preview/collective_rows.h"
#include "schedule/memory/map_memory.h"
#include "schedule/memory/predict.h"
#include "schedule/predict/simulate.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace weft {

namespace {

struct Interval {
    std::int64_t begin;
    std::int64_t end;
};

/// Returns when each device computed, as disjoint intervals in order.
std::map<DeviceId, std::vector<Interval>> computingOf(const Timeline& timeline) {
    std::map<DeviceId, std::vector<Interval>> computing;
    for (const TimelineSpan& span : timeline.spans) { // sorted by begin
        const SpanKind kind = timeline.siteOf(span).kind;
        if (!isWork(kind)) {
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

/// Returns the bytes that a step writes outside of its operands' memory.
Bytes madeBy(const Step& step) {
    Bytes made;
    for (const Buffer& output : step.outputs) {
        const bool isInPlace = std::ranges::any_of(step.inputs, [&](const Buffer& input) {
            return input.arena == output.arena && input.offset == output.offset;
        });
        made += isInPlace ? Bytes{} : output.size;
    }
    return made;
}

class StepPart {
public:
    StepPart(Preview& preview, const std::shared_ptr<const Plan>& plan, const CompiledStep& step)
        : preview_(preview), plan_(plan), step_(step) {
        for (const Program& program : step.programs) {
            for (const Step& one : program.steps) {
                bySite_.emplace_back(&one, &program);
            }
        }
    }

    void run() {
        const auto programs = step_.programPointers();
        auto timeline = std::make_shared<const Timeline>(simulate(programs, step_.alike));
        timeline_ = timeline.get();
        // Simulates the programs again with all times at their lowest and at their highest.
        const Timeline low = simulate(programs, step_.alike, PriceBound::low);
        const Timeline high = simulate(programs, step_.alike, PriceBound::high);
        preview_.step = {.time = timeline_->length(),
                         .band = {low.length(), high.length()},
                         .timeline = std::move(timeline),
                         .representedBy = step_.alike.representedBy};
        addLayers(low, high);
        addCollectives();
        addDevices();
        sayWhoWaitsForData();
    }

private:
    void addLayers(const Timeline& low, const Timeline& high) {
        std::vector<LayerStep> layers = layersOf(*timeline_);
        const std::vector<LayerStep> least = layersOf(low);
        const std::vector<LayerStep> most = layersOf(high);
        addMade(layers);
        for (std::size_t k = 0; k < layers.size(); ++k) {
            layers[k].computeBand = {least[k].compute(), most[k].compute()};
            if (!preview_.layers[k].devices.empty() || layers[k] != LayerStep{}) {
                preview_.layers[k].step = layers[k];
            }
        }
    }

    /// Time per layer; the slowest device counts.
    [[nodiscard]] std::vector<LayerStep> layersOf(const Timeline& timeline) {
        std::vector<LayerStep> layers(preview_.layers.size());
        std::map<DeviceId, std::vector<LayerStep>> byDevice;
        for (const TimelineSpan& span : timeline.spans) {
            const SpanSite& site = timeline.siteOf(span);
            const auto row = rowOf(site.origin);
            if (!row || site.kind == SpanKind::wait) {
                continue;
            }
            std::vector<LayerStep>& own = byDevice[span.device];
            own.resize(layers.size());
            partOf(own[*row], site) += span.duration;
        }
        for (const auto& [device, own] : byDevice) {
            for (std::size_t k = 0; k < layers.size(); ++k) {
                for (auto part : {&LayerStep::forward, &LayerStep::backward, &LayerStep::update,
                                  &LayerStep::communicate}) {
                    layers[k].*part = std::max(layers[k].*part, own[k].*part);
                }
            }
        }
        return layers;
    }
    static Nanoseconds& partOf(LayerStep& layer, const SpanSite& site) {
        if (site.kind == SpanKind::communicate) {
            return layer.communicate;
        }
        return site.pass == Pass::backward ? layer.backward
               : site.pass == Pass::update ? layer.update
                                           : layer.forward;
    }

    /// Returns the row of a layer in the preview; nothing for ops of no layer.
    std::optional<std::size_t> rowOf(Origin origin) {
        if (rows_.empty()) {
            for (std::size_t k = 0; k < preview_.layers.size(); ++k) {
                rows_[preview_.layers[k].origin] = k;
            }
        }
        const auto found = rows_.find(origin);
        return found == rows_.end() ? std::nullopt : std::optional(found->second);
    }

    void addMade(std::vector<LayerStep>& layers) {
        std::vector<Bytes> made;
        for (const Program& program : step_.programs) {
            made.assign(layers.size(), {});
            for (const Step& step : program.steps) {
                const auto row = rowOf(step.origin);
                if (row && step.kind == StepKind::compute && isForward(program, step)) {
                    made[*row] += madeBy(step);
                }
            }
            for (std::size_t k = 0; k < made.size(); ++k) {
                layers[k].made = std::max(layers[k].made, made[k]);
            }
        }
    }

    static bool isForward(const Program& program, const Step& step) {
        const Pass pass = program.plan->graph->at(program.plan->at(step.node).node).pass;
        return pass == Pass::forward || pass == Pass::metric;
    }

    /// Adds collectives over all iterations; the slowest device counts.
    void addCollectives() {
        const std::vector<std::size_t> laidOut = rowsInUnrolledOrder(*plan_);
        const auto computing = computingOf(*timeline_);
        std::map<std::pair<std::size_t, DeviceId>, std::pair<CollectiveStep, const Step*>> byDevice;
        for (const TimelineSpan& span : timeline_->spans) {
            if (span.site >= bySite_.size()) {
                continue; // the span of a wait, which is no step of a program
            }
            const auto& [step, program] = bySite_[span.site];
            if (step->kind != StepKind::collective) {
                continue;
            }
            const std::size_t place = placeOf(*program->plan, step->node);
            ensure(place < laidOut.size(), "a program contains the collectives of its plan");
            auto& [one, last] = byDevice[{laidOut[place], span.device}];
            last = step;
            one.time += span.duration;
            one.band.low += step->band.low;
            one.band.high += step->band.high;
            if (const auto of = computing.find(span.device); of != computing.end()) {
                one.hidden += {overlapOf(of->second, span.begin.count,
                                         span.begin.count + span.duration.count)};
            }
        }
        for (const auto& [key, taken] : byDevice) {
            CollectivePreview& row = preview_.collectives[key.first];
            if (!row.step || row.step->time < taken.first.time) {
                row.step = taken.first;
                row.link =
                    step_.devices.links.linkAmong(taken.second->members, !row.communicator.empty())
                        .name;
            }
        }
        for (LayerPreview& layer : preview_.layers) {
            const auto row = std::ranges::find(
                preview_.collectives, layer.sync ? layer.sync->name : "", &CollectivePreview::name);
            if (layer.sync && row != preview_.collectives.end()) {
                layer.sync->step = row->step;
            }
        }
    }

    /// Returns the row of a plan's collective.
    std::size_t placeOf(const Plan& plan, PlanNodeId node) {
        std::vector<std::size_t>& places = places_[&plan];
        std::size_t next = 0;
        for (std::uint32_t n = 0; places.size() < plan.nodes.size(); ++n) {
            places.push_back(next);
            next += plan.nodes[n].node.isNone() && !isLocal(plan.nodes[n].collective) ? 1 : 0;
        }
        return places[node.value];
    }

    /// Warns if copying the next batch takes longer than the rest of the step.
    void sayWhoWaitsForData() {
        Nanoseconds others;
        for (const TimelineSpan& span : timeline_->spans) {
            if (timeline_->siteOf(span).kind != SpanKind::feed) {
                others = std::max(others, span.begin + span.duration);
            }
        }
        const Program* longest = nullptr;
        for (const Program& program : step_.programs) {
            const Nanoseconds most = longest == nullptr ? others : longest->feeding.time;
            longest = program.feeding.time > most ? &program : longest;
        }
        if (longest == nullptr) {
            return;
        }
        const LinkSheet bus = busOf(step_.devices.sheets[longest->device.value]);
        preview_.problems.push_back(
            {.code = "W075",
             .severity = Severity::warning,
             .text = fmt::format("{} waits for its data: copying the next batch, {}, takes {} over "
                                 "{}, but the rest of a step takes {}",
                                 preview_.devices[longest->device.value].name,
                                 toString(longest->feeding.bytes), toString(longest->feeding.time),
                                 bus.name, toString(others)),
             .fix = {"use a faster link, smaller examples or a smaller share of the batch: faster "
                     "kernels do not shorten the step",
                     {}}});
    }

    void addDevices() {
        const std::vector<StepTotals> totals = totalsOf(*timeline_);
        for (std::uint32_t d = 0; d < preview_.devices.size(); ++d) {
            const Program& program = step_.programOf({d});
            inMemory_[step_.devices.shares[d].memory] += program.slotSize + program.workSize;
        }
        std::map<DeviceId, DeviceStep> shown;
        for (const DeviceId device : step_.alike.representatives()) {
            shown[device] = stepOf(device, totals);
        }
        for (std::uint32_t d = 0; d < preview_.devices.size(); ++d) {
            DevicePreview& row = preview_.devices[d];
            row.step = shown.at(step_.alike[{d}]);
            row.step->totals.device = {d};
            row.step->hasKernels = !step_.devices.backends[d]->name.empty();
            row.step->largestLayer = largestOn(row.name);
        }
    }

    [[nodiscard]] DeviceStep stepOf(DeviceId device, const std::vector<StepTotals>& totals) const {
        const Program& program = step_.programOf(device);
        DeviceStep made{.totals = {}, .kept = program.slotSize, .work = program.workSize};
        const auto total = std::ranges::find(totals, device, &StepTotals::device);
        made.totals = total == totals.end() ? StepTotals{} : *total;
        const MemoryPeak peak = peakOf(program);
        if (peak.step >= 0) {
            made.peakAt = program.steps[static_cast<std::size_t>(peak.step)].name;
        }
        for (const PeakShare& share : peak.shares) {
            made.peak.push_back({share.layer, share.bytes});
        }
        made.memory = std::make_shared<const MemoryMap>(memoryOf(program, device));
        return made;
    }

    /// Returns the device's memory map with step times. The timeline's sites are the steps of all
    /// programs in order. The available memory excludes what other devices hold of it.
    [[nodiscard]] MemoryMap memoryOf(const Program& program, DeviceId device) const {
        MemoryMap memory = mapMemory(program);
        const Bytes own = program.slotSize + program.workSize;
        const Bytes others = inMemory_.at(step_.devices.shares[device.value].memory) - own;
        if (const Bytes all = step_.devices.sheets[device.value].memory; all.count > 0) {
            memory.available = std::max(Bytes{1}, all - others);
        }
        std::size_t first = 0;
        for (const Program* before = step_.programs.data(); before != &program; ++before) {
            first += before->steps.size();
        }
        for (const TimelineSpan& span : timeline_->spans) {
            if (span.site >= first && span.site - first < memory.steps.size()) {
                memory.steps[span.site - first].begin = span.begin;
                memory.steps[span.site - first].end = span.begin + span.duration;
            }
        }
        return memory;
    }

    /// Returns the layer that needs most of a device's memory.
    [[nodiscard]] std::string largestOn(const std::string& device) const {
        Bytes most;
        std::string largest;
        for (const LayerPreview& of : preview_.layers) {
            const Bytes bytes = of.parameterBytes + (of.step ? of.step->made : Bytes{});
            if (bytes > most && std::ranges::find(of.devices, device) != of.devices.end()) {
                most = bytes;
                largest = of.name;
            }
        }
        return largest;
    }

    Preview& preview_;
    const std::shared_ptr<const Plan>& plan_;
    const CompiledStep& step_;
    const Timeline* timeline_ = nullptr;
    std::vector<std::pair<const Step*, const Program*>> bySite_;
    std::unordered_map<Origin, std::size_t> rows_;
    std::map<const Plan*, std::vector<std::size_t>> places_;
    std::map<std::size_t, Bytes> inMemory_; ///< memory -> bytes of all devices that use it
};

} // namespace

void addStep(Preview& preview, const std::shared_ptr<const Plan>& plan, const CompiledStep& step) {
    StepPart(preview, plan, step).run();
}

void addRun(Preview& preview, const CompiledStep& step, const CompiledProgramSet& programSet) {
    std::map<std::size_t, Bytes> byMemory; // memory -> bytes of all devices that use it
    for (std::uint32_t d = 0; d < preview.devices.size(); ++d) {
        const ProgramSetMemory& memory = programSet.memoryOf({d});
        preview.devices[d].run = {.takes = memory.slots + memory.work + memory.ahead,
                                  .largest = memory.largest,
                                  .observed = memory.observed};
        byMemory[step.devices.shares[d].memory] += preview.devices[d].run->takes;
    }
    for (std::size_t d = 0; d < preview.devices.size(); ++d) {
        preview.devices[d].run->together = byMemory[step.devices.shares[d].memory];
    }
}

} // namespace weft
