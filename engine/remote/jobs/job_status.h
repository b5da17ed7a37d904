// SPDX-License-Identifier: Apache-2.0
#pragma once
// The state of a job, which is a process of its host or a job of a queue.

#include <cstdint>
#include <optional>
#include <string>

namespace weft {

enum class JobState : std::uint8_t {
    none,    ///< there is no such job
    waiting, ///< in a queue
    begun,   ///< it runs
    ended,   ///< with `code` or a reason
    unknown  ///< its queue or host does not answer; `reason` says why
};

struct JobStatus {
    JobState state = JobState::none;
    bool isBeingAsked = false; ///< for an unknown state: the queue is being asked
    std::string number = {};   ///< in its queue; empty: it is a process of the host
    std::string reason = {};   ///< why it waits or ended, in its queue's words
    std::int64_t place = 0;    ///< in its queue, from 1; 0: unknown
    std::int64_t asked = 0;    ///< when it was submitted, in seconds of Unix time
    std::int64_t expected = 0; ///< expected start in seconds of Unix time; 0: unknown
    /// Exit code if it has ended; none: it was killed, or the code is unknown.
    std::optional<int> code{}; ///< exit code; none: not ended, killed, or unknown
    bool isCancelled = false;  ///< cancelled by a user
    std::string output = {};   ///< if it has ended: the end of its output
    bool operator==(const JobStatus&) const = default;
};

} // namespace weft
