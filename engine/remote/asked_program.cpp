// SPDX-License-Identifier: Apache-2.0
#include "remote/asked_program.h"

#include "remote/spawned.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <sstream>
#include <thread>

namespace weft {

namespace {

constexpr std::size_t mostSaid = std::size_t{1} << 20U;

/// Read without waiting.
Pipe makeHearingPipe() {
    Pipe pipe = makePipe();
    ::fcntl(pipe.out.get(), F_SETFL, O_NONBLOCK);
    return pipe;
}

/// What has come by now; beyond the most that is kept it is read and forgotten.
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
    std::string last;
    std::istringstream lines(error.empty() ? said : error);
    for (std::string line; std::getline(lines, line);) {
        last = line.find_first_not_of(" \t\r") == std::string::npos ? last : line;
    }
    return last.empty() ? fmt::format("it ended with {}", code) : printable(last);
}

AskedProgram::AskedProgram(const ProgramQuestion& question) : deadline_(question.limit) {
    Pipe out = makeHearingPipe();
    Pipe error = makeHearingPipe();
    process_ = spawned({.words = question.words,
                        .folder = question.folder,
                        .environment = question.environment,
                        .out = out.in.get(),
                        .error = error.in.get()});
    out_ = std::move(out.out);
    error_ = std::move(error.out);
}

AskedProgram::~AskedProgram() { end(); }

void AskedProgram::end() {
    if (process_ > 0) {
        ::kill(-process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        process_ = -1;
    }
}

bool AskedProgram::hasEnded() {
    if (process_ < 0) {
        return true;
    }
    int status = 0;
    const bool isOver = ::waitpid(process_, &status, WNOHANG) == process_;
    hear(out_, answer_.said);
    hear(error_, answer_.error);
    if (isOver) {
        answer_.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        process_ = -1;
    } else if (deadline_.hasPassed()) {
        answer_.isLate = true;
        answer_.code = 128 + SIGKILL;
        end();
    }
    return process_ < 0;
}

ProgramAnswer answerOf(const ProgramQuestion& question) {
    try {
        AskedProgram program(question);
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
