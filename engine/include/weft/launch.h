// SPDX-License-Identifier: Apache-2.0
#pragma once
// Several ranks of one program, started together by mpirun and looked after until the last has
// ended: nothing of them is left behind, whatever became of them. What they do is read from the
// run's folder, as ever.

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

/// What starts this process's program anew: a file to execute.
[[nodiscard]] std::filesystem::path thisProgram();

struct LaunchRequest {
    int ranks = 2;
    std::vector<std::string> command = {}; ///< what every rank runs; the program first
    std::filesystem::path hosts = {};      ///< a hostfile of mpirun; empty: this machine, or what
                                           ///< the batch system gave
};

/// What can be seen before anything is started: Error{device} where this build has no MPI, or the
/// machine no mpirun; Error{usage} for more ranks than its cores can carry, Error{file} for hosts
/// that are no file.
void requireLaunchable(const LaunchRequest& request);

/// The devices of a run on so many ranks: those asked for, else the design's, else a core of this
/// machine for each rank. Error{usage} where fewer are named than there are ranks.
[[nodiscard]] std::vector<std::string>
devicesOnRanks(const Design& design, const std::vector<std::string>& asked, int ranks);

struct LaunchOutcome {
    bool isFailed = false;
    ErrorCode code = ErrorCode::peer; ///< of the failure
    std::string message = {};         ///< what failed and what to do, where no rank has said it
};

class Launch {
public:
    /// Starts at once what is launchable, or throws as above.
    explicit Launch(LaunchRequest request);
    /// Ends what still runs and waits.
    ~Launch();
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    /// What was started, as one would type it.
    [[nodiscard]] const std::string& line() const;
    /// The ranks finish the step, save and end; at once, where none has begun. From any thread.
    void stop();
    /// The ranks end now.
    void end();
    [[nodiscard]] bool hasEnded() const;
    LaunchOutcome wait();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The link between two processes of this machine: mpirun starts `program`, a weft, twice and each
/// measures the link between ranks. Nothing where this build or machine cannot start ranks;
/// Error{peer} where they end badly, Error{stopped} where `goesOn` says no, asked again and again.
[[nodiscard]] std::optional<LinkSheet>
measureLinkBetweenProcesses(const std::filesystem::path& program,
                            const std::function<bool()>& goesOn = {});

} // namespace weft
