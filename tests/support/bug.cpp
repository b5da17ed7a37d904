// SPDX-License-Identifier: Apache-2.0
#include "support/bug.h"

#include <weft/error.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace weft::test {

namespace {

constexpr int isBugCode = 3;

int outcomeOf(const std::function<void()>& run) {
    try {
        run();
        return 0;
    } catch (const Error& error) {
        return error.code() == ErrorCode::bug ? isBugCode : 0;
    } catch (...) {
        return 0;
    }
}

} // namespace

bool isBug(const std::function<void()>& run) {
    const pid_t child = fork();
    if (child == 0) {
        const rlimit noCore{0, 0};
        setrlimit(RLIMIT_CORE, &noCore);
        signal(SIGABRT, SIG_DFL);
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
        _exit(outcomeOf(run));
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT
                               : WIFEXITED(status) && WEXITSTATUS(status) == isBugCode;
}

} // namespace weft::test
