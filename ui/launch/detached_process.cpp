// SPDX-License-Identifier: Apache-2.0
#include "launch/detached_process.h"

#include <weft/error.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

namespace weft::ui {

namespace {

struct SpawnAttributes {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    SpawnAttributes() {
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_init(&actions);
    }
    ~SpawnAttributes() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;
};

} // namespace

DetachedProcess::DetachedProcess(const QStringList& command, const QString& output)
    : output_(output) {
    std::vector<std::string> words;
    for (const QString& word : command) {
        words.push_back(word.toStdString());
    }
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const std::string file = output.toStdString();
    SpawnAttributes how;
    posix_spawnattr_setflags(&how.attributes, POSIX_SPAWN_SETSID);
    posix_spawn_file_actions_addopen(&how.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&how.actions, STDOUT_FILENO, file.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&how.actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t id = 0;
    const int fault =
        posix_spawnp(&id, arguments[0], &how.actions, &how.attributes, arguments.data(), environ);
    if (fault != 0) {
        throw Error(ErrorCode::file, Where{.file = words[0]},
                    std::string("cannot be started: ") + std::strerror(fault),
                    "install weft beside the workbench or on PATH");
    }
    setpriority(PRIO_PROCESS, static_cast<id_t>(id), runNiceness);
    id_ = id;
}

std::optional<ProcessEnd> DetachedProcess::end() {
    int status = 0;
    if (!end_ && waitpid(static_cast<pid_t>(id_), &status, WNOHANG) == id_) {
        end_ = ProcessEnd{WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                          WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    }
    return end_;
}

} // namespace weft::ui
