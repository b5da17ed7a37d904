// SPDX-License-Identifier: Apache-2.0
#pragma once
// Machines that one isn't sitting at: how they are reached, where runs lie there and how jobs
// begin. Settings of the user, kept beside the window's; a design never names one. And what such a
// machine has, as it says itself.

#include <weft/devices.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// How a job begins there.
enum class JobStart : std::uint8_t {
    here,   ///< as a process of the host itself, several ranks of it by mpirun
    mpirun, ///< by mpirun on the machines that the host's settings name
    slurm   ///< in a queue
};
[[nodiscard]] std::string_view nameOf(JobStart start);
/// Error{usage} naming those there are.
[[nodiscard]] JobStart jobStartNamed(std::string_view name);

struct Host {
    std::string name; ///< letters, digits, '.', '_' and '-'
    /// A command that takes one shell line more as its last word, and gives that line's input and
    /// output: "ssh cluster", "docker exec -i box sh -c", "sh -c".
    std::string via;
    std::string folder =
        "weft-runs";              ///< for runs; where it is relative, from the home folder there
    std::string program = "weft"; ///< as it is called there; "~/" is the home folder there
    JobStart start = JobStart::here;
    std::vector<std::string> machines = {}; ///< of mpirun, as they are called there
    std::string partition = {};             ///< of Slurm; empty: its default
    std::string account = {};               ///< of Slurm
    int minutes = 60;                       ///< limit of a batch job
    std::int64_t bytesPerSecond = 0;        ///< that the line may carry from there; 0: no limit
    bool operator==(const Host&) const = default;
};

/// In the order of their names. Error{format} where the file of settings can't be read.
[[nodiscard]] std::vector<Host> knownHosts();
/// Error{usage} naming those there are.
[[nodiscard]] Host hostNamed(std::string_view name);
/// Adds it, or takes the place of the one of that name. Error{usage} for what is no name, an empty
/// command or a number out of range.
void keepHost(const Host& host);
/// Error{usage} where there is none of that name.
void forgetHost(std::string_view name);
/// For a program to read.
[[nodiscard]] std::string jsonOf(const std::vector<Host>& hosts);
/// Ends the connection that all of one's programs share; false where there was none.
bool closeConnection(const Host& host);

struct InstallRequest {
    Host host;
    /// Built there of what Weft is made of, with what is found there; else the engine that runs
    /// here is carried, with its libraries.
    bool isFromSource = false;
    bool mayAsk = false; ///< somebody sits at a terminal, on which what reaches the host may ask
    std::filesystem::path program = {}; ///< the weft that is carried; empty: this process's own
};
struct InstallProgress {
    std::string stage = {}; ///< what is being done
    Bytes done = {};        ///< of what is sent
    Bytes all = {};         ///< 0: nothing is being sent
    std::string log = {};   ///< of a build that failed: its last lines
};
/// Puts an engine into ~/weft there, without root, and keeps the host with that as its program. The
/// one there was goes on until the new one has been started, and whatever fails leaves it whole.
/// `progress` hears of it at least once a second and ends it by saying no: Error{stopped}. Error as
/// the host is reached, Error{device} where it can't have it, and what would mend that.
Host installOn(const InstallRequest& request,
               const std::function<bool(const InstallProgress&)>& progress = {});

/// A run on a host, as one types it: "cluster:2026-01-01_120000_lenet".
struct RunThere {
    std::string host;
    std::string run;
    bool operator==(const RunThere&) const = default;
};
/// Nothing where the word has no known host before its first colon.
[[nodiscard]] std::optional<RunThere> runThere(std::string_view word);

/// Where copies of a host's runs grow here. Error{usage} where the name is none.
[[nodiscard]] std::filesystem::path mirrorsOf(std::string_view host);
/// Where that of one run does.
[[nodiscard]] std::filesystem::path mirrorFolder(const RunThere& run);

/// Nodes of one kind in a partition of Slurm's.
struct SlurmPartition {
    std::string name;
    bool isDefault = false;
    bool isUp = true;
    std::int64_t nodes = 0;
    std::int64_t idle = 0;   ///< of those
    std::int64_t cores = 0;  ///< of a node, the least
    Bytes memory = {};       ///< of a node, the least
    std::string extras = {}; ///< "gpu:h100:4"
    std::string limit = {};  ///< of time: "1-00:00:00", "infinite"
    bool operator==(const SlurmPartition&) const = default;
};

/// What one of a partition's nodes said of itself to a job that asked it.
struct NodesReport {
    std::string partition;
    std::int64_t asked = 0; ///< seconds of Unix time, by the clock of that node
    std::string fault = {}; ///< why its answer can't be read
    MachineReport machine = {};
};

/// What a host said of itself when it was asked, and what its line was like. No text of it steers a
/// terminal.
struct HostReport {
    std::string version; ///< of Weft there
    MachineReport machine = {};
    bool hasSlurm = false;
    std::string slurmFault = {}; ///< why it does not answer
    std::vector<SlurmPartition> partitions = {};
    std::optional<NodesReport> nodes =
        {};                      ///< of the partition that jobs go to, once they were asked
    std::string folder = {};     ///< for runs, in full
    Bytes free = {};             ///< on its disk
    Nanoseconds roundTrip = {};  ///< of a question that takes no time
    Nanoseconds clockAhead = {}; ///< of the clock here
    Nanoseconds clockError = {}; ///< of that, either way
};
/// The machine that a job gets: of a queue a node of the partition, as it was asked or else by what
/// Slurm says of it and published rates; else the host itself. Its devices are none of this
/// machine.
[[nodiscard]] MachineSheet machineOfJobs(const Host& host, const HostReport& report);
/// Whether nodes of its queue were not asked, so that `machineOfJobs` has published rates alone.
[[nodiscard]] bool isByPublishedRates(const Host& host, const HostReport& report);
/// What a run there needs, each as a feature: whether it is found, and what would bring it.
[[nodiscard]] std::vector<Feature> hostFindings(const Host& host, const HostReport& report);
/// A line per finding.
[[nodiscard]] std::string print(const Host& host, const HostReport& report);

} // namespace weft
