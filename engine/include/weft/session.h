// SPDX-License-Identifier: Apache-2.0
#pragma once
// One run in this process, on threads of its own. Any thread can pause, step, save or stop it.
// Results are read from the log in the run directory, as for any other run, so the window never
// waits for a session.

#include <weft/design.h>
#include <weft/error.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

struct SessionRequest {
    Design design;
    std::filesystem::path file = {};              ///< the design's file, for messages
    std::filesystem::path folder = {};            ///< search folder of the design's files
    std::vector<std::filesystem::path> data = {}; ///< further search folders
    std::vector<std::string> devices = {};        ///< empty: the design's, else cpu:0
    std::string backend = {}; ///< "reference", "null": replaces the devices' own backends
    std::filesystem::path runs = "runs"; ///< parent of the new run directory; empty: no directory
    std::filesystem::path run = {}; ///< the run directory itself, in place of a new one in `runs`
    std::filesystem::path resume = {};     ///< run directory to resume from its last checkpoint
    std::filesystem::path from = {};       ///< run whose last checkpoint begins this new run
    std::filesystem::path weights = {};    ///< safetensors, loaded by layer name
    bool isEvaluation = false;             ///< true: evaluates once and trains no step
    std::vector<std::string> observe = {}; ///< layers whose values in the first steps are stored
    std::vector<std::string> sinks = {};   ///< besides metrics.jsonl and log.txt: "tensorboard"
};

enum class SessionState : std::uint8_t { preparing, running, paused, finished, stopped, failed };

struct SessionOutcome {
    SessionState state = SessionState::preparing;
    std::int64_t steps = 0;                                      ///< training steps done
    double loss = 0;                                             ///< loss of the last training step
    std::vector<std::pair<std::string, double>> evaluation = {}; ///< metrics of the last evaluation
    std::string message = {};        ///< what failed and what to do, or how to resume
    ErrorCode code = ErrorCode::bug; ///< for a failure
    bool isOurs = true; ///< true: this process reports to the user (one of several ranks does)
};

/// A failure that is ending the run.
struct SessionFailure {
    std::string message = {}; ///< what failed and what to do
    ErrorCode code = ErrorCode::bug;
    bool isOurs = true;               ///< true: this process reports it to the user
    std::chrono::milliseconds age{0}; ///< since this process knew of it
};

class Session {
public:
    /// Starts at once. Errors of the design, missing data or an unwritable folder become the
    /// outcome's failure.
    explicit Session(SessionRequest request);
    /// Stops the run and waits.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] SessionState state() const;
    /// Empty until the directory exists.
    [[nodiscard]] std::filesystem::path directory() const;
    [[nodiscard]] std::string waitsFor() const; ///< why the run paused by itself; empty: it did not
    /// Returns the failure of a run of several ranks as soon as it is known. The threads still
    /// finish writing, but one that hangs in MPI because a rank is missing never ends; the caller
    /// then exits the process.
    [[nodiscard]] std::optional<SessionFailure> failure() const;
    /// Finishes the step, saves, ends. Safe in a thread that waits for signals, but not in a signal
    /// handler.
    void stop();
    /// Waits for the end.
    SessionOutcome wait();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Identifies a remote sender. A command that is sent twice with the same number is executed once.
struct CommandSender {
    std::string name = {};    ///< name of the remote sender; empty: on this host
    std::uint64_t number = 0; ///< number of the command; a repeated number has no effect
};

/// Sends a command to a run of any process, by folder: "pause", "resume", "step" (if paused),
/// "save", "stop", or "observe" with a layer. Arrives at once on the same host, else within a
/// second. Throws Error{file} with the reason if the run has ended, and Error{usage} with the valid
/// choices for an unknown command or layer.
void tellRun(const std::filesystem::path& run, std::string_view command,
             const std::string& layer = {}, const CommandSender& asker = {});

} // namespace weft
