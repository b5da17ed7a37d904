// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design made ready to run on another host, planned for the devices of that host, with all that
// it takes along. Nothing is sent or begun by this: what is wrong or missing is found before.

#include <weft/devices.h>
#include <weft/exchange.h>
#include <weft/hosts.h>
#include <weft/preview.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace weft {

struct ThereRequest {
    /// Its folder is where data lies there; empty: beside the design, where it is sent to.
    ExportRequest job;
    JobStart start = JobStart::here;
    MachineSheet machine; ///< of that host, or of the nodes of its partition
    std::string host;     ///< what it is called, for messages
    /// Here, in which the design's files lie, its own first.
    std::vector<std::filesystem::path> folders = {};
    std::filesystem::path weights = {}; ///< here, to begin with; empty: the design's own
    bool sendsData = false;             ///< the user's word for it
};

/// The design, the script by which a job begins there, and what that reads.
[[nodiscard]] std::vector<ExportedFile> jobFiles(const ExportRequest& job, JobStart start);

struct ThereJob {
    std::vector<ExportedFile> files; ///< design.weft, its script and what that reads
    std::vector<DataFile> sent = {}; ///< beside them
    std::shared_ptr<const Preview> preview;
    std::vector<std::string> remarks = {}; ///< a sentence each
    [[nodiscard]] Bytes bytesSent() const;
};

/// Error{design} with the first error that the design has on those devices; Error{device} where the
/// host lacks one of them; Error{file} where data is missing here; Error{usage} where data would
/// have to be sent and nobody said so, or can't be found there under its name.
[[nodiscard]] ThereJob jobThere(const ThereRequest& request);

} // namespace weft
