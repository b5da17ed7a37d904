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

struct ThereOptions {
    std::string host; ///< empty: this machine
    std::string data; ///< the host's folder that holds the data
    bool sendsData = false;
    int nodes = 0;   ///< 0: not given
    int cores = 1;   ///< cores per process
    int minutes = 0; ///< 0: the limit in the host's settings
    bool leaves = false;
};
void addThere(Verb& verb, ThereOptions& options);

/// Options of a run that apply on every host.
struct WhatRuns {
    std::filesystem::path file;
    std::vector<std::string> settings;
    std::vector<std::string> devices;
    std::vector<std::string> data; ///< local folders
    std::filesystem::path weights;
    int ranks = 0;
    bool asJson = false;
};
/// Starts a run on another host and returns the exit code.
[[nodiscard]] int runThere(const ThereOptions& options, const WhatRuns& what);
/// Resumes a run on its host and returns the exit code.
[[nodiscard]] int resumeThere(RunPlace& place, const WhatRuns& what);

} // namespace weft
