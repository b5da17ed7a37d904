// SPDX-License-Identifier: Apache-2.0
#pragma once
// Simulates streams that share a GPU. A single host thread launches their steps one after another,
// each once everything that the step waits for is launched. A launched step begins when these have
// ended and its stream is free; a launch that the stream must wait for adds to the step's time.
// Steps that together need more than the whole GPU slow each other down in proportion. Collectives
// use no share of the GPU.

#include "schedule/program.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace weft {

/// The times of a step. A collective waits until all its members have `met`; for other steps `met`
/// is the begin.
struct StepTime {
    std::int64_t begin = 0; ///< nanoseconds, like the others
    std::int64_t met = 0;   ///< when all members of a collective have arrived; else `begin`
    std::int64_t end = 0;
};

struct ChipStep {
    std::uint32_t stream = 0;
    std::vector<StepWait> waits = {};
    std::int64_t launch = 0; ///< time of the host's thread for the launch
    std::int64_t work = 0;   ///< time on the chip if nothing else runs
    double fills = 0;        ///< share of the chip that the step needs
    bool meets = false;      ///< a collective with other devices, which is not launched
};

/// What is known about a collective when a member has arrived.
struct CollectiveTime {
    std::int64_t met = 0;   ///< when all members have arrived, or the last so far
    std::int64_t end = 0;   ///< lower bound until all members have arrived
    bool isSettled = false; ///< all members have arrived
};

class ChipStreams {
public:
    /// Is called with the time of the stream's arrival until the collective is settled.
    using AskCollective = std::function<CollectiveTime(std::size_t step, std::int64_t come)>;

    /// `steps` lists the steps of each stream in their order.
    ChipStreams(std::vector<ChipStep> steps, std::size_t streams, AskCollective meet);

    /// Advances as far as the other devices' times are known. False if nothing changed.
    bool advance();
    [[nodiscard]] bool isDone() const;
    [[nodiscard]] const std::vector<StepTime>& times() const { return times_; } ///< per step

private:
    struct Stream {
        std::vector<std::size_t> steps = {}; ///< indices, in their order
        std::size_t launched = 0;            ///< number of its steps that are launched
        std::size_t ended = 0;               ///< number of its steps that have ended
        bool isRunning = false; ///< whether its first step that has not ended is running
        double left = 0;        ///< remaining work of that step
    };
    struct Launch {
        std::size_t step = 0; ///< index of the step that is being launched
        std::int64_t end = 0; ///< when the launch ends
    };

    [[nodiscard]] bool mayLaunch(const ChipStep& step) const;
    [[nodiscard]] bool mayBegin(const ChipStep& step) const;
    [[nodiscard]] std::int64_t readyAt(const Stream& stream, const ChipStep& step) const;
    void begin();
    void launch();
    [[nodiscard]] double slowdown() const; ///< factor by which running steps are slower than alone
    [[nodiscard]] std::optional<std::int64_t> next() const; ///< time of the next event
    void advanceTo(std::int64_t moment);

    std::vector<ChipStep> steps_;
    AskCollective askCollective_;
    std::vector<Stream> streams_;
    std::vector<StepTime> times_;
    std::vector<std::int64_t> launches_; ///< per step: when its launch began
    std::optional<Launch> launch_;       ///< in progress on the host's thread
    std::int64_t now_ = 0;               ///< simulated time
};

/// Returns when all steps have ended on a device that exchanges nothing with others.
[[nodiscard]] std::int64_t endAlone(std::vector<ChipStep> steps, std::size_t streams);

} // namespace weft
