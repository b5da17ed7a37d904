// SPDX-License-Identifier: Apache-2.0
#pragma once
// The connection to a remote host: its devices, its runs, local copies of them, commands and jobs.
// Needs no open port and no daemon: a line is a command that carries one program's input and
// output, and it is reopened if it breaks.

#include <weft/error.h>
#include <weft/hosts.h>
#include <weft/job_there.h>
#include <weft/runs.h>
#include <weft/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Serves the remote end of a line on standard input and output (`weft answer`). Returns at the end
/// of the input.
void serveLine();

struct LineOptions {
    bool mayAsk = false;     ///< true: `via` may prompt on the terminal, the first time
    bool reconnects = false; ///< true: a broken line reconnects by itself
};

enum class LineState : std::uint8_t { connecting, up, lost };
struct LineStatus {
    LineState state = LineState::connecting;
    std::string why = {};                  ///< why it is lost, as the connecting program reports it
    bool isOver = false;                   ///< true: it will not reconnect
    std::chrono::milliseconds stands = {}; ///< time in this state
};

/// A remote run's file that is only copied on request.
struct RemoteFile {
    std::string path = {}; ///< in the run's folder
    Bytes bytes = {};
};

/// A line to a host. Requests block until they are answered; all are thread-safe. They throw the
/// host's error, Error{peer} if the line is lost and does not reconnect, and Error{timeout} if no
/// answer comes.
class HostLine {
public:
    explicit HostLine(Host host, LineOptions manner = {});
    ~HostLine();
    HostLine(const HostLine&) = delete;
    HostLine& operator=(const HostLine&) = delete;

    [[nodiscard]] const Host& host() const;
    [[nodiscard]] LineStatus status() const;
    void waitUntilUp(); ///< blocks until the line is connected
    void end();         ///< fails all current and later requests

    /// Reports the host's devices and queue; takes some seconds if the queue is slow.
    HostReport survey(); ///< devices and queue of the host
    /// Reports a host with a queue and one node of its job partition. Submits a one-minute job, or
    /// joins one already submitted, and waits for its end. `heard` receives the job's state
    /// repeatedly; returning false stops waiting with Error{stopped}, and the answer remains
    /// available later.
    HostReport askNodes(const std::function<bool(const std::string& waits)>& heard = {});
    /// Returns the host's runs, newest first.
    std::vector<RunSummary> runs();
    /// Starts to mirror the run and returns the local folder. If another process mirrors it
    /// already, this process only reads the copy.
    std::filesystem::path follow(const std::string& run, bool withSpans = true);
    void leave(const std::string& run); ///< stops mirroring the run
    /// Blocks until the copy holds all data that the run had at the time of the call.
    void waitForAll(const std::string& run); ///< until the copy is up to date
    /// Lists the checkpoints, tensors and series of a run, sorted by path.
    std::vector<RemoteFile> files(const std::string& run);
    /// Fetches one file of a run that this or another process mirrors, "checkpoints/...", and waits
    /// for it.
    std::filesystem::path fetch(const std::string& run, const std::string& path);
    /// Sends the job's files, each once, and starts it. Returns the run's name on the host: `run`,
    /// or a similar name if that is taken. `progress` receives bytes sent and total; returning
    /// false stops with Error{stopped}.
    std::string start(const std::string& run, const RemoteJob& job,
                      const std::function<bool(Bytes sent, Bytes all)>& progress = {});
    /// Resumes the run from its last checkpoint with the job script it already has, if
    /// `isAsBefore`, else with the script in `files`.
    void resume(const std::string& run, const std::vector<ExportedFile>& files, bool isAsBefore);
    /// Checks that the design's data is in a folder on the host. Throws Error{file} if it is
    /// missing, and Error{design} if it does not fit.
    void checkData(const std::string& design, const std::string& folder);
    /// Cancels a job in any state.
    void cancel(const std::string& run);
    /// As `tellRun`. If the line breaks before the answer, the command still takes effect only
    /// once.
    void sendCommand(const std::string& run, std::string_view command,
                     const std::string& layer = {});

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
