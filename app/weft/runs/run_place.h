// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run as named on the command line: its folder, or NAME:RUN on another host, of which a local
// copy is kept up to date.

#include <weft/remote.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

namespace weft {

class RunPlace {
public:
    /// With `reconnects`, a lost connection is opened again.
    explicit RunPlace(const std::string& word, bool reconnects = false);

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    /// Returns nullptr for a run of this machine.
    [[nodiscard]] HostLine* line() const { return line_.get(); } ///< nullptr: a run of this machine
    /// Name of the run on its host.
    [[nodiscard]] const std::string& run() const { return run_; } ///< name of the run on its host

    /// Brings the local copy up to date. If the connection is lost, keeps the copy as it is and
    /// prints a warning; throws Error{peer} if there is no copy.
    void updateCopy(bool withSpans = false); ///< updates the local copy
    /// Brings the local copy up to date, with the files whose paths `isWanted` accepts.
    void fetchFiles(const std::function<bool(const std::string& path)>& isWanted);
    void fetchNewestCheckpoint(); ///< to the local copy

private:
    void reportConnection(const std::stop_token& stop) const; ///< the loop of reporter_

    std::filesystem::path folder_;   ///< run folder or its local copy
    std::string run_;                ///< name of the run on its host
    std::unique_ptr<HostLine> line_; ///< connection to the host; nullptr: a run of this machine
    bool reconnects_;                ///< a lost connection is opened again
    bool isLost_ = false;            ///< the connection was lost
    std::jthread reporter_;          ///< reports when the connection is lost and when it is back
};

} // namespace weft
