// SPDX-License-Identifier: Apache-2.0
#pragma once
// The exception for external failures (file, memory, device, peer, timeout). Errors are caught only
// at subcommand, session, worker thread and UI action. Each says where, what and what to do.

#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <string_view>

namespace weft {

enum class ErrorCode : std::uint8_t {
    usage,    ///< the call itself is wrong
    design,   ///< the design has errors, so it cannot run
    file,     ///< missing, unreadable, full disk
    format,   ///< a file's content is invalid
    memory,   ///< host or device memory cannot be allocated
    device,   ///< a device is absent or failed
    peer,     ///< another rank died, stalled or disagrees
    timeout,  ///< a named wait reached its limit
    numerics, ///< a loss or gradient is not finite
    stopped,  ///< the run was asked to stop while waiting
    bug       ///< an internal invariant does not hold
};
[[nodiscard]] std::string_view nameOf(ErrorCode code);

/// The place of a failure; unknown parts stay empty.
struct Where {
    std::string file = {};    ///< empty: not about a file
    std::int64_t line = -1;   ///< from 1; -1: unknown
    std::int64_t offset = -1; ///< byte offset in the file
    int rank = -1;            ///< -1: not about a rank
    std::string host = {};    ///< empty: not about a host
    std::string layer = {};   ///< empty: not about a layer
    std::string op = {};      ///< empty: not about an op
    bool operator==(const Where&) const = default;
};

class Error : public std::exception {
public:
    Error(ErrorCode code, Where where, std::string what, std::string remedy);

    [[nodiscard]] ErrorCode code() const { return code_; }
    [[nodiscard]] const Where& where() const { return where_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] const std::string& remedy() const { return remedy_; }
    /// "rank 3 (hostB), conv5: no word for 10 s in all-reduce: check that the process still runs"
    [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

private:
    ErrorCode code_;
    Where where_;
    std::string problem_;
    std::string remedy_;
    std::string message_;
};

/// Escapes everything that could steer a terminal or cut a message ("\x1b"): control characters,
/// ESC, NUL, invalid UTF-8 and marks that change the writing direction. `keepsLines` keeps line
/// breaks. Applied to every message of an Error or a Diagnostic.
[[nodiscard]] std::string printable(std::string_view text, bool keepsLines = false);

/// Throws Error{bug} with the invariant and the line if the condition is false; the program goes
/// on.
void ensure(bool condition, const char* invariant,
            std::source_location at = std::source_location::current());

} // namespace weft
