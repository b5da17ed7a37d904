// SPDX-License-Identifier: Apache-2.0
#include "remote/agent/nodes_answer.h"

#include "base/files/files.h"
#include "exchange/quoting.h"
#include "remote/plain_names.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <system_error>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr JsonLimits answerLimits{.bytes = std::size_t{256} << 10U, .depth = 16};

/// Returns the GPUs in Slurm's description of a node: "gpu:h100:4" from
/// "lustre:1,gpu:h100:4(S:0-1)".
std::string chipsIn(const std::string& extras) {
    std::string chips;
    std::istringstream all(extras);
    for (std::string one; std::getline(all, one, ',');) {
        if (one.starts_with("gpu:")) {
            chips += (chips.empty() ? "" : ",") + one.substr(0, one.find('('));
        }
    }
    return chips;
}

std::string directive(const char* option, const std::string& value) {
    return value.empty() ? std::string()
                         : fmt::format("#SBATCH --{}={}\n", option, directiveValue(option, value));
}

} // namespace

const SlurmPartition* partitionOfJobs(std::string_view named,
                                      const std::vector<SlurmPartition>& partitions) {
    const auto found = std::ranges::find_if(partitions, [&](const SlurmPartition& one) {
        return named.empty() ? one.isDefault : one.name == named;
    });
    return found == partitions.end() ? nullptr : &*found;
}

fs::path nodesFolder(const fs::path& runs) { return runs / ".nodes"; }

fs::path nodesAnswerFile(const fs::path& runs, const std::string& partition) {
    return nodesFolder(runs) / (partition + ".json");
}

ExportedFile nodesScript(const SlurmPartition& partition, const std::string& account) {
    // Requests the whole node, since otherwise the job would see only its own cores and no GPU.
    return {"job.sbatch",
            "#!/bin/sh\n"
            "#SBATCH --job-name=weft-nodes\n"
            "#SBATCH --nodes=1\n"
            "#SBATCH --ntasks=1\n"
            "#SBATCH --exclusive\n"
            "#SBATCH --mem=0\n"
            "#SBATCH --time=1\n"
            "#SBATCH --no-requeue\n" +
                directive("partition", partition.name) + directive("account", account) +
                directive("gres", chipsIn(partition.extras)) +
                R"sh({
    printf '{"asked": %s, "machine": ' "$(date +%s)" &&
        "${WEFT:-weft}" devices --json && echo '}'
} > "$WEFT_RUN.part" && mv -f -- "$WEFT_RUN.part" "$WEFT_RUN.json"
)sh",
            true};
}

Json nodesSurvey(const fs::path& runs, const std::string& partition) {
    const fs::path file = nodesAnswerFile(runs, partition);
    std::error_code ignored;
    if (!isRunName(partition) ||
        !fs::is_directory(fs::symlink_status(nodesFolder(runs), ignored)) ||
        !fs::is_regular_file(fs::symlink_status(file, ignored))) {
        return nullptr;
    }
    try {
        Json answer = readJsonFile(file, answerLimits);
        if (!answer.is_object()) {
            throw Error(ErrorCode::format, Where{.file = file.string()},
                        "is not a valid answer of a node",
                        "query the node again: weft host check NAME --nodes");
        }
        answer["partition"] = partition;
        return answer;
    } catch (const Error& error) {
        return {{"partition", partition}, {"fault", error.what()}};
    }
}

} // namespace weft
