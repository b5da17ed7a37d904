// SPDX-License-Identifier: Apache-2.0
#include "run/session/mpirun_line.h"

#include "base/process/environment.h"
#include "comm/host/proof.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// Variables with the descriptor to which Open MPI and its PMIx write their own messages.
constexpr const char* ownWords[] = {"OPAL_OUTPUT_STDERR_FD", "PMIX_OUTPUT_STDERR_FD"};

/// True for a job of a batch system on several nodes.
bool isOnSeveralNodes() { return std::atoi(fromEnvironment("SLURM_JOB_NUM_NODES").c_str()) > 1; }

fs::path temporaryFolder() {
    std::error_code error;
    fs::path folder = fs::temp_directory_path(error);
    if (error) {
        throw Error(ErrorCode::file, Where{.file = folder.string()},
                    "the folder for temporary files does not exist",
                    "set TMPDIR to a folder, or unset it");
    }
    return folder;
}

} // namespace

fs::path findMpirun() {
    if (fs::path program = programInPath("mpirun"); !program.empty()) {
        return program;
    }
    throw Error(ErrorCode::device, Where{.op = "mpirun"},
                "mpirun starts the ranks, but is not on the PATH of this machine",
                "install openmpi-bin, or run in one process with --devices");
}

std::vector<std::string> mpirunArguments(const LaunchRequest& request, bool isRoot) {
    std::vector<std::string> line{"mpirun"};
    const auto add = [&](auto... words) { (line.emplace_back(words), ...); };
    if (isRoot) {
        add("--allow-run-as-root");
    }
    // There may be more ranks than cores, and each rank has several threads. The plan assigns
    // cores.
    add("--oversubscribe", "--bind-to", "none", "--map-by", "slot");
    // The death of a rank leaves the others alive. The launcher ends them and finds the cause.
    add("--enable-recovery");
    if (!request.hosts.empty()) {
        add("--hostfile", request.hosts.string());
        // Detects a disconnected host after seconds instead of minutes.
        add("--mca", "oob_tcp_keepalive_time", "2", "--mca", "oob_tcp_keepalive_intvl", "1",
            "--mca", "oob_tcp_keepalive_probes", "3");
    }
    add("-n", std::to_string(request.ranks));
    line.insert(line.end(), request.command.begin(), request.command.end());
    return line;
}

bool isAcrossHosts(const LaunchRequest& request) {
    return !request.hosts.empty() || isOnSeveralNodes();
}

ProgramRequest mpirunFor(const LaunchRequest& request,
                         const std::vector<std::pair<std::string, std::string>>& environment) {
    ProgramRequest made{.program = findMpirun(),
                        .arguments = mpirunArguments(request, ::geteuid() == 0),
                        .environment = environment};
    const char* const list = "OMPI_MCA_mca_base_env_list";
    std::string handedOn = fromEnvironment(list);
    const auto handOn = [&](const std::string& what) {
        handedOn += (handedOn.empty() ? "" : ";") + what;
    };
    for (const auto& [name, value] : environment) {
        handOn(name);
    }
    for (const char* name : ownWords) {
        handOn(name); // rank messages go where mpirun's go (openAside in comm/mpi)
        made.environment.emplace_back(name, std::to_string(SupervisedProgram::sideFileNumber()));
    }
    made.environment.emplace_back(list, handedOn);
    const std::string name = "weft-ranks-" + textOf(drawSecret()).substr(0, 12);
    if (!isOnSeveralNodes()) { // mpirun would pass TMPDIR to nodes that lack the folder
        made.folders.push_back(temporaryFolder() / name);
        made.environment.emplace_back("TMPDIR", made.folders.back());
    }
    if (isAcrossHosts(request)) {
        made.grace = std::chrono::seconds(5); // other hosts hear of the end only from mpirun
    } else if (::access("/dev/shm", W_OK) == 0) {
        made.folders.push_back(fs::path("/dev/shm") / name);
        made.environment.emplace_back("OMPI_MCA_btl_vader_backing_directory", made.folders.back());
    }
    return made;
}

std::string withoutTraces(std::string_view words) {
    constexpr std::array<std::string_view, 3> traces{
        "PMIX ERROR:", "PRTE ERROR:", "ORTE_ERROR_LOG:"};
    std::string kept;
    while (!words.empty()) {
        const std::string_view line = words.substr(0, words.find('\n'));
        words.remove_prefix(std::min(words.size(), line.size() + 1));
        const bool isTrace = std::ranges::any_of(traces, [&](std::string_view trace) {
            return line.find(trace) != std::string_view::npos;
        });
        if (!isTrace) {
            kept += line;
            kept += '\n';
        }
    }
    return kept;
}

std::string shellLine(std::span<const std::string> arguments) {
    constexpr std::string_view plain = "-_./:,=+@%";
    std::string line;
    for (const std::string& word : arguments) {
        line += line.empty() ? "" : " ";
        const bool isPlain = !word.empty() && std::ranges::all_of(word, [&](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   plain.find(c) != std::string_view::npos;
        });
        if (isPlain) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) {
            line += c == '\'' ? "'\\''" : std::string(1, c);
        }
        line += '\'';
    }
    return line;
}

} // namespace weft
