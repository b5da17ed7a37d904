// SPDX-License-Identifier: Apache-2.0
#include "schedule/program_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace weft {

namespace {

bool areStaged(const StepBody& rounds) {
    const auto isStaged = [](const auto& choice) { return choice->staged.count > 0; };
    return std::ranges::any_of(rounds.kernels.kernels,
                               [&](const RoundKernel& one) {
                                   return std::ranges::any_of(one.choices, isStaged);
                               }) ||
           std::ranges::any_of(rounds.steps, [](const BodyStep& step) {
               return step.rounds != nullptr && areStaged(*step.rounds);
           });
}

class Cutting {
public:
    explicit Cutting(const Program& program)
        : program_(program),
          streams_(program.streams.size()),
          taken_(program.streams.size(), 0),
          parts_(program.streams.size(), 0),
          waited_(program.streams.size(), std::vector<std::uint32_t>(program.streams.size(), 0)),
          in_(program.steps.size()) {
        for (std::uint32_t k = 0; k < program.steps.size(); ++k) {
            streams_[program.steps[k].stream].push_back(k);
            anew_.push_back(!isCapturable(program, program.steps[k]));
        }
    }

    std::vector<ProgramPart> run() {
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
    /// Returns the next step that is ready. A step that cannot be captured goes first, so that
    /// other devices need not wait.
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

    /// Calls `take` with the parts that must precede the step, by its waits and its stream.
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

    /// True if the step waits for a step that cannot be captured and the open part's stream has not
    /// waited for that one.
    [[nodiscard]] bool waitsForOthers(std::uint32_t step) const {
        bool does = false;
        forEachBefore(step, [&](const Place& before) {
            does = does || (!made_[before.part].isCapturable && !isWaitedFor(before));
        });
        return does;
    }

    struct Place {
        std::size_t part = 0;
        std::uint32_t stream = 0;
        std::uint32_t count = 0; ///< number of its stream's parts up to and including this one
    };

    [[nodiscard]] bool isWaitedFor(const Place& before) const {
        const std::uint32_t stream = made_.back().stream;
        return before.stream == stream || waited_[stream][before.stream] >= before.count;
    }

    void begin(std::uint32_t step) {
        const std::uint32_t stream = program_.steps[step].stream;
        made_.push_back({.steps = {}, .isCapturable = !anew_[step], .stream = stream});
        ++parts_[stream];
    }

    void add(std::uint32_t step) {
        ProgramPart& part = made_.back();
        forEachBefore(step, [&](const Place& before) {
            if (before.part + 1 == made_.size() || isWaitedFor(before)) {
                return;
            }
            waited_[part.stream][before.stream] = before.count;
            const auto known = std::ranges::find(part.waits, before.stream, &StepWait::stream);
            if (known == part.waits.end()) {
                part.waits.push_back({before.stream, before.count});
            } else {
                known->count = before.count;
            }
        });
        part.steps.push_back(step);
        in_[step] = {made_.size() - 1, part.stream, parts_[part.stream]};
        ++taken_[program_.steps[step].stream];
    }

    const Program& program_;
    std::vector<std::vector<std::uint32_t>> streams_; ///< indices of steps, in their order
    std::vector<std::uint32_t> taken_;                ///< per stream: steps taken so far
    std::vector<std::uint32_t> parts_;                ///< per stream: number of parts
    /// By stream and another stream: how many parts of the other it has waited for.
    std::vector<std::vector<std::uint32_t>> waited_;
    std::vector<Place> in_;  ///< per step
    std::vector<bool> anew_; ///< per step
    std::vector<ProgramPart> made_;
    bool isOpen_ = false; ///< the last part can take more steps
};

} // namespace

// Collectives of a communicator of devices are enqueued like kernels, but are never captured,
// because of the loss of a peer: NCCL's abort, by which a deadline ends a run, waits until no
// captured graph contains a call of the communicator (init.cc, commDestroySync), and its guide
// warns that graphs of several devices of one process can deadlock.
bool isCapturable(const Program& program, const Step& step) {
    return step.kind != StepKind::collective &&
           program.choices[step.kernelOrCollective]->staged.count == 0 &&
           (step.rounds == nullptr || !areStaged(*step.rounds));
}

std::string nameOf(const Program& program, const ProgramPart& part) {
    const std::string& first = program.steps[part.steps.front()].name;
    return part.steps.size() == 1 ? first
                                  : fmt::format("{} kernels, {} to {}", part.steps.size(), first,
                                                program.steps[part.steps.back()].name);
}

std::vector<ProgramPart> partsOf(const Program& program) { return Cutting(program).run(); }

} // namespace weft
