// SPDX-License-Identifier: Apache-2.0
#include "run/train/step_decision.h"

#include <algorithm>
#include <array>
#include <vector>

namespace weft {

namespace {

constexpr std::size_t votes = 6;

/// Larger than any node number of a plan, so that no collective of a program has this number.
constexpr std::uint32_t decisionNumber = 0xFFFFFFFE;

struct Seat {
    std::unique_ptr<Collective> collective;
    std::array<float, votes> mine{};
    std::array<float, votes> sum{};
    bool isDone = false;
};

CollectiveRequest requestFor(std::span<const DeviceId> all) {
    CollectiveRequest request{.name = "the step decision", .kind = "all-reduce", .origin = {}};
    request.number = decisionNumber;
    request.members.assign(all.begin(), all.end());
    request.isAllReduce = true;
    request.reduction = Reduction::max;
    request.elements = {static_cast<std::int64_t>(votes)};
    request.dtype = DType::f32;
    request.inputBytes.assign(all.size(), {votes * sizeof(float)});
    request.outputBytes = request.inputBytes;
    return request;
}

} // namespace

Decide makeDecide(Communicator& communicator, std::span<const DeviceId> all,
                  std::span<const DeviceId> local, std::function<void()> keepWaiting) {
    auto seats = std::make_shared<std::vector<Seat>>(local.size());
    for (std::size_t k = 0; k < local.size(); ++k) {
        (*seats)[k].collective = communicator.prepare(requestFor(all), local[k]);
    }
    return [seats, keepWaiting = std::move(keepWaiting)](const StepDecision& mine) {
        for (Seat& seat : *seats) {
            seat.mine = {mine.stop ? 1.0F : 0.0F,     mine.save ? 1.0F : 0.0F,
                         mine.pause ? 1.0F : 0.0F,    mine.notFinite ? 1.0F : 0.0F,
                         mine.timeIsUp ? 1.0F : 0.0F, static_cast<float>(mine.observe)};
            const void* in = seat.mine.data();
            void* out = seat.sum.data();
            seat.collective->start({&in, 1}, {&out, 1}, nullptr);
            seat.isDone = false;
        }
        for (;;) {
            bool all = true;
            for (Seat& seat : *seats) {
                seat.isDone = seat.isDone || seat.collective->hasFinished();
                all = all && seat.isDone;
            }
            if (all) {
                break;
            }
            keepWaiting();
        }
        const auto& sum = seats->front().sum;
        return StepDecision{.stop = sum[0] > 0,
                            .save = sum[1] > 0,
                            .pause = sum[2] > 0,
                            .notFinite = sum[3] > 0,
                            .timeIsUp = sum[4] > 0,
                            .observe = static_cast<int>(sum[5])};
    };
}

} // namespace weft
