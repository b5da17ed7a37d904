// SPDX-License-Identifier: Apache-2.0
#pragma once
// A host that one isn't sitting at, talked to: what it has, its runs, copies of them that grow
// here, commands to them, jobs. No port is opened and nothing stays there: a line is a command that
// carries one program's input and output, and is taken up again where it breaks.

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

/// The other end of a line, on this process's standard input and output: what `weft answer` does.
/// Returns when its input ends.
void serveLine();

struct LineManner {
    /// Somebody sits at a terminal, on which the program that carries the line may ask: the first
    /// time only.
    bool mayAsk = false;
    /// A line that breaks is taken up again, by itself.
    bool keepsOn = false;
};

enum class LineState : std::uint8_t { connecting, up, lost };
struct LineWord {
    LineState state = LineState::connecting;
    std::string why = {}; ///< it is lost, in the words of the program that carries it
    bool isOver = false;  ///< and is not taken up again
    std::chrono::milliseconds stands = {}; ///< for how long it has been in this state
};

/// A file of a run there that comes when it is asked for.
struct FileThere {
    std::string path = {}; ///< in the run's folder
    Bytes bytes = {};
};

/// A line to a host. Questions wait for their answers and may be asked from any thread: Error as
/// the host refuses, Error{peer} where the line is lost and not taken up again, Error{timeout}
/// where nothing comes.
class HostLine {
public:
    explicit HostLine(Host host, LineManner manner = {});
    ~HostLine();
    HostLine(const HostLine&) = delete;
    HostLine& operator=(const HostLine&) = delete;

    [[nodiscard]] const Host& host() const;
    [[nodiscard]] LineWord word() const;
    void waitUntilUp();
    /// Whoever waits for an answer is refused, now and later: Error{stopped}.
    void end();

    /// What it has. Takes as long as it takes to find that out: some seconds where a queue is
    /// slow to answer.
    HostReport survey();
    /// Reports a host with a queue and one node of its job partition. It submits a one-minute job,
    /// or joins one already submitted, and waits for its end. `heard` receives the state of the job
    /// repeatedly; returning false stops waiting with Error{stopped}, and the answer remains
    /// available later.
    HostReport askNodes(const std::function<bool(const std::string& waits)>& heard = {});
    /// Its runs, newest first.
    std::vector<RunSummary> runs();
    /// The copy of that run grows here from now on; its folder. Where another process makes it grow
    /// already, this one only reads.
    std::filesystem::path follow(const std::string& run, bool withSpans = true);
    /// The copy grows no more.
    void leave(const std::string& run);
    /// Waits until the copy has all that the run had when the host was asked.
    void waitForAll(const std::string& run);
    /// Checkpoints, tensors and series of a run, in the order of their paths.
    std::vector<FileThere> files(const std::string& run);
    /// Brings one file of a run whose copy grows here, by whatever process, "checkpoints/...", and
    /// waits for it.
    std::filesystem::path fetch(const std::string& run, const std::string& path);
    /// Sends what the job takes along, each file once, and begins it; the run's name there, which
    /// is this one or, where it is taken, one like it. `progress` hears of bytes that have gone,
    /// of all that go, and ends it by saying no: Error{stopped}.
    std::string start(const std::string& run, const ThereJob& job,
                      const std::function<bool(Bytes sent, Bytes all)>& progress = {});
    /// The run goes on from its last checkpoint: as before by the script of its job, where it has
    /// one, else by that among the files.
    void resume(const std::string& run, const std::vector<ExportedFile>& files, bool isAsBefore);
    /// Looks for the data of a design in a folder there. Error{file} where it is not there,
    /// Error{design} with what is wrong with it.
    void look(const std::string& design, const std::string& folder);
    /// Ends a job, in whatever state.
    void cancel(const std::string& run);
    /// As `tellRun`; a command whose answer is lost with the line is met once all the same.
    void tell(const std::string& run, std::string_view command, const std::string& layer = {});

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
