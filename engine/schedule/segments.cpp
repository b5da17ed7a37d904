// SPDX-License-Identifier: Apache-2.0
#include "schedule/segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace weft {

namespace {

bool areStaged(const Rounds& rounds) {
    const auto isStaged = [](const auto& choice) { return choice->staged.count > 0; };
    return std::ranges::any_of(rounds.kernels.kernels,
                               [&](const RoundKernel& one) {
                                   return std::ranges::any_of(one.choices, isStaged);
                               }) ||
           std::ranges::any_of(rounds.steps, [](const RoundStep& step) {
               return step.rounds != nullptr && areStaged(*step.rounds);
           });
}

class Cutting {
public:
    explicit Cutting(const Program& program)
        : program_(program),
          streams_(program.streams.size()),
          taken_(program.streams.size(), 0),
          segments_(program.streams.size(), 0),
          waited_(program.streams.size(), std::vector<std::uint32_t>(program.streams.size(), 0)),
          in_(program.steps.size()) {
        for (std::uint32_t k = 0; k < program.steps.size(); ++k) {
            streams_[program.steps[k].stream].push_back(k);
            anew_.push_back(isSaidAnew(program, program.steps[k]));
        }
    }

    std::vector<Segment> run() {
        for (std::optional<std::uint32_t> next = findNext(); next; next = findNext()) {
            if (anew_[*next] || !isOpen_ || waitsForOthers(*next)) {
                begin(*next);
            }
            add(*next);
            isOpen_ = !anew_[*next];
        }
        return std::move(made_);
    }

private:
    /// What others take part in as soon as it can be: it is not to wait for more.
    [[nodiscard]] std::optional<std::uint32_t> findNext() const {
        std::optional<std::uint32_t> found;
        for (std::size_t stream = 0; stream < streams_.size(); ++stream) {
            if (taken_[stream] == streams_[stream].size()) {
                continue;
            }
            const std::uint32_t step = streams_[stream][taken_[stream]];
            const bool isReady =
                std::ranges::all_of(program_.steps[step].waits, [this](const StepWait& wait) {
                    return taken_[wait.stream] >= wait.count;
                });
            if (isReady && (!found || (anew_[step] && !anew_[*found]))) {
                found = step;
            }
        }
        return found;
    }

    /// By the segments that its own waits and its stream put before it.
    template <class Take>
    void forEachBefore(std::uint32_t step, const Take& take) const {
        const Step& at = program_.steps[step];
        for (const StepWait& wait : at.waits) {
            take(in_[streams_[wait.stream][wait.count - 1]]);
        }
        if (taken_[at.stream] > 0) {
            take(in_[streams_[at.stream][taken_[at.stream] - 1]]);
        }
    }

    /// For what others take part in, which the open segment's queue has not waited for.
    [[nodiscard]] bool waitsForOthers(std::uint32_t step) const {
        bool does = false;
        forEachBefore(step, [&](const Place& before) {
            does = does || (made_[before.segment].isSaidAnew && !isWaitedFor(before));
        });
        return does;
    }

    struct Place {
        std::size_t segment = 0;
        std::uint32_t stream = 0;
        std::uint32_t count = 0; ///< of its stream's segments, with it
    };

    [[nodiscard]] bool isWaitedFor(const Place& before) const {
        const std::uint32_t stream = made_.back().stream;
        return before.stream == stream || waited_[stream][before.stream] >= before.count;
    }

    void begin(std::uint32_t step) {
        const std::uint32_t stream = program_.steps[step].stream;
        made_.push_back({.steps = {}, .isSaidAnew = anew_[step], .stream = stream});
        ++segments_[stream];
    }

    void add(std::uint32_t step) {
        Segment& segment = made_.back();
        forEachBefore(step, [&](const Place& before) {
            if (before.segment + 1 == made_.size() || isWaitedFor(before)) {
                return;
            }
            waited_[segment.stream][before.stream] = before.count;
            const auto known = std::ranges::find(segment.waits, before.stream, &StepWait::stream);
            if (known == segment.waits.end()) {
                segment.waits.push_back({before.stream, before.count});
            } else {
                known->count = before.count;
            }
        });
        segment.steps.push_back(step);
        in_[step] = {made_.size() - 1, segment.stream, segments_[segment.stream]};
        ++taken_[program_.steps[step].stream];
    }

    const Program& program_;
    std::vector<std::vector<std::uint32_t>> streams_; ///< steps, in their order
    std::vector<std::uint32_t> taken_;              ///< of each stream's
    std::vector<std::uint32_t> segments_;           ///< by stream, how many
    /// By stream and another: how many segments of that its own have waited for.
    std::vector<std::vector<std::uint32_t>> waited_;
    std::vector<Place> in_;  ///< by step
    std::vector<bool> anew_; ///< by step
    std::vector<Segment> made_;
    bool isOpen_ = false; ///< the last segment can take more
};

} // namespace

// What devices exchange in a communicator of their own stands in their queues as kernels do, and is said
// anew all the same, because of what becomes of it when a peer is gone: NCCL's abort, by which a
// deadline ends a run, waits until no captured graph holds a call of the communicator (init.cc,
// commDestroySync), and its guide warns that graphs of several devices of one process may wait for
// each other for ever.
bool isSaidAnew(const Program& program, const Step& step) {
    return step.kind == StepKind::collective || program.choices[step.asks]->staged.count > 0 ||
           (step.rounds != nullptr && areStaged(*step.rounds));
}

std::string nameOf(const Program& program, const Segment& segment) {
    const std::string& first = program.steps[segment.steps.front()].name;
    return segment.steps.size() == 1 ? first
                                     : fmt::format("{} kernels, {} to {}", segment.steps.size(),
                                                   first, program.steps[segment.steps.back()].name);
}

std::vector<Segment> segmentsOf(const Program& program) { return Cutting(program).run(); }

} // namespace weft
