// SPDX-License-Identifier: Apache-2.0
#include "support/apart.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace weft::test {

namespace {

/// The thread sanitizer takes a child's threads for those of its parent: with it nothing is run in
/// a child, and what breaks ends the test.
constexpr bool canRunApart = WEFT_CAN_RUN_APART;

std::string readAll(int file) {
    lseek(file, 0, SEEK_SET);
    std::string text;
    char buffer[4096];
    for (ssize_t count = read(file, buffer, sizeof(buffer)); count > 0;
         count = read(file, buffer, sizeof(buffer))) {
        text.append(buffer, static_cast<std::size_t>(count));
    }
    close(file);
    return text;
}

} // namespace

Apart runApart(const std::function<void(const std::function<void(std::string)>&)>& run) {
    if constexpr (!canRunApart) {
        Apart here{.text = {}, .complaint = {}, .hasEnded = true};
        run([&](const std::string& text) { here.text += text; });
        return here;
    }
    const int told = memfd_create("told", 0);
    const int said = memfd_create("said", 0);
    const pid_t child = fork();
    if (child == 0) {
        const rlimit noCore{0, 0};
        setrlimit(RLIMIT_CORE, &noCore);
        signal(SIGABRT, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        dup2(said, STDERR_FILENO);
        run([told](const std::string& text) {
            [[maybe_unused]] const ssize_t count = write(told, text.data(), text.size());
        });
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {readAll(told), readAll(said), WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

} // namespace weft::test
