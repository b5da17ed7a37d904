// SPDX-License-Identifier: Apache-2.0
#include "remote/jobs/job_process.h"

#include "base/process/environment.h"
#include "remote/spawned.h"
#include <weft/error.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <sstream>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// Reads a word, runs the script named by its first argument, and survives a signal that ends the
/// script, in order to store its exit code.
constexpr const char* jobKeeper = R"(read -r word && [ "$word" = go ] || exit 0
exec < /dev/null
trap : HUP INT TERM
"./$1"
code=$?
rm -f .code.part
echo $code > .code.part && mv -f .code.part code)";

/// Checks once a second whether any process of the group is left.
constexpr const char* jobEnder = R"(left=$2
while kill -s 0 -- "-$1" 2> /dev/null; do
    if [ "$left" -le 0 ]; then
        kill -s KILL -- "-$1"
        exit
    fi
    left=$((left - 1))
    sleep 1
done)";

/// Returns the kernel's identifier of the present boot, or an empty string.
std::string machineRun() {
    try {
        std::string text = readFile("/proc/sys/kernel/random/boot_id", 100);
        return text.substr(0, text.find('\n'));
    } catch (const Error&) {
        return {};
    }
}

struct ProcessFacts {
    char state = 'X';
    std::uint64_t begun = 0;
};

/// Parses fields 3 and 22 of a line "12 (a name) S 1 ..." of /proc/PID/stat; 'X' if there is none.
ProcessFacts factsOf(std::int64_t number) {
    ProcessFacts facts;
    try {
        const std::string text = readFile("/proc/" + std::to_string(number) + "/stat", 4096);
        std::istringstream fields(text.substr(text.rfind(')') + 1));
        std::string skipped;
        fields >> facts.state;
        for (int field = 4; field < 22; ++field) {
            fields >> skipped;
        }
        fields >> facts.begun;
    } catch (const Error&) {
        return {};
    }
    return facts;
}

} // namespace

ProcessLife lifeOf(const ProcessIdentity& identity) {
    if (identity.machine != machineRun()) {
        return identity.host == hostName() ? ProcessLife::gone : ProcessLife::elsewhere;
    }
    if (identity.number <= 1) {
        return ProcessLife::gone; // no job has such a number, which would address many processes
    }
    const ProcessFacts facts = factsOf(identity.number);
    if (facts.begun != identity.begun || facts.state == 'X') {
        return ProcessLife::gone;
    }
    if (facts.state == 'Z') {
        // Reaps a child of this process.
        ::waitpid(static_cast<pid_t>(identity.number), nullptr, WNOHANG);
        return ProcessLife::gone;
    }
    return ProcessLife::lives;
}

JobProcess::JobProcess(const fs::path& folder, const std::string& script,
                       const std::vector<std::pair<std::string, std::string>>& environment) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throwFileError("a socket", "make", errno);
    }
    startPipe_ = FileHandle(ends[1]);
    const FileHandle theirs(ends[0]);
    const fs::path file = folder / "output.txt";
    const FileHandle output(
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!output.isOpen()) {
        throwFileError(file, "write", errno);
    }
    const int process = spawn({.words = {"/bin/sh", "-c", jobKeeper, "weft-job", script},
                               .folder = folder,
                               .environment = environment,
                               .in = theirs.get(),
                               .out = output.get(),
                               .error = output.get()});
    identity_ = {process, factsOf(process).begun, machineRun(), hostName()};
}

void JobProcess::release() const {
    constexpr std::string_view go = "go\n";
    if (::send(startPipe_.get(), go.data(), go.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(go.size())) {
        throwFileError("a socket", "write", errno);
    }
}

std::optional<int> codeIn(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_regular_file(fs::symlink_status(folder / "code", ignored))) {
        return std::nullopt;
    }
    const std::string text = readFile(folder / "code", 100);
    int code = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), code);
    return end.ec == std::errc{} ? std::optional(code) : std::nullopt;
}

void endJobProcess(const ProcessIdentity& identity, std::chrono::seconds grace) {
    if (lifeOf(identity) != ProcessLife::lives) {
        return;
    }
    ::kill(-static_cast<pid_t>(identity.number), SIGTERM);
    // A grandchild without a parent, so that this process need not wait for it.
    const int starter =
        spawn({.words = {"/bin/sh", "-c", "sh -c \"$@\" &", "weft-end", jobEnder, "weft-end",
                         std::to_string(identity.number), std::to_string(grace.count())}});
    ::waitpid(starter, nullptr, 0);
}

} // namespace weft
