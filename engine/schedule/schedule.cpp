// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule.h"

#include "place/unroll.h"
#include "schedule/feeds_ahead.h"
#include "schedule/predict/price.h"
#include "schedule/select/batch_products.h"
#include "schedule/select/choose_communicator.h"
#include "schedule/select/group.h"
#include "schedule/select/keep.h"
#include "schedule/select/share_host_fallbacks.h"
#include "schedule/select/stream_count.h"
#include "schedule/task.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weft {

namespace {

/// The price of a kernel, and how it uses a chip.
struct Cost {
    Price price = {};
    Nanoseconds launch = {};
    double filled = 0; ///< the share of the chip that it uses, times the duration

    void add(const Cost& one, std::int64_t times) {
        price.time += one.price.time * times;
        price.band.low += one.price.band.low * times;
        price.band.high += one.price.band.high * times;
        launch += one.launch * times;
        filled += one.filled * static_cast<double>(times);
    }
    [[nodiscard]] ChipUse use() const {
        const auto rest = static_cast<double>((price.time - launch).count);
        return {launch, rest > 0 ? filled / rest : 0};
    }
};

std::int64_t largestOf(const std::vector<TensorPart>& parts) {
    std::int64_t most = 0;
    for (const TensorPart& part : parts) {
        most = std::max(most, part.elements());
    }
    return most;
}

/// The work of one execution of a kernel, for pricing.
struct Work {
    const std::string& op;
    Flops flops;
    Bytes traffic;
    std::int64_t elements = 0; ///< elements of the largest result
    const KernelChoice* choice = nullptr;
    [[nodiscard]] Precision precision() const {
        return choice == nullptr ? Precision::exact : choice->precision;
    }
    [[nodiscard]] Bytes moved() const {
        return choice == nullptr ? traffic : traffic + choice->reorderedBytes;
    }
    [[nodiscard]] int launches() const { return choice == nullptr ? 1 : choice->launches; }
};

/// Prices from a device's sheet, for one of several streams.
class Pricing {
public:
    Pricing(const DeviceSheet& sheet, const Links& links, int streams)
        : sheet_(sheet), links_(links), share_(1.0 / std::max(1, streams)) {}

    void run(LocalPlan& local) const {
        for (Task& task : local.tasks) {
            run(task);
        }
    }
    void run(Task& task) const {
        const Cost cost = task.rounds ? of(*task.rounds, *task.choice) : of(task);
        task.predicted = cost.price.time;
        task.band = cost.price.band;
        task.chip = cost.use();
    }

private:
    [[nodiscard]] Cost of(const Work& work) const {
        if (work.choice != nullptr && work.choice->staged.count > 0) {
            return {.price = hostFallbackPrice(sheet_, work.op, work.flops, work.traffic,
                                               work.choice->staged)};
        }
        if (work.choice != nullptr && work.choice->measured) {
            return measured(work);
        }
        if (sheet_.threads == 0) {
            return {.price = computePrice(sheet_, work.op, work.flops, work.moved(), share_,
                                          work.precision(), work.launches())};
        }
        const double fills = usableShareOf(sheet_, work.elements, work.traffic);
        Cost cost{.price = computePrice(sheet_, work.op, work.flops, work.moved(), fills,
                                        work.precision(), work.launches()),
                  .launch = sheet_.overhead * work.launches()};
        cost.filled = fills * static_cast<double>((cost.price.time - cost.launch).count);
        return cost;
    }

    /// Uses the measured time; the use of the chip is that of the priced work.
    [[nodiscard]] Cost measured(const Work& work) const {
        const MeasuredPlan& plan = *work.choice->measured;
        const auto times = [&](double spread) {
            return Nanoseconds{
                static_cast<std::int64_t>(static_cast<double>(plan.time.count) * spread)};
        };
        Cost cost{.price = {plan.time, {times(plan.spread.low), times(plan.spread.high)}},
                  .launch = std::min(plan.time, sheet_.overhead * work.launches())};
        cost.filled = usableShareOf(sheet_, work.elements, work.traffic) *
                      static_cast<double>((plan.time - cost.launch).count);
        return cost;
    }

    [[nodiscard]] Cost of(const Task& task) const {
        if (task.kind == StepKind::collective) {
            const int rounds = task.collective.isAllReduce ? 2 : 1;
            const LinkSheet link =
                links_.linkAmong(task.collective.members, !task.collective.communicator.empty());
            return {.price = communicationPrice(link, task.traffic, rounds)};
        }
        const bool isOnHost = task.choice != nullptr && task.choice->staged.count > 0;
        if (task.repeat && !isOnHost) {
            Cost sum;
            for (const Task& inside : task.repeat->round.tasks) {
                sum.add(of(inside), task.repeat->form.count);
            }
            return sum;
        }
        const KernelRequest* main = &task.request;
        while (main->body) {
            main = &main->body->members.front();
        }
        const std::size_t besideEachOther = isBatched(task.request) ? task.outputs.size() : 1;
        return of(Work{main->op, task.flops, task.traffic,
                       largestOf(task.request.outputs) * static_cast<std::int64_t>(besideEachOther),
                       task.choice.get()});
    }

    /// Sets the price of each kernel of the body, too. Kernels of a shared host fallback are priced
    /// as computed on the host.
    [[nodiscard]] Cost of(StepBody& rounds, const KernelChoice& choice) const {
        Cost sum;
        if (rounds.isHostFallback) {
            sum.price = roundTripPrice(sheet_, choice.staged);
        }
        for (std::size_t k = 0; k < rounds.steps.size(); ++k) {
            BodyStep& step = rounds.steps[k];
            RoundKernel& kernel = rounds.kernels.kernels[k];
            const KernelChoice& own = *kernel.choices.front();
            const Cost cost =
                step.rounds ? of(*step.rounds, own)
                : rounds.isHostFallback
                    ? Cost{.price = hostPrice(step.op, step.flops, step.traffic)}
                    : of(Work{step.op, step.flops, step.traffic, step.elements, &own});
            step.predicted = kernel.predicted = cost.price.time;
            step.band = cost.price.band;
            sum.add(cost, kernel.runs());
        }
        return sum;
    }

    const DeviceSheet& sheet_;
    const Links& links_;
    double share_;
};

class Assembly {
public:
    /// `before` lists what each task waits for, from before buffers were shared. These waits
    /// already order tasks that share a buffer; further waits for them could form a cycle.
    Assembly(LocalPlan local, Ordering ordering, std::vector<std::vector<int>> before,
             Layout layout)
        : local_(std::move(local)),
          ordering_(std::move(ordering)),
          before_(std::move(before)),
          layout_(std::move(layout)) {}

    Program run(std::string member, bool isOnChip) {
        program_.member = std::move(member);
        program_.isOnChip = isOnChip;
        program_.device = local_.device;
        program_.plan = local_.plan;
        program_.streams = ordering_.streams;
        program_.workSize = layout_.work;
        program_.slotSize = layout_.slots;
        program_.refusals = std::move(local_.refusals);
        addCollectives();
        addSteps();
        addPorts(local_.feeds, local_.plan->graph->feeds, program_.feeds);
        addPorts(local_.results, local_.plan->graph->results, program_.results);
        for (std::uint32_t s = 0; s < local_.slots.size(); ++s) {
            const int value = local_.slots[s];
            program_.slots.push_back(
                value < 0 ? SlotBuffer{.slot = {s}, .buffer = {}, .part = {}, .isHeld = false}
                          : SlotBuffer{{s}, bufferOf(value), at(value).part, true});
        }
        return std::move(program_);
    }

private:
    [[nodiscard]] const LocalValue& at(int value) const {
        return local_.values[static_cast<std::size_t>(value)];
    }
    [[nodiscard]] Buffer bufferOf(int value) const {
        return value < 0 ? Buffer{} : layout_.buffers[static_cast<std::size_t>(value)];
    }

    /// Adds collectives in the plan's order, whatever the streams do.
    void addCollectives() {
        for (Task& task : local_.tasks) {
            collectiveOf_.push_back(static_cast<std::uint32_t>(program_.collectives.size()));
            if (task.kind == StepKind::collective) {
                program_.collectives.push_back(std::move(task.collective));
            }
        }
    }

    void addSteps() {
        std::vector<std::vector<StepWait>> waits = waitsOf(ordering_, before_);
        std::vector<std::uint32_t> count(ordering_.streams.size(), 0);
        for (const int index : ordering_.sequence) {
            const auto t = static_cast<std::size_t>(index);
            Task& task = local_.tasks[t];
            Step step{.kind = task.kind, .node = task.node, .stream = ordering_.streamOf[t]};
            step.position = count[step.stream]++;
            for (const int input : task.inputs) {
                step.inputs.push_back(bufferOf(input));
            }
            for (const int output : task.outputs) {
                step.outputs.push_back(bufferOf(output));
                step.outputContents.push_back(
                    output < 0 ? StepOutput{} : StepOutput{at(output).placed, at(output).part});
            }
            step.scratch = layout_.scratch[t];
            step.waits = std::move(waits[t]);
            if (task.kind == StepKind::collective) {
                step.kernelOrCollective = collectiveOf_[t];
                step.members = program_.collectives[step.kernelOrCollective].members;
                step.implementation = program_.collectives[step.kernelOrCollective].communicator;
            } else {
                step.kernelOrCollective = static_cast<std::uint32_t>(program_.choices.size());
                step.implementation = task.choice->implementation;
                program_.choices.push_back(std::move(task.choice));
            }
            step.predicted = task.predicted;
            step.band = task.band;
            step.chip = task.chip;
            step.flops = task.flops;
            step.traffic = task.traffic;
            step.name = std::move(task.name);
            step.origin = task.origin;
            step.count = task.repeat ? task.repeat->form.count : 1;
            step.rounds = std::move(task.rounds);
            program_.steps.push_back(std::move(step));
        }
    }

    template <class Named>
    void addPorts(const std::vector<int>& values, const std::vector<Named>& named,
                  std::vector<ProgramPort>& ports) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            ports.push_back(
                values[k] < 0
                    ? ProgramPort{.name = named[k].name, .buffer = {}, .part = {}, .isHeld = false}
                    : ProgramPort{named[k].name, bufferOf(values[k]), at(values[k]).part, true});
        }
    }

    LocalPlan local_;
    Ordering ordering_;
    std::vector<std::vector<int>> before_;
    Layout layout_;
    std::vector<std::uint32_t> collectiveOf_;
    Program program_;
};

void chooseCommunicators(LocalPlan& local, const CommunicatorRule& rule, const Links& links) {
    for (Task& task : local.tasks) {
        if (task.kind == StepKind::collective) {
            task.collective.communicator =
                chooseCommunicator(rule, links.places, *local.plan, task.collective).name;
        }
    }
}

/// Batching must shorten the whole to this fraction, because a batched call keeps all operands and
/// results alive at once.
constexpr double worthMemory = 0.99;

/// Chooses the number of streams of a chip and the calls that are batched on these streams.
int settleOnChip(LocalPlan& local, const KernelList& kernels, const KernelChooser& chooser,
                 const Pricing& pricing, const ScheduleRequest& request) {
    const int given = request.order == "sequential" ? 1 : request.streams;
    const ChipStreamCount streams = streamsOfChip(local, request.order, given);
    std::vector<Task> others;
    if (request.groups) {
        others = withBatchedProducts(local, {.kernels = kernels,
                                             .chooser = chooser,
                                             .price = [&](Task& task) { pricing.run(task); },
                                             .streams = given > 0 ? given : mostStreamsOfAChip});
    }
    if (others.empty()) {
        return streams.count;
    }
    std::swap(local.tasks, others);
    const ChipStreamCount then = streamsOfChip(local, request.order, given);
    if (static_cast<double>(then.end) < worthMemory * static_cast<double>(streams.end)) {
        return then.count;
    }
    std::swap(local.tasks, others);
    local.refusals.push_back(fmt::format(
        "parallel ops are not batched: the step would end after {}, without batching after {}",
        toString(Nanoseconds{then.end}), toString(Nanoseconds{streams.end})));
    return streams.count;
}

/// Requires that every op that writes a slot can do so in place, so that the steady state copies
/// nothing.
void requireInPlaceSlots(const LocalPlan& local) {
    std::set<std::pair<int, int>> inPlace; // {result, storage of the operand}
    for (const Task& task : local.tasks) {
        for (const auto& [input, output] : task.inPlace) {
            if (task.inputs[input] >= 0) {
                inPlace.emplace(task.outputs[output], local.storageOf(task.inputs[input]));
            }
        }
    }
    for (std::size_t s = 0; s < local.slots.size(); ++s) {
        ensure(local.slotNext[s] < 0 || local.slots[s] < 0 ||
                   inPlace.contains({local.slotNext[s], local.slots[s]}),
               "every op that writes a slot can work in place");
    }
}

} // namespace

Program schedule(std::shared_ptr<const Plan> plan, DeviceId id, const Backend& backend,
                 const DeviceSheet& sheet, const ScheduleRequest& request) {
    std::string member = plan->graph->name;
    LocalPlan local =
        localize(unrolled(std::move(plan)), id, {request.seed, request.wantsTransfers});
    request.communicators == nullptr
        ? void()
        : chooseCommunicators(local, *request.communicators, request.links);
    const bool isOnChip = sheet.threads > 0;
    int streams = request.order == "sequential" ? 1
                  : request.streams > 0         ? request.streams
                  : isOnChip                    ? 1
                                                : streamCount(local, request.order, request.cores);
    ensure(request.fallback != nullptr, "scheduling has the reference kernels");
    const int cores = std::max(1, request.cores / streams);
    const Precision precision = whyNotRounded(request.precision, backend, sheet).empty()
                                    ? request.precision
                                    : Precision::exact;
    const KernelChooser chooser(backend, *request.fallback, request.choices, precision,
                                sheet.isPresent, chipKindOf(sheet));
    chooseStoredFormats(local, chooser, cores,
                        request.settled == nullptr ? nullptr : &request.settled->slots);
    if (request.groups) {
        groupTasks(local, backend.kernels);
    }
    select(local, chooser,
           {.cores = cores,
            .kept = request.kept,
            .groups = request.groups ? &backend.kernels : nullptr,
            .alignment = static_cast<std::int64_t>(backend.alignment)});
    if (request.groups) {
        shareHostFallbacks(local);
    }
    requireInPlaceSlots(local);
    const Pricing pricing(sheet, request.links, streams);
    pricing.run(local);
    if (isOnChip) {
        streams = settleOnChip(local, backend.kernels, chooser, pricing, request);
    }
    Ordering ordering = order(local, request.order, streams, request.cores);
    auto before = dependencies(local, ordering);
    Layout layout = layOut(local, ordering, static_cast<std::int64_t>(backend.alignment),
                           request.settled == nullptr ? nullptr : &request.settled->slots);
    Program made =
        Assembly(std::move(local), std::move(ordering), std::move(before), std::move(layout))
            .run(std::move(member), isOnChip);
    made.isAsynchronous = backend.space == MemorySpace::device;
    made.feeding = batchCopyPriceOf(made, sheet);
    return made;
}

} // namespace weft
