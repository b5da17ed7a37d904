// SPDX-License-Identifier: Apache-2.0
#pragma once
// Failures of the world (file, memory, device, peer, clock): thrown by the line that failed, caught
// at four borders only (subcommand, session, worker thread, UI action). Every one says where, what
// and what to do.

#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <string_view>

namespace weft {

enum class ErrorCode : std::uint8_t {
    usage,    ///< the call itself is wrong
    design,   ///< the design has errors and was asked to run
    file,     ///< missing, unreadable, full disk
    format,   ///< a file's content is not what it should be
    memory,   ///< host or device memory is not to be had
    device,   ///< a device is absent or failed
    peer,     ///< another rank died, stalled or disagrees
    timeout,  ///< a named wait reached its limit
    numerics, ///< a loss or gradient is not finite
    stopped,  ///< the run was asked to stop while waiting
    bug       ///< an invariant of ours does not hold
};
[[nodiscard]] std::string_view nameOf(ErrorCode code);

/// The place of a failure; what is unknown stays empty.
struct Where {
    std::string file = {};
    std::int64_t line = -1;
    std::int64_t offset = -1; ///< byte in the file
    int rank = -1;
    std::string host = {};
    std::string layer = {};
    std::string op = {};
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

/// A text with what would steer a terminal or cut a message (control characters, ESC, NUL, bytes
/// that are no UTF-8, marks that turn the writing round) spelled out: "\x1b". Lines stay where they
/// are wanted. Every message of an Error and of a Diagnostic has gone through it.
[[nodiscard]] std::string printable(std::string_view text, bool keepsLines = false);

/// Throws Error{bug} naming the invariant and the line; the window and the design live on.
void ensure(bool condition, const char* invariant,
            std::source_location at = std::source_location::current());

} // namespace weft
