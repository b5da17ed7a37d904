// SPDX-License-Identifier: Apache-2.0
#include "remote/query_program.h"

#include "remote/spawned.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

namespace weft {

namespace {

constexpr std::size_t mostSaid = std::size_t{1} << 20U;

/// Makes a pipe that is read without blocking.
Pipe makeHearingPipe() {
    Pipe pipe = makePipe();
    ::fcntl(pipe.out.get(), F_SETFL, O_NONBLOCK);
    return pipe;
}

/// Reads what has arrived; discards what exceeds the limit.
void hear(const FileHandle& from, std::string& text) {
    std::array<char, 16384> part{};
    for (ssize_t got = 1; got > 0 || (got < 0 && errno == EINTR);) {
        got = ::read(from.get(), part.data(), part.size());
        if (got > 0) {
            text.append(part.data(), std::min(static_cast<std::size_t>(got),
                                              mostSaid - std::min(mostSaid, text.size())));
        }
    }
}

} // namespace

std::string ProgramAnswer::complaint() const {
    if (isLate) {
        return "no answer in time";
    }
    const std::string last = lastLine(error.empty() ? said : error);
    return last.empty() ? fmt::format("the program ended with code {}", code) : printable(last);
}

QueryProgram::QueryProgram(const ProgramQuestion& question)
    : deadline_(question.limit), out_(makeHearingPipe()), error_(makeHearingPipe()) {
    child_.emplace(SpawnRequest{.words = question.words,
                                .folder = question.folder,
                                .environment = question.environment,
                                .out = out_.in.get(),
                                .error = error_.in.get()});
    out_.in = FileHandle();
    error_.in = FileHandle();
}

bool QueryProgram::hasEnded() {
    if (!child_) {
        return true;
    }
    const bool isOver = child_->hasEnded();
    hear(out_.out, answer_.said);
    hear(error_.out, answer_.error);
    answer_.isLate = !isOver && deadline_.hasPassed();
    if (isOver || answer_.isLate) {
        answer_.code = isOver ? child_->code() : 128 + SIGKILL;
        child_.reset();
    }
    return !child_;
}

ProgramAnswer answerOf(const ProgramQuestion& question) {
    try {
        QueryProgram program(question);
        while (!program.hasEnded()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return program.answer();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::device) {
            throw;
        }
        return {.code = 127, .error = error.what()};
    }
}

} // namespace weft
