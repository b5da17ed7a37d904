// SPDX-License-Identifier: Apache-2.0
// Exports a batch script for Slurm. The job saves shortly before its time limit and, when requeued,
// resumes its run.
#include "exchange/quoting.h"
#include "exchange/scripts.h"

#include <fmt/format.h>

namespace weft {

namespace {

std::string directives(const ExportRequest& request) {
    std::string text =
        fmt::format("#SBATCH --job-name={}\n"
                    "#SBATCH --nodes={}\n"
                    "#SBATCH --ntasks-per-node={}\n"
                    "#SBATCH --cpus-per-task={}\n",
                    jobName(request), request.nodes, request.ranksPerNode, request.coresPerRank);
    if (const int gpus = gpusOfNode(request); gpus > 0) {
        text += fmt::format("#SBATCH --gpus-per-node={}\n", gpus);
    }
    if (!request.partition.empty()) {
        text += "#SBATCH --partition=" + directiveValue("partition", request.partition) + '\n';
    }
    if (!request.account.empty()) {
        text += "#SBATCH --account=" + directiveValue("account", request.account) + '\n';
    }
    text +=
        fmt::format("#SBATCH --time={:02}:{:02}:00\n", request.minutes / 60, request.minutes % 60);
    return text + "#SBATCH --output=%x-%j.out\n"
                  "#SBATCH --open-mode=append\n"
                  "#SBATCH --requeue\n"
                  "#SBATCH --signal=B:USR1@120\n";
}

/// Returns script lines that end the job with a message if a device is missing.
std::string questionLines(const ExportRequest& request) {
    const std::string question = shellWords(deviceCheckWords(request));
    return question.empty() ? "" : R"("${launch[@]}" "$weft" )" + question + " || exit $?\n";
}

} // namespace

std::string slurmScript(const ExportRequest& request) {
    return "#!/bin/bash\n" + directives(request) +
           fmt::format(
               "# Submit this script from its own folder: sbatch job.sbatch\n"
               "set -uo pipefail\n"
               "cd \"${{SLURM_SUBMIT_DIR:-.}}\"\n"
               "weft=${{WEFT:-{program}}}\n"
               "data=${{WEFT_DATA:-{data}}}\n"
               "run=${{WEFT_RUN:-${{WEFT_RUNS:-runs}}/{name}-$SLURM_JOB_ID}}\n"
               "options=({options} )\n"
               "mkdir -p \"$(dirname \"$run\")\"\n"
               "# A requeued job resumes from its last checkpoint.\n"
               "if {has_saved}; then\n"
               "    command=(\"$weft\" resume \"$run\")\n"
               "else\n"
               "    command=(\"$weft\" run design.weft --run \"$run\"{begin})\n"
               "fi\n"
               "if [ -n \"$data\" ]; then\n"
               "    command+=(--data \"$data\")\n"
               "fi\n"
               "# srun does not inherit --cpus-per-task from sbatch.\n"
               "export SRUN_CPUS_PER_TASK={cores}\n"
               "launch=()\n"
               "if [ \"${{SLURM_NTASKS:-1}}\" -gt 1 ]; then\n"
               "    launch=(srun --mpi=pmix --cpu-bind=cores)\n"
               "fi\n"
               "{question}"
               "\"${{launch[@]}}\" \"${{command[@]}}\" \"${{options[@]}}\" &\n"
               "child=$!\n"
               "# Two minutes before the time limit the run saves a checkpoint and ends, and the "
               "job\n"
               "# is requeued.\n"
               "out_of_time=no\n"
               "trap 'out_of_time=yes; kill -INT $child' USR1\n"
               "trap 'kill -INT $child' TERM\n"
               "wait $child\n"
               "code=$?\n"
               "while kill -0 $child 2> /dev/null; do\n"
               "    wait $child\n"
               "    code=$?\n"
               "done\n"
               "if [ $out_of_time = yes ] && [ $code -eq 0 ]; then\n"
               "    scontrol requeue \"$SLURM_JOB_ID\"\n"
               "fi\n"
               "exit $code\n",
               fmt::arg("program", shellWord(request.program)),
               fmt::arg("data", request.folder.empty() ? "''" : shellWord(request.folder.string())),
               fmt::arg("name", jobName(request)), fmt::arg("has_saved", hasCheckpointTest),
               fmt::arg("begin", newRunOptions(request)), fmt::arg("options", runOptions(request)),
               fmt::arg("question", questionLines(request)),
               fmt::arg("cores", request.coresPerRank));
}

} // namespace weft
