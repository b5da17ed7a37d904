// SPDX-License-Identifier: Apache-2.0
#pragma once
// Starts runs on another host: checks and plans for that host's devices, sends the files, starts
// the run and follows it.

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

class RunPlace;
class Verb;

struct RemoteRunOptions {
    std::string host;       ///< empty: this machine
    std::string data;       ///< the host's folder that holds the data
    bool sendsData = false; ///< copy the data to the host
    int nodes = 0;          ///< nodes of the Slurm job; 0: not given
    int cores = 1;          ///< cores per process
    int minutes = 0;        ///< time limit of a Slurm job; 0: the host's setting
    bool leaves = false;    ///< start the run and do not follow it
};
void addRemoteRunOptions(Verb& verb, RemoteRunOptions& options);

/// Options of a run that apply on every host.
struct RunArguments {
    std::filesystem::path file;        ///< the design
    std::vector<std::string> settings; ///< KEY=VALUE
    std::vector<std::string> devices;  ///< the devices to use; empty: those of the design
    std::vector<std::string> data;     ///< local folders
    std::filesystem::path weights;     ///< file to start from; empty: none
    int ranks = 0;                     ///< 0: not given
    bool asJson = false;               ///< print JSON
};
/// Starts a run on another host and returns the exit code.
[[nodiscard]] int runOnHost(const RemoteRunOptions& options, const RunArguments& what);
/// Resumes a run on its host and returns the exit code.
[[nodiscard]] int resumeOnHost(RunPlace& place, const RunArguments& what); ///< exit code

} // namespace weft
