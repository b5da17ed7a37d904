// SPDX-License-Identifier: Apache-2.0
#include "run/leftovers.h"

#include "base/waiting.h"
#include "events/run_directory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
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
        if (const char* folder = std::getenv(name); folder != nullptr && *folder != '\0') {
            return fs::path(folder) / fmt::format("ompi.{}.{}", host, ::geteuid());
        }
    }
    return fmt::format("/tmp/ompi.{}.{}", host, ::geteuid());
}

} // namespace

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
        std::uint32_t job = 0;
        const char* end = rank.job.data() + rank.job.size();
        if (rank.host != host || std::from_chars(rank.job.data(), end, job).ptr != end ||
            job == 0) {
            continue;
        }
        const std::string begin = fmt::format("vader_segment.{}.{}.{:x}.", host, ::geteuid(), job);
        for (const auto& entry : fs::directory_iterator("/dev/shm", ignored)) {
            std::error_code gone;
            if (entry.path().filename().string().starts_with(begin)) {
                fs::remove(entry.path(), gone);
            }
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
