// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a job stands, be it a process of its host or one of a queue.

#include <cstdint>
#include <optional>
#include <string>

namespace weft {

enum class JobState : std::uint8_t {
    none, ///< there is no such job
    waiting,
    begun,
    ended,
    unknown ///< who would know it does not answer; `reason` says why
};

struct JobWord {
    JobState state = JobState::none;
    bool isComing = false;     ///< of an unknown one: its queue is being asked
    std::string number = {};   ///< in its queue; empty: it is a process of the host
    std::string reason = {};   ///< why it waits or ended, as its queue calls it
    std::int64_t place = 0;    ///< in its queue, from 1; 0: nobody says
    std::int64_t asked = 0;    ///< for, in seconds of Unix time
    std::int64_t expected = 0; ///< to begin, in seconds of Unix time; 0: nobody says
    std::optional<int> code{}; ///< of one that ended; nothing: it was killed, or nobody knows
    bool isCancelled = false;  ///< somebody asked for its end
    std::string output = {};   ///< of one that ended: the end of what it printed
    bool operator==(const JobWord&) const = default;
};

} // namespace weft
