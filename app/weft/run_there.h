// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs that are begun on another host: checked and planned for what that has, sent, begun,
// followed.

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

class RunPlace;
class Verb;

struct ThereOptions {
    std::string host; ///< empty: here
    std::string data; ///< the folder there in which it lies
    bool sendsData = false;
    int nodes = 0;   ///< 0: nobody says
    int cores = 1;   ///< of each process
    int minutes = 0; ///< 0: as the host's settings say
    bool leaves = false;
};
void addThere(Verb& verb, ThereOptions& options);

/// What a run takes wherever it is.
struct WhatRuns {
    std::filesystem::path file;
    std::vector<std::string> settings;
    std::vector<std::string> devices;
    std::vector<std::string> data; ///< folders here
    std::filesystem::path weights;
    int ranks = 0;
    bool asJson = false;
};
/// The exit code.
[[nodiscard]] int runThere(const ThereOptions& options, const WhatRuns& what);
/// A run of that host goes on.
[[nodiscard]] int resumeThere(RunPlace& place, const WhatRuns& what);

} // namespace weft
