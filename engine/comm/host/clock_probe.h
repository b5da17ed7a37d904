// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far the steady clock of another process is from this one's: it is asked for its time many
// times, now and again, and of each round the answer counts that came back soonest. The truth is
// within half of that answer's way, however unlike the way there and the way back may be.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

struct ClockMeasure {
    std::int64_t offset = 0; ///< nanoseconds that make a time of one clock one of the other
    std::int64_t error = 0;  ///< by which that was wrong at most when it was measured
    bool operator==(const ClockMeasure&) const = default;
};
[[nodiscard]] std::string textOf(const ClockMeasure& measure);
[[nodiscard]] std::optional<ClockMeasure> clockMeasureFrom(std::string_view text);

/// The asking side. Times are of its own clock.
class ClockProbe {
public:
    /// What is to be asked now; nothing while an answer is on its way or the next round is not due.
    [[nodiscard]] std::optional<std::string> question(std::int64_t now);
    /// True where this answer ends a round, so that there is a new measure.
    [[nodiscard]] bool hear(std::string_view answer, std::int64_t now);
    /// From the other's clock to this one.
    [[nodiscard]] const std::optional<ClockMeasure>& measure() const { return measure_; }

    /// The other side's: its own time, now.
    [[nodiscard]] static std::string answer(std::string_view question, std::int64_t now);

private:
    std::uint64_t number_ = 0; ///< of the last question
    std::int64_t askedAt_ = 0;
    bool isUnderWay_ = false;
    int asked_ = 0; ///< in this round
    ClockMeasure best_ = none;
    std::int64_t nextRound_ = std::numeric_limits<std::int64_t>::min();
    std::optional<ClockMeasure> measure_;

    static constexpr ClockMeasure none{0, std::numeric_limits<std::int64_t>::max()};
};

} // namespace weft
