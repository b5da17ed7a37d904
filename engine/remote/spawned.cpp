// SPDX-License-Identifier: Apache-2.0
#include "remote/spawned.h"

#include "base/process/environment.h"
#include <weft/error.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace weft {

namespace {

/// The start attributes of a program for posix_spawn.
struct SpawnWays {
    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_t actions{};

    SpawnWays() {
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_init(&actions);
    }
    ~SpawnWays() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnWays(const SpawnWays&) = delete;
    SpawnWays& operator=(const SpawnWays&) = delete;

    void withCleanSignals(bool hasOwnSession) {
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes, &signals);
        sigfillset(&signals);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        posix_spawnattr_setflags(
            &attributes, static_cast<short>((hasOwnSession ? POSIX_SPAWN_SETSID : 0) |
                                            POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    }
    void give(int standard, int descriptor) {
        if (descriptor >= 0) {
            posix_spawn_file_actions_adddup2(&actions, descriptor, standard);
        } else {
            posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
        }
    }
};

std::vector<char*> pointersInto(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

Pipe makePipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throwFileError("a pipe", "make", errno);
    }
    return {FileHandle(ends[0]), FileHandle(ends[1])};
}

int spawn(const SpawnRequest& request) {
    SpawnWays ways;
    ways.withCleanSignals(request.hasOwnSession);
    ways.give(STDIN_FILENO, request.in);
    ways.give(STDOUT_FILENO, request.out);
    ways.give(STDERR_FILENO, request.error);
    posix_spawn_file_actions_addclosefrom_np(&ways.actions, STDERR_FILENO + 1);
    if (!request.folder.empty()) {
        posix_spawn_file_actions_addchdir_np(&ways.actions, request.folder.c_str());
    }
    std::vector<std::string> words = request.words;
    std::vector<std::string> environment = environmentWith(request.environment);
    pid_t process = 0;
    const int fault =
        ::posix_spawnp(&process, words.front().c_str(), &ways.actions, &ways.attributes,
                       pointersInto(words).data(), pointersInto(environment).data());
    if (fault != 0) {
        throw Error(ErrorCode::device, Where{.op = request.words.front()},
                    std::string("cannot be started: ") + std::strerror(fault),
                    fault == ENOENT
                        ? "install the program, or add it to PATH for non-interactive shells"
                        : "end other programs, or raise the limit on processes");
    }
    return process;
}

Child::Child(const SpawnRequest& request)
    : process_(spawn(request)), isApart_(request.hasOwnSession) {}

Child::~Child() {
    if (!hasEnded()) {
        signal(SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
}

bool Child::hasEnded() {
    hasEnded_ = hasEnded_ || ::waitpid(process_, &status_, WNOHANG) != 0;
    return hasEnded_;
}

bool Child::endsWithin(std::chrono::milliseconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!hasEnded() && std::chrono::steady_clock::now() < deadline) {
        ::poll(nullptr, 0, 5);
    }
    return hasEnded_;
}

void Child::signal(int number) const { ::kill(isApart_ ? -process_ : process_, number); }

int Child::code() const {
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

std::string lastLine(std::string_view text) {
    const std::size_t end = text.find_last_not_of(" \r\n\t");
    if (end == std::string_view::npos) {
        return {};
    }
    const std::size_t before = text.find_last_of("\r\n", end);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return std::string(text.substr(begin, end - begin + 1));
}

} // namespace weft
