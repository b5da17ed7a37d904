// SPDX-License-Identifier: Apache-2.0
#include "run/measure/try_plans.h"

#include "run/measure/trial_sets.h"
#include <weft/error.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace weft {

namespace {

/// An alternative that takes this many times as long as the fastest is not measured any further.
constexpr double muchSlower = 1.3;

void add(const std::shared_ptr<const KernelChoice>& choice, ChoicesWithAlternatives& choices) {
    if (choice != nullptr && choice->ways) {
        choices.emplace(choice->ways->name, choice);
    }
}

void add(const StepBody& rounds, ChoicesWithAlternatives& choices) {
    for (const RoundKernel& kernel : rounds.kernels.kernels) {
        for (const auto& choice : kernel.choices) {
            add(choice, choices);
        }
    }
    for (const BodyStep& step : rounds.steps) {
        step.rounds ? add(*step.rounds, choices) : void();
    }
}

/// Several calls of a kernel, each with the next set of operands, which a device captures once and
/// replays.
class RepeatedCalls {
public:
    RepeatedCalls(Kernel& kernel, const TrialSets::Calls& operands, int calls, Stream& stream)
        : enqueue_([&kernel, &operands, &stream, calls] {
              for (int call = 0; call < calls; ++call) {
                  kernel.run(operands.arguments(static_cast<std::size_t>(call), stream));
              }
          }),
          calls_(calls),
          captured_(stream.capture(enqueue_)) {}

    /// Returns the seconds of one call, by the stream's clock.
    [[nodiscard]] double seconds(Stream& stream) const {
        const std::unique_ptr<DeviceEvent> begin = stream.makeEvent();
        const std::unique_ptr<DeviceEvent> end = stream.makeEvent();
        const std::int64_t from = stream.now();
        begin != nullptr ? stream.leave(*begin) : void();
        captured_ != nullptr ? captured_->run(stream) : enqueue_();
        end != nullptr ? stream.leave(*end) : void();
        stream.finish();
        const std::int64_t taken =
            begin != nullptr ? end->time() - begin->time() : stream.now() - from;
        return static_cast<double>(taken) * 1e-9 / calls_;
    }

private:
    std::function<void()> enqueue_;
    int calls_;
    std::unique_ptr<CapturedGraph> captured_;
};

/// Returns enough calls that the start-up of a stream does not matter.
int callsFor(double seconds) {
    constexpr double enough = 5e-4;
    constexpr double most = 32;
    return static_cast<int>(std::clamp(enough / std::max(seconds, 1e-9), 1.0, most));
}

struct Candidate {
    KernelAlgorithm way;
    RepeatedCalls calls;
    std::vector<double> seconds;
};

class Trial {
public:
    Trial(const KernelAlgorithms& ways, const TrialSets& sets, Stream& stream)
        : name_(ways.name), stream_(stream), operands_(sets.callsOf(ways)) {
        for (KernelAlgorithm& way : ways.make()) {
            add(std::move(way));
        }
    }

    [[nodiscard]] TimedAlternatives run() {
        constexpr int rounds = 4; // and one more, after which slow alternatives are dropped
        for (int round = 0; round < rounds; ++round) {
            for (Candidate& one : candidates_) {
                one.seconds.push_back(one.calls.seconds(stream_));
                least_ = std::min(least_, one.seconds.back());
            }
            dropped_ += std::erase_if(candidates_, [this](const Candidate& one) {
                return std::ranges::min(one.seconds) > muchSlower * least_;
            });
        }
        TimedAlternatives made{
            .name = name_, .ways = ways_, .dropped = dropped_, .first = first_, .best = first_};
        for (const Candidate& one : candidates_) {
            const MeasuredPlan plan = planOf(one.way, middleOf(one.seconds));
            made.first = plan.engine == first_.engine ? plan : made.first;
            made.best =
                &one == &candidates_.front() || plan.time < made.best.time ? plan : made.best;
        }
        return made;
    }

private:
    static MeasuredPlan planOf(const KernelAlgorithm& way, const MeasuredTime& time) {
        return {.engine = way.engine,
                .workspace = way.workspace,
                .time = {std::max<std::int64_t>(1, static_cast<std::int64_t>(time.seconds * 1e9))},
                .spread = time.spread};
    }

    /// An algorithm that a library offers and then fails to execute is not a candidate.
    void add(KernelAlgorithm way) {
        try {
            Kernel& kernel = *way.kernel;
            kernel.run(operands_.arguments(0, stream_)); // warm-up
            stream_.finish();
            const double once = RepeatedCalls(kernel, operands_, 1, stream_).seconds(stream_);
            Candidate one{
                std::move(way), RepeatedCalls(kernel, operands_, callsFor(once), stream_), {}};
            one.seconds.push_back(one.calls.seconds(stream_));
            const double seconds = one.seconds.back();
            if (ways_++ == 0) {
                first_ = planOf(one.way, middleOf(one.seconds));
            }
            if (seconds > muchSlower * least_) {
                ++dropped_;
                return;
            }
            least_ = std::min(least_, seconds);
            candidates_.push_back(std::move(one));
        } catch (const Error&) {
            return;
        }
    }

    std::string name_;
    Stream& stream_;
    TrialSets::Calls operands_;
    std::vector<Candidate> candidates_;
    std::size_t ways_ = 0;
    std::size_t dropped_ = 0;
    double least_ = std::numeric_limits<double>::infinity();
    MeasuredPlan first_;
};

} // namespace

void addChoicesWithAlternatives(const Program& program, ChoicesWithAlternatives& choices) {
    for (const auto& choice : program.choices) {
        add(choice, choices);
    }
    for (const Step& step : program.steps) {
        step.rounds ? add(*step.rounds, choices) : void();
    }
}

std::vector<TimedAlternatives> timeAlternatives(Device& device,
                                                const ChoicesWithAlternatives& choices,
                                                const MeasuringProgress& progress) {
    const auto stream = device.makeStream(0, static_cast<int>(device.sheet().cores));
    device.use();
    std::vector<const KernelAlgorithms*> ways;
    ways.reserve(choices.size());
    std::ranges::transform(choices, std::back_inserter(ways),
                           [](const auto& one) { return &*one.second->ways; });
    const TrialSets sets(ways, device);
    std::vector<TimedAlternatives> all;
    double done = 0;
    for (const auto& [name, choice] : choices) {
        if (progress && !progress(done / static_cast<double>(choices.size()))) {
            throw Error(ErrorCode::stopped, Where{.op = name}, "the measurement was stopped",
                        "start it again");
        }
        TimedAlternatives one = Trial(*choice->ways, sets, *stream).run();
        if (one.ways > 0) {
            all.push_back(std::move(one));
        }
        done += 1;
    }
    return all;
}

} // namespace weft
