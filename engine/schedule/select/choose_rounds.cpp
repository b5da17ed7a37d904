// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/choose_rounds.h"

#include "schedule/select/group.h"
#include "schedule/select/share_host_fallbacks.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace weft {

namespace {

using In = RoundPlace::In;

class RoundsChoice {
public:
    RoundsChoice(Task& task, const KernelChooser& chooser, const SelectRequest& request)
        : task_(task),
          form_(task.repeat->form),
          chooser_(chooser),
          request_(request),
          made_(std::make_shared<StepBody>()) {}

    std::shared_ptr<const KernelChoice> run(std::vector<std::string>& refusals) {
        carriedFormats_.resize(form_.carried);
        selectRound(false);
        carryAsMade();
        shareHostFallbacksOfRound();
        std::ranges::move(local_.refusals, std::back_inserter(refusals));
        placeOperands();
        claimResults();
        layOutRound();
        addCutting();
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            addTask(local_.tasks[t], layout_.scratch[t].offset, t < constant_ ? 1 : form_.count);
        }
        addJoining();
        return finish();
    }

private:
    LocalValue& at(int value) { return local_.values[static_cast<std::size_t>(value)]; }

    [[nodiscard]] std::int64_t aligned(std::int64_t size) const {
        return (size + request_.alignment - 1) / request_.alignment * request_.alignment;
    }

    [[nodiscard]] bool isSliced(std::size_t operand) const {
        return operand >= form_.carried && operand < form_.carried + form_.sliced;
    }
    [[nodiscard]] bool isCaptured(std::size_t operand) const {
        return operand >= form_.carried + form_.sliced;
    }
    [[nodiscard]] bool isSummed(std::size_t result) const {
        return result >= form_.carried && result < form_.carried + form_.summed;
    }

    /// Sets the formats of the body's feeds and carried results.
    void offer() {
        for (std::size_t k = 0; k < local_.feeds.size(); ++k) {
            if (local_.feeds[k] >= 0 && !isSliced(k)) {
                LocalValue& value = at(local_.feeds[k]);
                value.part.format =
                    isCaptured(k) ? task_.request.inputs[k].format : carriedFormats_[k];
                value.bytes = bytesIn(value.part.format, value.part.dtype, value.part.shape);
            }
        }
        local_.resultFormats = carriedFormats_;
    }

    void selectRound(bool leavesResults) {
        local_ = task_.repeat->round;
        offer();
        if (request_.groups != nullptr) {
            groupTasks(local_, *request_.groups);
        }
        std::vector<int> results = local_.results;
        if (leavesResults) {
            local_.results.clear();
        }
        select(local_, chooser_, request_);
        if (leavesResults) {
            local_.results = std::move(results);
        } else {
            findConstant();
        }
    }

    /// Traffic of one iteration, without what is computed before the first.
    [[nodiscard]] std::int64_t trafficOfRound() const {
        std::int64_t sum = 0;
        for (std::size_t t = constant_; t < local_.tasks.size(); ++t) {
            sum += local_.tasks[t].traffic.count;
        }
        return sum;
    }

    /// Tries a second selection in which carried values keep the formats of their kernels, and
    /// takes it if it has less traffic.
    void carryAsMade() {
        if (form_.count == 1) {
            return;
        }
        LocalPlan plain = local_;
        const std::size_t constant = constant_;
        const std::int64_t traffic = trafficOfRound();
        selectRound(true);
        for (std::size_t k = 0; k < form_.carried; ++k) {
            const int made = local_.results[k] < 0 ? -1 : local_.storageOf(local_.results[k]);
            if (made >= 0 && at(made).part.shape == at(local_.results[k]).part.shape) {
                carriedFormats_[k] = widened(at(made).part.format);
            }
        }
        if (std::ranges::all_of(carriedFormats_, &Format::isPlain)) {
            local_ = std::move(plain);
            return;
        }
        selectRound(false);
        if (trafficOfRound() >= traffic) {
            local_ = std::move(plain);
            constant_ = constant;
            carriedFormats_.assign(form_.carried, {});
        }
    }

    /// Moves tasks that depend only on captured operands to the front.
    void findConstant() {
        std::set<int> results;
        for (const int result : local_.results) {
            results.insert(result < 0 ? result : local_.storageOf(result));
        }
        std::set<int> constant;
        for (std::size_t k = 0; k < local_.feeds.size(); ++k) {
            if (isCaptured(k) && local_.feeds[k] >= 0) {
                constant.insert(local_.feeds[k]);
            }
        }
        const auto first =
            std::stable_partition(local_.tasks.begin(), local_.tasks.end(), [&](const Task& task) {
                const bool isConstant =
                    !task.draws && std::ranges::all_of(task.inputs, [&](int input) {
                        return constant.contains(local_.storageOf(input));
                    });
                const bool isResult = std::ranges::any_of(task.outputs, [&](int output) {
                    return results.contains(local_.storageOf(output));
                });
                if (isConstant && !isResult) {
                    for (const int output : task.outputs) {
                        constant.insert(local_.storageOf(output));
                        at(local_.storageOf(output)).isPinned = true;
                    }
                }
                return isConstant && !isResult;
            });
        constant_ = static_cast<std::size_t>(first - local_.tasks.begin());
    }

    /// Host fallbacks of constant tasks and of repeated tasks are combined separately.
    void shareHostFallbacksOfRound() {
        if (request_.groups == nullptr) {
            return;
        }
        shareHostFallbacks(local_, {.begin = constant_, .isInRepeatBody = true});
        const std::size_t count = local_.tasks.size();
        shareHostFallbacks(local_, {.end = constant_, .isInRepeatBody = true});
        constant_ -= count - local_.tasks.size();
    }

    /// True if every position of dim 0 is aligned like a buffer, so that it can be read or written
    /// in place.
    [[nodiscard]] bool isEvery(const LocalValue& value) const {
        return form_.count == 1 || value.bytes.count % request_.alignment == 0;
    }

    void setOutside(int value, RoundPlace place) {
        at(value).isOutside = true;
        at(value).isPinned = true;
        outside_[value] = place;
    }

    void placeOperands() {
        for (std::size_t k = 0; k < local_.feeds.size(); ++k) {
            const int feed = local_.feeds[k];
            if (feed < 0) {
                continue;
            }
            if (k < form_.carried) {
                setOutside(feed, {In::begun, k});
            } else if (!isSliced(k)) {
                setOutside(feed, {In::operand, k});
            } else if (isEvery(at(feed))) {
                setOutside(feed, {.in = In::operand, .index = k, .stride = at(feed).bytes.count});
            }
        }
    }

    [[nodiscard]] RoundPlace resultPlace(std::size_t k) {
        if (k < form_.carried) {
            return {In::ended, k};
        }
        return {.in = In::result,
                .index = k,
                .stride = isSummed(k) ? 0 : at(local_.results[k]).bytes.count};
    }

    /// Lets tasks of the iteration write results in place.
    void claimResults() {
        std::set<int> made;
        for (const Task& task : local_.tasks) {
            made.insert(task.outputs.begin(), task.outputs.end());
        }
        isClaimed_.assign(local_.results.size(), false);
        for (std::size_t k = 0; k < local_.results.size(); ++k) {
            const int value = local_.results[k] < 0 ? -1 : local_.storageOf(local_.results[k]);
            if (value < 0 || isSummed(k) || !made.contains(value) || at(value).isOutside) {
                continue;
            }
            if (k < form_.carried || isEvery(at(value))) {
                setOutside(value, resultPlace(k));
                isClaimed_[k] = true;
            }
        }
    }

    void layOutRound() {
        Ordering ordering{
            .streams = {{"rounds", request_.cores, false}}, .streamOf = {}, .sequence = {}};
        ordering.streamOf.assign(local_.tasks.size(), 0);
        ordering.sequence.resize(local_.tasks.size());
        std::iota(ordering.sequence.begin(), ordering.sequence.end(), 0);
        layout_ = layOut(local_, ordering, request_.alignment, nullptr);
        scratch_ = aligned(layout_.work.count);
        made_->kernels.count = form_.count;
        made_->kernels.isReversed = form_.isReversed;
        for (std::size_t k = 0; k < form_.carried; ++k) {
            made_->kernels.spare.push_back(scratch_);
            if (form_.count > 1 && local_.results[k] >= 0) {
                scratch_ += aligned(at(local_.results[k]).bytes.count);
            }
        }
    }

    [[nodiscard]] RoundPlace placeOf(int value) {
        if (value < 0) {
            return {};
        }
        const auto found = outside_.find(local_.storageOf(value));
        return found != outside_.end()
                   ? found->second
                   : RoundPlace{.in = In::scratch,
                                .offset = layout_.buffers[static_cast<std::size_t>(value)].offset};
    }

    /// Copies positions that are not aligned into aligned buffers.
    void addCutting() {
        for (std::size_t k = 0; k < local_.feeds.size(); ++k) {
            const int feed = local_.feeds[k];
            if (isSliced(k) && feed >= 0 && !at(feed).isOutside) {
                addCopy({.in = In::operand, .index = k, .stride = at(feed).bytes.count},
                        placeOf(feed), at(feed).part);
            }
        }
    }

    /// Adds copies for results that no task writes in place, and sums.
    void addJoining() {
        for (std::size_t k = 0; k < local_.results.size(); ++k) {
            const int value = local_.results[k];
            if (value < 0 || isClaimed_[k]) {
                continue;
            }
            if (isSummed(k)) {
                addSum(placeOf(value), resultPlace(k), at(value).part);
            } else {
                addCopy(placeOf(value), resultPlace(k), at(value).part);
            }
        }
    }

    void addCopy(const RoundPlace& from, const RoundPlace& to, const TensorPart& part) {
        KernelRequest request{.op = "weft.copy_part", .attributes = {{"fill", 0.0}}};
        request.inputs = {part};
        request.outputs = {part};
        put(std::move(request), {from}, to, "copy", {0, form_.count});
    }

    /// Sums in the order of the iterations: the first copies, the others add.
    void addSum(const RoundPlace& from, const RoundPlace& to, const TensorPart& part) {
        KernelRequest request{.op = "add"};
        request.inputs = {part};
        request.outputs = {part};
        put(request, {from}, to, "sum", {0, 1});
        if (form_.count > 1) {
            request.inputs.push_back(part);
            request.inPlace = {{0, 0}};
            put(std::move(request), {to, from}, to, "sum", {1, form_.count});
        }
    }

    /// Adds a kernel on plain parts that the body does not contain.
    void put(KernelRequest request, std::vector<RoundPlace> from, const RoundPlace& to,
             std::string name, std::pair<std::int64_t, std::int64_t> rounds) {
        request.cores = request_.cores;
        request.mayChooseFormats = false;
        const auto choice = chooser_.choose(request);
        ensure(choice != nullptr, "the reference kernels copy and add on every device");
        RoundKernel kernel{.choices = {choice}, .inputs = std::move(from), .outputs = {to}};
        kernel.scratch = scratch_;
        most_ = std::max(most_, choice->scratch.count);
        std::tie(kernel.from, kernel.to) = rounds;
        BodyStep step{.node = {}, .name = std::move(name), .op = request.op};
        step.implementation = choice->implementation;
        for (const auto* parts : {&request.inputs, &request.outputs}) {
            for (const TensorPart& part : *parts) {
                step.traffic += {part.elements() * static_cast<std::int64_t>(byteSize(part.dtype))};
            }
        }
        step.flops = {request.inputs.size() == 2 ? request.outputs[0].elements() : 0};
        step.elements = request.outputs[0].elements();
        add(std::move(kernel), std::move(step));
    }

    void addTask(Task& task, std::int64_t scratch, std::int64_t runs) {
        RoundKernel kernel{.choices = choicesOf(task), .inputs = {}, .outputs = {}};
        for (const int input : task.inputs) {
            kernel.inputs.push_back(placeOf(input));
        }
        BodyStep step{.node = task.node, .name = task.name};
        for (const int output : task.outputs) {
            kernel.outputs.push_back(placeOf(output));
            step.formats.push_back(output < 0 ? std::string() : at(output).part.format.tag);
        }
        kernel.scratch = scratch;
        kernel.to = runs;
        step.op = task.request.body ? task.request.body->members.front().op : task.request.op;
        step.implementation = task.choice->implementation;
        step.flops = task.flops;
        step.traffic = task.traffic;
        for (const TensorPart& part : task.request.outputs) {
            step.elements = std::max(step.elements, part.elements());
        }
        step.rounds = task.rounds;
        add(std::move(kernel), std::move(step));
    }

    void add(RoundKernel kernel, BodyStep step) {
        made_->kernels.kernels.push_back(std::move(kernel));
        made_->steps.push_back(std::move(step));
    }

    std::vector<std::shared_ptr<const KernelChoice>> choicesOf(const Task& task) {
        if (!task.draws) {
            return {task.choice};
        }
        std::vector<std::shared_ptr<const KernelChoice>> choices;
        for (std::size_t round = 0; round < static_cast<std::size_t>(form_.count); ++round) {
            choices.push_back(chooser_.choose(inRound(task.request, round)));
            ensure(choices.back() != nullptr &&
                       choices.back()->implementation == task.choice->implementation &&
                       choices.back()->scratch.count <= task.choice->scratch.count,
                   "the key of a random op does not change the choice of its kernel");
        }
        return choices;
    }

    [[nodiscard]] KernelRequest inRound(KernelRequest request, std::size_t round) const {
        const auto keys = task_.repeat->keys.find(request.randomKey);
        if (keys != task_.repeat->keys.end()) {
            request.randomKey = keys->second[round];
        }
        if (request.body) {
            GroupBody body = *request.body;
            for (KernelRequest& member : body.members) {
                member = inRound(std::move(member), round);
            }
            request.body = std::make_shared<const GroupBody>(std::move(body));
        }
        return request;
    }

    std::shared_ptr<const KernelChoice> finish() {
        task_.flops = {};
        task_.traffic = {};
        for (std::size_t k = 0; k < made_->steps.size(); ++k) {
            task_.flops += made_->steps[k].flops * made_->kernels.kernels[k].runs();
            task_.traffic += made_->steps[k].traffic * made_->kernels.kernels[k].runs();
        }
        auto choice = std::make_shared<KernelChoice>();
        choice->implementation =
            fmt::format("{} {} of {} kernels", form_.count,
                        form_.count == 1 ? "iteration" : "iterations", made_->steps.size());
        choice->scratch = {scratch_ + aligned(most_)};
        for (const RoundKernel& kernel : made_->kernels.kernels) {
            choice->staging = std::max(choice->staging, kernel.choices.front()->staging);
        }
        for (std::size_t k = 0; k < task_.inputs.size(); ++k) {
            choice->inputFormats.push_back(isCaptured(k) ? task_.request.inputs[k].format
                                           : isSliced(k) ? Format{}
                                                         : carriedFormats_[k]);
        }
        choice->outputFormats = carriedFormats_; // all others are plain
        const std::shared_ptr<const RoundKernels> kernels(made_, &made_->kernels);
        choice->make = [kernels] { return makeRounds(kernels); };
        task_.rounds = made_;
        return choice;
    }

    Task& task_;
    const RepeatForm form_;
    const KernelChooser& chooser_;
    const SelectRequest& request_;
    LocalPlan local_; ///< one iteration
    std::vector<Format> carriedFormats_;
    std::shared_ptr<StepBody> made_;
    std::size_t constant_ = 0; ///< number of tasks that run once, before the first iteration
    std::map<int, RoundPlace> outside_; ///< values outside the scratch memory, keyed by storage
    std::vector<bool> isClaimed_;       ///< per result: written in place
    Layout layout_;
    std::int64_t scratch_ = 0;
    std::int64_t most_ = 0; ///< scratch memory of copies and sums
};

} // namespace

std::shared_ptr<const KernelChoice> chooseBodyKernels(Task& task, const KernelChooser& chooser,
                                                      const SelectRequest& request,
                                                      std::vector<std::string>& refusals) {
    return RoundsChoice(task, chooser, request).run(refusals);
}

} // namespace weft
