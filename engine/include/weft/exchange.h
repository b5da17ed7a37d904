// SPDX-License-Identifier: Apache-2.0
#pragma once
// Handing a design on: a folder from which it runs without a window, on this machine, under mpirun,
// under Slurm, on Kubernetes. Plain values; nothing is written but by `writeExport`.

#include <weft/design.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class ExportTarget : std::uint8_t { machine, mpirun, slurm, kubernetes };
[[nodiscard]] std::string_view nameOf(ExportTarget target);
/// Error{usage} naming those there are.
[[nodiscard]] ExportTarget exportTargetNamed(std::string_view name);

struct ExportRequest {
    Design design;
    std::filesystem::path folder = {}; ///< where the design's files are looked for
    std::string name = {};             ///< of the job; empty: the design's
    int nodes = 1;
    int ranksPerNode = 1;
    int coresPerRank = 1;
    int gpusPerNode = 0;                   ///< 0: as many as its devices are on
    std::vector<std::string> devices = {}; ///< empty: those the design declares
    int minutes = 60;                      ///< limit of a batch job
    std::string partition = {};            ///< of Slurm; empty: its default
    std::string account = {};
    std::string program = "weft";           ///< as it is called there
    std::string image = "weft:latest";      ///< of the containers
    std::string claim = "weft-runs";        ///< volume claim that keeps the runs
    std::vector<std::string> hosts = {};    ///< of mpirun's hostfile; empty: this machine
    std::vector<std::string> settings = {}; ///< KEY=VALUE, as --set takes them
    /// Safetensors beside the design, to begin from; not of containers.
    std::string weights = {};
    [[nodiscard]] int ranks() const { return nodes * ranksPerNode; }
};

struct ExportedFile {
    std::string name; ///< "run.sh"
    std::string text;
    bool isExecutable = false;
    bool operator==(const ExportedFile&) const = default;
};

/// The script or description that the target takes, and how one hands it over: the first is what a
/// window shows. Error{usage} where a value cannot be said there.
[[nodiscard]] ExportedFile exportedScript(const ExportRequest& request, ExportTarget target);
[[nodiscard]] ExportedFile exportedDesign(const ExportRequest& request);
[[nodiscard]] ExportedFile exportedHostfile(const ExportRequest& request);
/// What one types to start it.
[[nodiscard]] std::string exportedCommand(const ExportRequest& request, ExportTarget target);
/// design.weft, run.sh, hostfile, job.sbatch, mpijob.yaml, README.md.
[[nodiscard]] std::vector<ExportedFile> exportedFiles(const ExportRequest& request);
/// Into a folder that is new or empty, or holds an export; each file whole or not at all.
void writeExport(const std::vector<ExportedFile>& files, const std::filesystem::path& folder);

/// GPUs that the job asks of each node: as said, or those that the devices of the node with most
/// are on.
[[nodiscard]] int gpusOfNode(const ExportRequest& request);

/// A file that a design's data is read from.
struct DataFile {
    std::string name;           ///< seen from the design's folder, wherever that is
    std::filesystem::path path; ///< here
    Bytes bytes = {};
    bool operator==(const DataFile&) const = default;
};
/// All that has to lie beside the design where it runs without the folders of this machine: what
/// its data names, and what lists and folders among that hold. The folders are those in which the
/// files are looked for, the design's own first. Error{file} where one is not there; Error{usage}
/// where one is named by its place on this machine.
[[nodiscard]] std::vector<DataFile> dataFilesOf(const Design& design,
                                                const std::vector<std::filesystem::path>& folders);

/// What will not work as it stands, a sentence each: more ranks than devices, files that stay here.
[[nodiscard]] std::vector<std::string> exportRemarks(const ExportRequest& request);

} // namespace weft
