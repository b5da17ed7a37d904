// SPDX-License-Identifier: Apache-2.0
#include "run/leftovers.h"

#include "base/environment.h"
#include "base/waiting.h"
#include "events/run_directory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace weft {

namespace fs = std::filesystem;

namespace {

std::string thisHost() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

/// Numbers of processes come round: only one that is started as a rank of this very job is meant.
bool isOfJob(const RankIdentity& rank) {
    std::ifstream file(fmt::format("/proc/{}/environ", rank.process), std::ios::binary);
    const std::string environment{std::istreambuf_iterator<char>(file), {}};
    return !rank.job.empty() &&
           environment.find("PMIX_NAMESPACE=" + rank.job + '\0') != std::string::npos;
}

/// "/tmp/ompi.host.1000"
fs::path sessionFolder(const std::string& host) {
    for (const char* name : {"TMPDIR", "TEMP", "TMP"}) {
        if (const std::string folder = fromEnvironment(name); !folder.empty()) {
            return fs::path(folder) / fmt::format("ompi.{}.{}", host, ::geteuid());
        }
    }
    return fmt::format("/tmp/ompi.{}.{}", host, ::geteuid());
}

/// Of a process, as the kernel tells it: "12 (a name) T 1 ...".
bool isStoppedChildOf(const fs::path& folder, int parent) {
    std::ifstream file(folder / "stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto name = text.rfind(')');
    return name != std::string::npos &&
           text.substr(name + 1).starts_with(fmt::format(" T {} ", parent));
}

/// What OpenMPI keeps in shared memory for the ranks of a job.
void removeSegments(const RankIdentity& rank) {
    std::uint32_t job = 0;
    const char* end = rank.job.data() + rank.job.size();
    if (std::from_chars(rank.job.data(), end, job).ptr != end || job == 0) {
        return;
    }
    const std::string begin = fmt::format("vader_segment.{}.{}.{:x}.", rank.host, ::geteuid(), job);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/dev/shm", ignored)) {
        std::error_code gone;
        if (entry.path().filename().string().starts_with(begin)) {
            fs::remove(entry.path(), gone);
        }
    }
}

} // namespace

void killStoppedRanks(const RankIdentity& rank) {
    const int parent = ::getppid();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        int process = 0;
        const bool isProcess =
            std::from_chars(name.data(), name.data() + name.size(), process).ec == std::errc{};
        if (isProcess && isStoppedChildOf(entry.path(), parent) &&
            isOfJob({.rank = -1, .host = rank.host, .process = process, .job = rank.job})) {
            ::kill(process, SIGKILL);
            removeSegments(rank);
        }
    }
}

void killLeftRanks(std::span<const RankIdentity> ranks) {
    const std::string host = thisHost();
    for (const RankIdentity& rank : ranks) {
        if (rank.host == host && rank.process > 1 && isOfJob(rank)) {
            ::kill(rank.process, SIGKILL);
        }
    }
}

void freeRunFolder(const fs::path& run) {
    // A process that was killed lets go of its files when the last of its threads is gone.
    const Deadline deadline(std::chrono::seconds(2));
    while (!run.empty() && readRunLock(run).isHeld && !deadline.hasPassed()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    removeMailboxOfTheDead(run);
}

void removeLeftFiles(std::span<const RankIdentity> ranks, int mpirun) {
    const std::string host = thisHost();
    std::error_code ignored;
    for (const RankIdentity& rank : ranks) {
        if (rank.host == host) {
            removeSegments(rank);
        }
    }
    // The session's folder is there only where mpirun was killed; that of all sessions goes with
    // the last.
    const fs::path session = sessionFolder(host);
    fs::remove_all(session / fmt::format("pid.{}", mpirun), ignored);
    if (fs::is_empty(session, ignored) && !ignored) {
        fs::remove(session, ignored);
    }
}

} // namespace weft
