// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exports a design to a folder from which it runs without a window: on this machine, with mpirun,
// Slurm or Kubernetes. Plain values; only `writeExport` writes files.

#include <weft/design.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class ExportTarget : std::uint8_t { machine, mpirun, slurm, kubernetes };
[[nodiscard]] std::string_view nameOf(ExportTarget target);
/// Throws Error{usage} with the valid names if the name is unknown.
[[nodiscard]] ExportTarget exportTargetNamed(std::string_view name);

struct ExportRequest {
    Design design;
    std::filesystem::path folder = {}; ///< search folder of the design's files
    std::string name = {};             ///< name of the job; empty: the design's name
    int nodes = 1;                     ///< machines that the job runs on
    int ranksPerNode = 1;
    int coresPerRank = 1;                   ///< CPU cores of each process
    int gpusPerNode = 0;                    ///< 0: as many as the design's devices need
    std::vector<std::string> devices = {};  ///< empty: the devices that the design declares
    int minutes = 60;                       ///< time limit of a batch job
    std::string partition = {};             ///< Slurm partition; empty: the default
    std::string account = {};               ///< Slurm account; empty: the default
    std::string program = "weft";           ///< command that starts weft on the target
    std::string image = "weft:latest";      ///< container image
    std::string claim = "weft-runs";        ///< volume claim for the runs
    std::vector<std::string> hosts = {};    ///< hosts of mpirun's hostfile; empty: this machine
    std::vector<std::string> settings = {}; ///< KEY=VALUE, as --set takes them
    std::string weights = {};               ///< initial weights (safetensors) beside the design
    [[nodiscard]] int ranks() const { return nodes * ranksPerNode; }
};

struct ExportedFile {
    std::string name; ///< "run.sh"
    std::string text; ///< content of the file
    bool isExecutable = false;
    bool operator==(const ExportedFile&) const = default;
};

/// Returns the script or description that the target takes; a window shows it. Throws Error{usage}
/// if the target's format cannot express a value.
[[nodiscard]] ExportedFile exportedScript(const ExportRequest& request, ExportTarget target);
[[nodiscard]] ExportedFile exportedDesign(const ExportRequest& request);
[[nodiscard]] ExportedFile exportedHostfile(const ExportRequest& request);
/// Returns the command line that starts the export.
[[nodiscard]] std::string exportedCommand(const ExportRequest& request, ExportTarget target);
/// Returns design.weft, run.sh, hostfile, job.sbatch, mpijob.yaml and README.md.
[[nodiscard]] std::vector<ExportedFile> exportedFiles(const ExportRequest& request);
/// Writes to a folder that is new, empty, or holds an export; each file is written atomically.
void writeExport(const std::vector<ExportedFile>& files, const std::filesystem::path& folder);

/// Returns the GPUs that the job requests per node: the requested number, or the most that the
/// devices need on one node.
[[nodiscard]] int gpusOfNode(const ExportRequest& request);

/// A data file of the design.
struct DataFile {
    std::string name;           ///< path relative to the design's folder
    std::filesystem::path path; ///< path on this machine
    Bytes bytes = {};
    bool operator==(const DataFile&) const = default;
};
/// Returns the files that a design's data needs outside this machine: the named files, and those
/// that named lists and folders contain. `folders` are searched in order, the design's own first.
/// Throws Error{file} if a file is missing and Error{usage} if it lies outside these folders.
[[nodiscard]] std::vector<DataFile> dataFilesOf(const Design& design,
                                                const std::vector<std::filesystem::path>& folders);

/// Returns problems of the export, a sentence each: more ranks than devices, files that are not
/// exported.
[[nodiscard]] std::vector<std::string> exportRemarks(const ExportRequest& request);

} // namespace weft
