// SPDX-License-Identifier: Apache-2.0
#pragma once
// Settings of remote hosts: how to connect, where runs are stored and how jobs start. They are user
// settings, never part of a design. Also the report of a host's devices and queue.

#include <weft/devices.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// How a job starts on a host.
enum class JobStart : std::uint8_t {
    here,   ///< as a process on the host, with mpirun for several ranks
    mpirun, ///< with mpirun on the machines in the host's settings
    slurm   ///< as a Slurm job
};
[[nodiscard]] std::string_view nameOf(JobStart start);
/// Throws Error{usage} with the valid names if the name is unknown.
[[nodiscard]] JobStart jobStartNamed(std::string_view name);

struct Host {
    std::string name; ///< letters, digits, '.', '_' and '-'
    /// Command that takes a shell line as its last argument and forwards the line's input and
    /// output: "ssh cluster", "docker exec -i box sh -c", "sh -c".
    std::string via;                  ///< command that forwards a shell line: "ssh cluster"
    std::string folder = "weft-runs"; ///< folder of the runs; relative to the host's home folder
    std::string program = "weft"; ///< command that starts weft on the host; "~/" is the home folder
    JobStart start = JobStart::here;        ///< how a job starts on the host
    std::vector<std::string> machines = {}; ///< hosts for mpirun, by the names used on that host
    std::string partition = {};             ///< Slurm partition; empty: the default
    std::string account = {};               ///< Slurm account
    int minutes = 60;                       ///< time limit of a batch job
    std::int64_t bytesPerSecond = 0;        ///< bandwidth limit from the host; 0: none
    bool operator==(const Host&) const = default;
};

/// Returns all hosts sorted by name. Throws Error{format} if the settings file cannot be read.
[[nodiscard]] std::vector<Host> knownHosts();
/// Throws Error{usage} with the known names if the name is unknown.
[[nodiscard]] Host hostNamed(std::string_view name);
/// Adds or replaces the host. Throws Error{usage} for an invalid name, an empty command or a number
/// out of range.
void keepHost(const Host& host); ///< adds or replaces it in the settings
/// Throws Error{usage} if there is no host with this name.
void forgetHost(std::string_view name);
/// Machine-readable list of the hosts.
[[nodiscard]] std::string jsonOf(const std::vector<Host>& hosts);
/// Closes the connection that the user's programs share; false if there was none.
bool closeConnection(const Host& host);

struct InstallRequest {
    Host host;
    bool isFromSource = false;          ///< true: build from source there; false: copy this engine
    bool mayAsk = false;                ///< true: the connection may prompt on the user's terminal
    std::filesystem::path program = {}; ///< the weft to copy; empty: this process's own
};
struct InstallProgress {
    std::string stage = {}; ///< current step, as text
    Bytes done = {};        ///< bytes sent
    Bytes all = {};         ///< bytes to send; 0: nothing is being sent
    std::string log = {};   ///< last lines of the log of a failed build
};
/// Installs an engine in ~/weft on the host, without root, and stores the host with it as program.
/// The previous engine stays in use until the new one starts, and after a failure. `progress`
/// is called at least once a second; returning false stops with Error{stopped}. Throws the
/// connection's errors, or Error{device} with a remedy if the host cannot run the engine.
Host installOn(const InstallRequest& request,
               const std::function<bool(const InstallProgress&)>& progress = {});

/// A run on a host, as typed: "cluster:2026-01-01_120000_lenet".
struct RemoteRun {
    std::string host; ///< name of the host
    std::string run;  ///< name of the run on its host
    bool operator==(const RemoteRun&) const = default;
};
/// Returns nothing if the text before the first colon is not a known host.
[[nodiscard]] std::optional<RemoteRun> remoteRunNamed(std::string_view word);

/// Returns the local folder with the copies of a host's runs. Throws Error{usage} for an invalid
/// name.
[[nodiscard]] std::filesystem::path mirrorsOf(std::string_view host); ///< folder of its run copies
/// Returns the local folder with the copy of this run.
[[nodiscard]] std::filesystem::path mirrorFolder(const RemoteRun& run);

/// Nodes of one kind in a Slurm partition.
struct SlurmPartition {
    std::string name;
    bool isDefault = false;
    bool isUp = true;        ///< true: accepts and starts jobs
    std::int64_t nodes = 0;  ///< number of nodes of this kind
    std::int64_t idle = 0;   ///< number of idle nodes
    std::int64_t cores = 0;  ///< minimum per node
    Bytes memory = {};       ///< minimum per node
    std::string extras = {}; ///< "gpu:h100:4"
    std::string limit = {};  ///< time limit: "1-00:00:00", "infinite"
    bool operator==(const SlurmPartition&) const = default;
};

/// The report of one node of a partition, from a job that ran on the node.
struct NodesReport {
    std::string partition;
    std::int64_t asked = 0;     ///< Unix time in seconds by the node's clock
    std::string fault = {};     ///< why the answer cannot be read
    MachineReport machine = {}; ///< the node's devices
};

/// The report of a host and the quality of the connection. Its texts cannot steer a terminal.
struct HostReport {
    std::string version;        ///< version of Weft on the host
    MachineReport machine = {}; ///< devices of the host itself
    bool hasSlurm = false;
    std::string slurmFault = {}; ///< why Slurm does not answer
    std::vector<SlurmPartition> partitions = {};
    std::optional<NodesReport> nodes =
        {};                  ///< report on the partition that jobs use, if its nodes were queried
    std::string folder = {}; ///< absolute path of the runs' folder
    Bytes free = {};         ///< free disk space
    Nanoseconds roundTrip = {};  ///< round-trip time of the connection
    Nanoseconds clockAhead = {}; ///< offset of the host's clock to the local clock
    Nanoseconds clockError = {}; ///< uncertainty of the offset, either way
};
/// Returns the machine that jobs get. With a queue: a node of the partition, from its own report or
/// else from Slurm's data and published rates. Otherwise: the host itself. No device is marked as
/// present on this machine.
[[nodiscard]] MachineSheet machineOfJobs(const Host& host, const HostReport& report);
/// True if the queue's nodes were not asked, so that `machineOfJobs` only has published rates.
[[nodiscard]] bool isByPublishedRates(const Host& host, const HostReport& report);
/// Returns the requirements of a run on the host as features: found or missing, and how to get
/// them.
[[nodiscard]] std::vector<Feature> hostFindings(const Host& host, const HostReport& report);
/// Prints a line per finding.
[[nodiscard]] std::string print(const Host& host, const HostReport& report);

} // namespace weft
