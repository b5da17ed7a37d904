// SPDX-License-Identifier: Apache-2.0
#pragma once
// Streams that share a chip, as time passes on it. One thread of the host launches their steps, one
// after the other, as soon as all that a step waits for is launched; a launched step begins when
// that has ended and its stream is free; where only its launch is waited for, that is part of its
// time. Alone it has the whole chip; of those that run side by side, where together they would fill
// more than there is, each takes so many times longer. A collective fills nothing.

#include "schedule/program.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace weft {

/// When a step ran. A collective waits until all its members have `met`; what only computes meets
/// nobody, and has its begin there.
struct StepTime {
    std::int64_t begin = 0;
    std::int64_t met = 0;
    std::int64_t end = 0;
};

struct ChipStep {
    std::uint32_t stream = 0;
    std::vector<StepWait> waits = {};
    std::int64_t launch = 0; ///< what its launch takes of the host's thread
    std::int64_t work = 0;   ///< what it then takes, alone
    double fills = 0;        ///< so much of the chip
    bool meets = false;      ///< others; it is not launched
};

/// What is known of a meeting by one who has come to it.
struct MeetingTime {
    std::int64_t met = 0;
    std::int64_t end = 0; ///< until all have come: it is no earlier
    bool isSettled = false;
};

class ChipStreams {
public:
    /// Asked again and again until it is settled, with the moment at which it was come to.
    using Meet = std::function<MeetingTime(std::size_t step, std::int64_t come)>;

    /// The steps of each stream in their order.
    ChipStreams(std::vector<ChipStep> steps, std::size_t streams, Meet meet);

    /// Goes on as far as is known what others do. False: nothing has happened.
    bool advance();
    [[nodiscard]] bool isDone() const;
    [[nodiscard]] const std::vector<StepTime>& times() const { return times_; } ///< by step

private:
    struct Stream {
        std::vector<std::size_t> steps = {};
        std::size_t launched = 0;
        std::size_t ended = 0;
        bool isRunning = false; ///< its first that has not ended
        double left = 0;        ///< of that one's work
    };
    struct Launch {
        std::size_t step = 0;
        std::int64_t end = 0;
    };

    [[nodiscard]] bool mayLaunch(const ChipStep& step) const;
    [[nodiscard]] bool mayBegin(const ChipStep& step) const;
    [[nodiscard]] std::int64_t readyAt(const Stream& stream, const ChipStep& step) const;
    void begin();
    void launch();
    [[nodiscard]] double slowing() const;
    [[nodiscard]] std::optional<std::int64_t> next() const;
    void passTo(std::int64_t moment);

    std::vector<ChipStep> steps_;
    Meet meet_;
    std::vector<Stream> streams_;
    std::vector<StepTime> times_;
    std::vector<std::int64_t> launches_; ///< by step, when its launch began
    std::optional<Launch> launch_;
    std::int64_t now_ = 0;
};

/// When all of that has ended on a device that meets nobody but itself.
[[nodiscard]] std::int64_t endAlone(std::vector<ChipStep> steps, std::size_t streams);

} // namespace weft
