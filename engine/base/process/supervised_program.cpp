// SPDX-License-Identifier: Apache-2.0
#include "base/process/supervised_program.h"

#include "base/process/environment.h"
#include "base/process/keeper.h"
#include <weft/error.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

namespace weft {

namespace {

[[noreturn]] void throwNotStarted(const std::filesystem::path& program) {
    throw Error(ErrorCode::device, Where{.op = program.string()},
                std::string("cannot be started: ") + std::strerror(errno),
                "end other programs, or raise the limit on processes (ulimit -u)");
}

} // namespace

int SupervisedProgram::sideFileNumber() {
    // A high number, because programs on other hosts may inherit the number without the file and
    // have another file under a low one.
    constexpr int usual = 900;
    rlimit limit{};
    const bool isKnown = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
    return isKnown && limit.rlim_cur <= usual ? static_cast<int>(limit.rlim_cur) - 1 : usual;
}

SupervisedProgram::SupervisedProgram(const ProgramRequest& request)
    : sideFile_(::memfd_create("aside", MFD_CLOEXEC)), folders_(request.folders) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throwNotStarted(request.program);
    }
    channel_ = FileHandle(ends[0]);
    ::fcntl(sideFile_.get(), F_SETFL, O_APPEND); // several processes may write
    const FileHandle theirs(ends[1]);
    const KeeperOrders orders{.program = request.program,
                              .arguments = request.arguments,
                              .environment = environmentWith(request.environment),
                              .folders = request.folders,
                              .channel = theirs.get(),
                              .sideFile = sideFile_.get(),
                              .sideFileNumber = sideFileNumber(),
                              .grace = request.grace};
    keeperProcess_ = ::fork();
    if (keeperProcess_ < 0) {
        throwNotStarted(request.program);
    }
    if (keeperProcess_ == 0) {
        runKeeper(orders);
    }
}

SupervisedProgram::~SupervisedProgram() {
    end();
    while (!hasEnded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

bool SupervisedProgram::hasEnded() {
    while (!hasEnded_) {
        KeeperAnswer answer;
        const auto got = ::recv(channel_.get(), &answer, sizeof(answer), MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return false;
        }
        if (got == sizeof(answer) && programProcess_ < 0) {
            programProcess_ = answer.number;
            continue;
        }
        // No answer means that the keeper was killed, and the program with it.
        hasEnded_ = true;
        status_ = got == sizeof(answer) ? answer.number : SIGKILL;
        wasKilled_ = WIFSIGNALED(status_) && !answer.hasKilled;
        ::waitpid(keeperProcess_, nullptr, 0);
        std::error_code ignored;
        for (const std::filesystem::path& folder : folders_) {
            std::filesystem::remove_all(folder, ignored);
        }
    }
    return true;
}

int SupervisedProgram::code() const {
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

std::string SupervisedProgram::sideFileText() const {
    std::string text;
    std::array<char, 4096> part{};
    constexpr std::size_t most = std::size_t{1} << 20U;
    for (ssize_t got = 1; got > 0 && text.size() < most;) {
        got = ::pread(sideFile_.get(), part.data(), part.size(), static_cast<off_t>(text.size()));
        text.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    return text;
}

void SupervisedProgram::mayFinish() {
    if (!mayFinish_) {
        mayFinish_ = true;
        sendCommand(static_cast<char>(KeeperCommand::mayFinish));
    }
}

void SupervisedProgram::end() {
    if (!endWasRequested_) {
        endWasRequested_ = true;
        sendCommand(static_cast<char>(KeeperCommand::end));
    }
}

void SupervisedProgram::sendCommand(char word) const {
    ::send(channel_.get(), &word, sizeof(word), MSG_NOSIGNAL);
}

} // namespace weft
