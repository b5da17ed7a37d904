// SPDX-License-Identifier: Apache-2.0
#pragma once
// One run in this process: started on threads of its own, told to pause, step, save or stop from
// any thread. What happens in it is read from its run directory's log, here as anywhere else. The
// window never waits for it.

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
    std::filesystem::path file = {};              ///< the design's, for messages
    std::filesystem::path folder = {};            ///< where the design's files are looked for
    std::vector<std::filesystem::path> data = {}; ///< and then in these
    std::vector<std::string> devices = {};        ///< empty: those the design declares, else cpu:0
    std::string backend = {};            ///< "reference", "null": instead of the devices' own
    std::filesystem::path runs = "runs"; ///< a run directory is made in it; empty: none is kept
    std::filesystem::path run = {};      ///< this very directory
    std::filesystem::path resume = {};   ///< a run directory whose last checkpoint goes on
    /// A run directory, or a copy of one elsewhere, whose last checkpoint goes on as a new run;
    /// nothing is written in it.
    std::filesystem::path from = {};
    std::filesystem::path weights = {};    ///< safetensors, loaded by layer name
    bool isEvaluation = false;             ///< no step: evaluate once
    std::vector<std::string> observe = {}; ///< layers whose values of the first steps are kept
    std::vector<std::string> sinks = {};   ///< besides metrics.jsonl and log.txt: "tensorboard"
};

enum class SessionState : std::uint8_t { preparing, running, paused, finished, stopped, failed };

struct SessionOutcome {
    SessionState state = SessionState::preparing;
    std::int64_t steps = 0;
    double loss = 0;
    std::vector<std::pair<std::string, double>> evaluation = {}; ///< of the last one
    std::string message = {};        ///< what failed and what to do; how to resume
    ErrorCode code = ErrorCode::bug; ///< of a failure
    bool isOurs = true; ///< this process is the one to tell the user: of several ranks, one is
};

/// A failure that is ending the run.
struct SessionFailure {
    std::string message = {};
    ErrorCode code = ErrorCode::bug;
    bool isOurs = true;
    std::chrono::milliseconds age{0}; ///< since it was known here
};

class Session {
public:
    /// Starts at once. A design with errors, missing data or an unwritable folder is the outcome's
    /// failure.
    explicit Session(SessionRequest request);
    /// Stops it and waits.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] SessionState state() const;
    /// Empty until it has been made.
    [[nodiscard]] std::filesystem::path directory() const;
    /// Why the run pauses though nobody asked, as when its disk is full; empty where it does not.
    [[nodiscard]] std::string waitsFor() const;
    /// The failure of a run of several ranks, from the moment it is known: its threads write what
    /// is left to be written, but one that hangs where MPI misses a rank never ends. Whoever has
    /// waited long enough leaves the process.
    [[nodiscard]] std::optional<SessionFailure> failure() const;
    /// Finishes the step, saves, ends. Safe in a signal handler's thread, not in the handler.
    void stop();
    /// Waits for the end.
    SessionOutcome wait();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Whoever asks from afar, where an answer may be lost: what one asker says twice under one number
/// is done once.
struct Asker {
    std::string name = {}; ///< empty: of this host
    std::uint64_t number = 0;
};

/// Tells a run of any process, by its folder: "pause", "resume", "step" (of a paused run), "save",
/// "stop", or "observe" and a layer. On the same host it hears at once, elsewhere within a second.
/// Error{file} when the run does not live, with how it ended; Error{usage} for another command, or
/// a layer that it does not have, with what there is.
void tellRun(const std::filesystem::path& run, std::string_view command,
             const std::string& layer = {}, const Asker& asker = {});

} // namespace weft
