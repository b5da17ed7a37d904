// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design made ready to run on another host, planned for the devices of that host, with all that
// it takes along. Nothing is sent or begun by this: what is wrong or missing is found before.

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

/// What is asked of a host for one job; what is 0 or empty is as the host's settings and the
/// design have it.
struct JobRequest {
    int ranks = 0;
    int nodes = 0;
    int cores = 0; ///< of each process
    int minutes = 0;
    std::vector<std::string> devices = {};
    std::filesystem::path data = {}; ///< the folder there in which it lies
};
/// Error{usage} where the ranks do not spread over the nodes, there are not so many, or the folder
/// is no whole path.
[[nodiscard]] ExportRequest jobOn(const Host& host, Design design, const JobRequest& request);
/// For a run there to go on from its last checkpoint: where nothing is said as it last went, by
/// what the folder `copy` knows of it.
[[nodiscard]] ExportRequest jobGoingOn(const Host& host, const std::filesystem::path& copy,
                                       const JobRequest& request);

struct ThereRequest {
    /// Its folder is where data lies there; empty: beside the design, where it is sent to.
    ExportRequest job;
    // By `aimAt`.
    JobStart start = JobStart::here;
    MachineSheet machine;
    bool isByPublishedRates = false;
    std::string host = {}; ///< what it is called, for messages
    /// Here, in which the design's files lie, its own first.
    std::vector<std::filesystem::path> folders = {};
    std::filesystem::path weights = {}; ///< here, to begin with; empty: the design's own
    bool sendsData = false;             ///< the user's word for it
};

/// It goes to that host, and is planned for what that has.
void aimAt(ThereRequest& request, const Host& host, const HostReport& report);

/// The design, the script by which a job begins there, and what that reads.
[[nodiscard]] std::vector<ExportedFile> jobFiles(const ExportRequest& job, JobStart start);

struct ThereJob {
    std::vector<ExportedFile> files; ///< design.weft, its script and what that reads
    std::vector<DataFile> sent = {}; ///< beside them
    std::shared_ptr<const Preview> preview;
    std::vector<std::string> remarks = {}; ///< a sentence each
    [[nodiscard]] Bytes bytesSent() const;
};

/// How the design is previewed for that host, as `jobThere` does.
[[nodiscard]] PreviewRequest previewThere(const ThereRequest& request);
/// Error{usage} for more ranks than devices; Error{device} where the host lacks one of them, as far
/// as that is known before a job begins.
void requireDevicesThere(const ThereRequest& request);
/// What one would want to know before it begins, a sentence each; of a preview as asked for above.
[[nodiscard]] std::vector<std::string> remarksThere(const ThereRequest& request,
                                                    const Preview& planned);

/// Error{design} with the first error that the design has on those devices; Error{device} where the
/// host lacks one of them; Error{file} where data is missing here; Error{usage} where data would
/// have to be sent and nobody said so, or can't be found there under its name.
[[nodiscard]] ThereJob jobThere(const ThereRequest& request);

/// What whoever begins a job hears of it.
struct ThereHeard {
    std::function<void(const ThereJob&)> planned = {}; ///< before anything is sent
    /// Receives bytes sent and total; returning false ends the transfer with Error{stopped}.
    std::function<bool(Bytes sent, Bytes all)> progress = {};
};
/// Makes the job, aimed at the line's host as it says itself where it was not aimed yet, and begins
/// it there; the run's name. Nothing has been sent where it is refused.
std::string startThere(HostLine& line, ThereRequest request, const ThereHeard& heard = {});

} // namespace weft
