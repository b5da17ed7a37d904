// SPDX-License-Identifier: Apache-2.0
#include <weft/error.h>

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace weft {

std::string_view nameOf(ErrorCode code) {
    switch (code) {
    case ErrorCode::usage: return "usage";
    case ErrorCode::design: return "design";
    case ErrorCode::file: return "file";
    case ErrorCode::format: return "format";
    case ErrorCode::memory: return "memory";
    case ErrorCode::device: return "device";
    case ErrorCode::peer: return "peer";
    case ErrorCode::timeout: return "timeout";
    case ErrorCode::numerics: return "numerics";
    case ErrorCode::stopped: return "stopped";
    case ErrorCode::bug: return "bug";
    }
    return "unknown";
}

namespace {

std::string placeText(const Where& where) {
    std::vector<std::string> parts;
    if (where.rank >= 0) {
        parts.push_back(where.host.empty() ? fmt::format("rank {}", where.rank)
                                           : fmt::format("rank {} ({})", where.rank, where.host));
    } else if (!where.host.empty()) {
        parts.push_back(where.host);
    }
    if (!where.layer.empty()) {
        parts.push_back(where.layer);
    }
    if (!where.op.empty()) {
        parts.push_back(where.op);
    }
    if (!where.file.empty()) {
        parts.push_back(where.line >= 0 ? fmt::format("{}:{}", where.file, where.line)
                                        : where.file);
    } else if (where.line >= 0) {
        parts.push_back(fmt::format("line {}", where.line));
    }
    if (where.offset >= 0) {
        parts.push_back(fmt::format("byte {}", where.offset));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

[[noreturn]] void raise(const Error& error) { throw error; }

/// Ends the process, because the exception leaves a noexcept function; the runtime first prints its
/// message.
[[noreturn]] void endWith(const Error& error) noexcept { raise(error); }

} // namespace

Error::Error(ErrorCode code, Where where, std::string what, std::string remedy)
    : code_(code), where_(std::move(where)), problem_(std::move(what)), remedy_(std::move(remedy)) {
    const std::string place = printable(placeText(where_));
    message_ = (place.empty() ? "" : place + ": ") + printable(problem_);
    if (!remedy_.empty()) {
        message_ += ": " + printable(remedy_);
    }
}

void ensure(bool condition, const char* invariant, std::source_location at) {
    if (condition) [[likely]] {
        return;
    }
    Where where;
    where.file = at.file_name();
    where.line = at.line();
    where.op = at.function_name();
    const Error error(ErrorCode::bug, std::move(where),
                      fmt::format("an internal invariant was violated: {}", invariant),
                      "this is a fault of Weft: please report it with this message");
    if constexpr (WEFT_ABORT_ON_BUG) {
        endWith(error);
    }
    throw Error(error);
}

} // namespace weft
