// SPDX-License-Identifier: Apache-2.0
#include "remote/spawned.h"

#include "base/environment.h"
#include <weft/error.h>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace weft {

namespace {

/// How a program begins, as the system wants it told.
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

    void withCleanSignals(bool isApart) {
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes, &signals);
        sigfillset(&signals);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        posix_spawnattr_setflags(
            &attributes, static_cast<short>((isApart ? POSIX_SPAWN_SETSID : 0) |
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

int spawned(const SpawnRequest& request) {
    SpawnWays ways;
    ways.withCleanSignals(request.isApart);
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
                    fault == ENOENT ? "install it, or have it in PATH where no terminal is"
                                    : "end other programs, or raise the limit on processes");
    }
    return process;
}

} // namespace weft
