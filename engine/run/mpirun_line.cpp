// SPDX-License-Identifier: Apache-2.0
#include "run/mpirun_line.h"

#include "base/environment.h"

#include <algorithm>
#include <string_view>

namespace weft {

namespace fs = std::filesystem;

fs::path findMpirun() {
    if (fs::path program = programInPath("mpirun"); !program.empty()) {
        return program;
    }
    throw Error(ErrorCode::device, Where{.op = "mpirun"},
                "ranks are started by mpirun, and this machine has none on its PATH",
                "install openmpi-bin, or run on this process alone with --devices");
}

std::vector<std::string> mpirunArguments(const LaunchRequest& request, bool isRoot,
                                         std::span<const std::string> handedOn) {
    std::vector<std::string> line{"mpirun"};
    const auto add = [&](auto... words) { (line.emplace_back(words), ...); };
    if (isRoot) {
        add("--allow-run-as-root");
    }
    // Ranks may be more than cores, and each has threads of its own: its cores are the plan's.
    add("--oversubscribe", "--bind-to", "none", "--map-by", "slot");
    // A rank that dies leaves the others alive; that they end, and with what cause, is ours to see.
    add("--enable-recovery");
    if (!request.hosts.empty()) {
        add("--hostfile", request.hosts.string());
        // A host that is cut off is noticed after some seconds instead of minutes.
        add("--mca", "oob_tcp_keepalive_time", "2", "--mca", "oob_tcp_keepalive_intvl", "1",
            "--mca", "oob_tcp_keepalive_probes", "3");
    }
    for (const std::string& name : handedOn) {
        add("-x", name);
    }
    add("-n", std::to_string(request.ranks));
    line.insert(line.end(), request.command.begin(), request.command.end());
    return line;
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
