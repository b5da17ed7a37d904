// SPDX-License-Identifier: Apache-2.0
#include "comm/host/clock_probe.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace weft {

namespace {

constexpr int questionsOfARound = 24;
/// Nanoseconds from one round to the next, in which two hosts' clocks drift apart by microseconds.
constexpr std::int64_t betweenRounds = 3'000'000'000;

/// Parses two numbers divided by a blank.
template <class First, class Second>
std::optional<std::pair<First, Second>> twoNumbers(std::string_view text) {
    std::pair<First, Second> numbers;
    const char* const end = text.data() + text.size();
    const auto [space, fault] = std::from_chars(text.data(), end, numbers.first);
    if (fault != std::errc() || space == end || *space != ' ') {
        return std::nullopt;
    }
    const auto [last, other] = std::from_chars(space + 1, end, numbers.second);
    return other == std::errc() && last == end ? std::optional(numbers) : std::nullopt;
}

} // namespace

std::string textOf(const ClockMeasure& measure) {
    return fmt::format("{} {}", measure.offset, measure.error);
}

std::optional<ClockMeasure> clockMeasureFrom(std::string_view text) {
    const auto numbers = twoNumbers<std::int64_t, std::int64_t>(text);
    return numbers && numbers->second >= 0
               ? std::optional(ClockMeasure{numbers->first, numbers->second})
               : std::nullopt;
}

std::optional<std::string> ClockProbe::nextQuestion(std::int64_t now) {
    if (isUnderWay_ || now < nextRound_) {
        return std::nullopt;
    }
    isUnderWay_ = true;
    askedAt_ = now;
    return std::to_string(++number_);
}

std::string ClockProbe::answer(std::string_view question, std::int64_t now) {
    return fmt::format("{} {}", question, now);
}

bool ClockProbe::takeAnswer(std::string_view answer, std::int64_t now) {
    const auto numbers = twoNumbers<std::uint64_t, std::int64_t>(answer);
    if (!isUnderWay_ || !numbers || numbers->first != number_) {
        return false;
    }
    isUnderWay_ = false;
    const std::int64_t way = now - askedAt_;
    const std::int64_t error = (way + 1) / 2;
    if (error < best_.error) {
        best_ = {askedAt_ + way / 2 - numbers->second, error};
    }
    if (++asked_ < questionsOfARound) {
        return false;
    }
    measure_ = std::exchange(best_, none);
    asked_ = 0;
    nextRound_ = now + betweenRounds;
    return true;
}

} // namespace weft
