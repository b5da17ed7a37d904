// SPDX-License-Identifier: Apache-2.0
#pragma once
// Starts several ranks of one program with mpirun and supervises them until the last has ended, so
// that no process is left behind. Progress is read from the run's folder.

#include <weft/design.h>
#include <weft/devices.h>
#include <weft/error.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Returns the executable that starts this process's program again.
[[nodiscard]] std::filesystem::path thisProgram();

struct LaunchRequest {
    int ranks = 2;
    std::vector<std::string> command = {}; ///< command line of every rank, program first
    std::filesystem::path hosts = {}; ///< mpirun hostfile; empty: this machine or the batch job
};

/// Checks the request before anything starts. Throws Error{device} if this build has no MPI or the
/// machine no mpirun, Error{usage} for more ranks than the cores can carry, Error{file} if the
/// hostfile is missing.
void requireLaunchable(const LaunchRequest& request);

/// Returns the devices of a run on so many ranks: those requested, else the design's, else one core
/// of this machine per rank. Throws Error{usage} if fewer devices than ranks are named.
[[nodiscard]] std::vector<std::string>
devicesOnRanks(const Design& design, const std::vector<std::string>& asked, int ranks);

struct LaunchOutcome {
    bool isFailed = false;            ///< true: a rank or mpirun failed
    ErrorCode code = ErrorCode::peer; ///< code of the failure
    std::string message = {};         ///< what failed and what to do, if no rank reported it
};

class Launch {
public:
    /// Starts at once, or throws as `requireLaunchable` does.
    explicit Launch(LaunchRequest request);
    /// Ends ranks that still run, and waits.
    ~Launch();
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    [[nodiscard]] const std::string& line() const; ///< the command line that was started
    /// Asks the ranks to finish the step, save and end; ends them at once if no step has begun.
    /// Thread-safe.
    void stop(); ///< asks the ranks to save and end
    void end();  ///< ends the ranks now
    [[nodiscard]] bool hasEnded() const;
    LaunchOutcome wait(); ///< until all ranks have ended

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Measures the link between two processes of this machine with two ranks of `program`, a weft.
/// Returns nothing if this build or machine cannot start ranks. Throws Error{peer} if they fail,
/// and Error{stopped} if `goesOn`, which is called repeatedly, returns false.
[[nodiscard]] std::optional<LinkSheet>
measureLinkBetweenProcesses(const std::filesystem::path& program,
                            const std::function<bool()>& goesOn = {});

} // namespace weft
