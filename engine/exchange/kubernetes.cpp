// SPDX-License-Identifier: Apache-2.0
// Exports a Kubeflow MPIJob with the design. The operator starts a worker per node and writes
// mpirun's hostfile; runs are stored on a volume claim that outlives the job.
#include "exchange/quoting.h"
#include "exchange/scripts.h"
#include <weft/design_file.h>

#include <fmt/format.h>

namespace weft {

namespace {

/// Formats a list of quoted words: ["mpirun", "-np", "4"].
std::string listOf(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) {
        list += (list.empty() ? "[" : ", ") + yamlText(word);
    }
    return list + "]";
}

/// Returns the mpirun command for all ranks.
std::vector<std::string> launched(const ExportRequest& request,
                                  const std::vector<std::string>& words) {
    std::vector<std::string> command{"mpirun",       "-np",  std::to_string(request.ranks()),
                                     "-bind-to",     "none", "-map-by",
                                     "slot",         "-x",   "PATH",
                                     request.program};
    command.insert(command.end(), words.begin(), words.end());
    return command;
}

std::vector<std::string> launcherCommand(const ExportRequest& request) {
    std::vector<std::string> words{"run",    "/weft/design/design.weft", "--runs", "/weft/runs",
                                   "--data", "/weft/runs/data"};
    if (!request.devices.empty()) {
        std::string list;
        for (const std::string& device : request.devices) {
            list += (list.empty() ? "" : ",") + device;
        }
        words.insert(words.end(), {"--devices", list});
    }
    for (const std::string& setting : request.settings) {
        words.insert(words.end(), {"--set", setting});
    }
    const std::vector<std::string> question = deviceCheckWords(request);
    if (question.empty()) {
        return launched(request, words);
    }
    return {"sh", "-c",
            shellWords(launched(request, question)) + " && exec " +
                shellWords(launched(request, words))};
}

/// Returns the container section of launcher or worker, indented by twelve columns.
std::string container(const ExportRequest& request, const std::string& name,
                      const std::vector<std::string>& command, const std::string& limits) {
    return fmt::format("          containers:\n"
                       "            - name: {}\n"
                       "              image: {}\n"
                       "              command: {}\n"
                       "{}"
                       "              volumeMounts:\n"
                       "                - {{name: design, mountPath: /weft/design}}\n"
                       "                - {{name: runs, mountPath: /weft/runs}}\n"
                       "          volumes:\n"
                       "            - name: design\n"
                       "              configMap: {{name: {}}}\n"
                       "            - name: runs\n"
                       "              persistentVolumeClaim: {{claimName: {}}}\n",
                       name, yamlText(request.image), listOf(command), limits,
                       yamlText(jobName(request) + "-design"), yamlText(request.claim));
}

} // namespace

std::string kubernetesJob(const ExportRequest& request) {
    const std::string name = jobName(request);
    std::string limits = fmt::format("              resources:\n"
                                     "                limits:\n"
                                     "                  cpu: {}\n",
                                     request.ranksPerNode * request.coresPerRank);
    if (const int gpus = gpusOfNode(request); gpus > 0) {
        limits += fmt::format("                  nvidia.com/gpu: {}\n", gpus);
    }
    return fmt::format(
               "# kubectl apply -f mpijob.yaml, with Kubeflow's MPI operator on the cluster and a\n"
               "# volume claim {claim} that workers can share.\n"
               "apiVersion: v1\n"
               "kind: ConfigMap\n"
               "metadata:\n"
               "  name: {configuration}\n"
               "data:\n"
               "  design.weft: {design}\n"
               "---\n"
               "apiVersion: kubeflow.org/v2beta1\n"
               "kind: MPIJob\n"
               "metadata:\n"
               "  name: {name}\n"
               "spec:\n"
               "  slotsPerWorker: {slots}\n"
               "  runPolicy:\n"
               "    cleanPodPolicy: Running\n"
               "    activeDeadlineSeconds: {seconds}\n"
               "  mpiReplicaSpecs:\n"
               "    Launcher:\n"
               "      replicas: 1\n"
               "      template:\n"
               "        spec:\n",
               fmt::arg("claim", lowerCaseName(request.claim)),
               fmt::arg("configuration", yamlText(name + "-design")),
               fmt::arg("design", yamlText(toText(request.design))),
               fmt::arg("name", yamlText(name)), fmt::arg("slots", request.ranksPerNode),
               fmt::arg("seconds", request.minutes * 60)) +
           container(request, "launcher", launcherCommand(request), "") +
           fmt::format("    Worker:\n"
                       "      replicas: {}\n"
                       "      template:\n"
                       "        spec:\n",
                       request.nodes) +
           container(request, "worker", {"/usr/sbin/sshd", "-De"}, limits);
}

} // namespace weft
