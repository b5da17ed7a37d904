// SPDX-License-Identifier: Apache-2.0
#pragma once
// The clock of the chips that are not there: the host's, and what ways to compute something are
// prescribed to take, which passes at once. So times can be compared in tests that wait for
// nothing.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace weft::sim {

inline std::atomic<std::int64_t> passedNanoseconds{0};

/// Nanoseconds that a call of that way takes: the variable WEFT_SIM_TIMES holds them by name,
/// "loops=3000000,cuda=2000000"; 0: what it takes here.
inline std::int64_t prescribedTime(std::string_view way) {
    const char* const given = std::getenv("WEFT_SIM_TIMES");
    const std::string times = given == nullptr ? "" : "," + std::string(given);
    const std::size_t found = times.find("," + std::string(way) + "=");
    return found == std::string::npos
               ? 0
               : std::strtoll(times.c_str() + found + way.size() + 2, nullptr, 10);
}

inline void advanceTime(std::int64_t nanoseconds) { passedNanoseconds += nanoseconds; }

} // namespace weft::sim
