// SPDX-License-Identifier: Apache-2.0
#include "run/child_process.h"

#include "base/waiting.h"
#include <weft/error.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

namespace weft {

namespace {

std::vector<char*> pointersTo(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string>
environmentWith(const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        all.emplace_back(*entry);
    }
    for (const auto& [name, value] : added) {
        const std::string begin = name + "=";
        std::erase_if(all, [&](const std::string& entry) { return entry.starts_with(begin); });
        all.push_back(begin + value);
    }
    return all;
}

/// How the child begins: in a group of its own, deaf to the terminal, with the signals' usual
/// meanings.
class Beginning {
public:
    Beginning() {
        posix_spawn_file_actions_init(&files_);
        posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawnattr_init(&attributes_);
        sigset_t all;
        sigfillset(&all);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                   POSIX_SPAWN_SETSIGMASK);
    }
    ~Beginning() {
        posix_spawnattr_destroy(&attributes_);
        posix_spawn_file_actions_destroy(&files_);
    }
    Beginning(const Beginning&) = delete;
    Beginning& operator=(const Beginning&) = delete;

    [[nodiscard]] const posix_spawn_file_actions_t* files() const { return &files_; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
    posix_spawn_file_actions_t files_ = {};
    posix_spawnattr_t attributes_ = {};
};

} // namespace

ChildProcess::ChildProcess(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const std::vector<std::pair<std::string, std::string>>& environment) {
    std::vector<std::string> words = arguments;
    std::vector<std::string> all = environmentWith(environment);
    const Beginning beginning;
    const int error =
        ::posix_spawn(&process_, program.c_str(), beginning.files(), beginning.attributes(),
                      pointersTo(words).data(), pointersTo(all).data());
    if (error != 0) {
        throw Error(ErrorCode::device, Where{.op = program.string()},
                    std::string("cannot be started: ") + std::strerror(error),
                    "end other programs, or raise the limit on processes (ulimit -u)");
    }
}

ChildProcess::~ChildProcess() { end(std::chrono::milliseconds(0)); }

bool ChildProcess::hasEnded() {
    if (hasEnded_) {
        return true;
    }
    int status = 0;
    const pid_t ended = ::waitpid(process_, &status, WNOHANG);
    if (ended == process_) {
        hasEnded_ = true;
        code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    } else if (ended < 0 && errno == ECHILD) {
        hasEnded_ = true; // somebody else has waited for it
    }
    return hasEnded_;
}

void ChildProcess::signal(int number) const {
    if (!hasEnded_) {
        ::kill(process_, number);
    }
}

void ChildProcess::end(std::chrono::milliseconds limit) {
    const Deadline deadline(limit);
    signal(SIGTERM);
    while (!hasEnded() && !deadline.hasPassed()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    signal(SIGKILL);
    while (!hasEnded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

} // namespace weft
