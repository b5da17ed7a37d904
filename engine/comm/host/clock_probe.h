// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures the offset of another process's steady clock: asks for its time many times in each round
// and takes the answer with the shortest round trip. The error is at most half of that round trip,
// however asymmetric the two directions are.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

struct ClockMeasure {
    std::int64_t offset = 0; ///< nanoseconds to add to a time of one clock to get that of the other
    std::int64_t error = 0;  ///< largest error of the offset, in nanoseconds
    bool operator==(const ClockMeasure&) const = default;
};
[[nodiscard]] std::string textOf(const ClockMeasure& measure); ///< for a message
[[nodiscard]] std::optional<ClockMeasure> clockMeasureFrom(std::string_view text);

/// The asking side. Times are of its own clock.
class ClockProbe {
public:
    /// Returns the question to send now, or none while an answer is outstanding or the next round
    /// is not due.
    [[nodiscard]] std::optional<std::string> nextQuestion(std::int64_t now); ///< none: not due
    /// True if this answer ends a round, so that there is a new measure.
    [[nodiscard]] bool takeAnswer(std::string_view answer, std::int64_t now); ///< true: new measure
    /// Returns the offset from the other clock to this one.
    [[nodiscard]] const std::optional<ClockMeasure>& measure() const { return measure_; }

    /// Called by the other side: answers with its present time.
    [[nodiscard]] static std::string answer(std::string_view question, std::int64_t now);

private:
    std::uint64_t number_ = 0; ///< number of the last question
    std::int64_t askedAt_ = 0; ///< when the last question was sent, in nanoseconds
    bool isUnderWay_ = false;  ///< a question awaits its answer
    int asked_ = 0;            ///< questions in this round
    ClockMeasure best_ = none; ///< the most exact measure of this round
    std::int64_t nextRound_ = std::numeric_limits<std::int64_t>::min(); ///< begins no earlier
    std::optional<ClockMeasure> measure_; ///< result of the last complete round

    static constexpr ClockMeasure none{0, std::numeric_limits<std::int64_t>::max()}; ///< no measure
};

} // namespace weft
