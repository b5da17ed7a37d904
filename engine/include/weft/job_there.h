// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prepares a design to run on another host: plans it for that host's devices and collects the files
// to send. Checks everything first; nothing is sent or started.

#include <weft/devices.h>
#include <weft/exchange.h>
#include <weft/hosts.h>
#include <weft/preview.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weft {

class HostLine;

/// Options of one job. Zero or empty values use the settings of the host and the design.
struct JobRequest {
    int ranks = 0;                         ///< processes; 0: one, or as the last attempt
    int nodes = 0;                         ///< 0: all machines of the host's settings
    int cores = 0;                         ///< per process
    int minutes = 0;                       ///< time limit; 0: the host's setting
    std::vector<std::string> devices = {}; ///< empty: the design's
    std::filesystem::path data = {};       ///< data folder on the host
};
/// Throws Error{usage} if the ranks do not divide over the nodes, if there are too few nodes, or if
/// the folder is not an absolute path.
[[nodiscard]] ExportRequest jobOn(const Host& host, Design design, const JobRequest& request);
/// Returns the job that resumes a run from its last checkpoint. Options that are not given are
/// those of the last attempt, read from the local copy in folder `copy`.
[[nodiscard]] ExportRequest resumedJob(const Host& host, const std::filesystem::path& copy,
                                       const JobRequest& request);

struct RemoteJobRequest {
    /// The job's folder is the data folder on the host; empty: beside the design, where data is
    /// sent.
    ExportRequest job;
    // Set by `setTarget`.
    JobStart start = JobStart::here;                 ///< process, mpirun or Slurm
    MachineSheet machine;                            ///< devices that the job gets
    bool isByPublishedRates = false;                 ///< true: `machine` is not measured
    std::string host = {};                           ///< the host's name, for messages
    std::vector<std::filesystem::path> folders = {}; ///< local search folders of the design's files
    std::filesystem::path weights = {}; ///< local file of initial weights; empty: the design's own
    bool sendsData = false;             ///< true: the user agreed to send the data
};

/// Targets the request at the host and plans it for the host's devices.
void setTarget(RemoteJobRequest& request, const Host& host, const HostReport& report);

/// Returns the design, the host's job script and the files that the script reads.
[[nodiscard]] std::vector<ExportedFile> jobFiles(const ExportRequest& job, JobStart start);

struct RemoteJob {
    std::vector<ExportedFile> files;        ///< design.weft, the job script and its inputs
    std::vector<DataFile> sent = {};        ///< data files sent with them
    std::shared_ptr<const Preview> preview; ///< prediction for the host's devices
    std::vector<std::string> remarks = {};  ///< one sentence each
    [[nodiscard]] Bytes bytesSent() const;
};

/// Returns the request with which `jobThere` previews the design for the host.
[[nodiscard]] PreviewRequest previewThere(const RemoteJobRequest& request);
/// Throws Error{usage} if there are more ranks than devices, and Error{device} if the host is known
/// to lack a device.
void requireDevicesThere(const RemoteJobRequest& request);
/// Returns what a user should know before the job starts, a sentence each, from a preview as
/// requested above.
[[nodiscard]] std::vector<std::string> remarksThere(const RemoteJobRequest& request,
                                                    const Preview& planned);

/// Throws Error{design} with the design's first error on those devices, Error{device} if the host
/// lacks one, Error{file} if data is missing here, and Error{usage} if data would have to be sent
/// without permission or is not found on the host under its name.
[[nodiscard]] RemoteJob jobThere(const RemoteJobRequest& request);

/// Callbacks for the caller that starts a job.
struct RemoteJobCallbacks {
    std::function<void(const RemoteJob&)> planned = {}; ///< before anything is sent
    /// Receives bytes sent and total; returning false ends the transfer with Error{stopped}.
    std::function<bool(Bytes sent, Bytes all)> progress = {};
};
/// Prepares and starts the job on the line's host, and returns the run's name. If the request has
/// no target yet, the host is surveyed first. Nothing is sent if the job is refused.
std::string startThere(HostLine& line, RemoteJobRequest request,
                       const RemoteJobCallbacks& heard = {});

} // namespace weft
