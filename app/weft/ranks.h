// SPDX-License-Identifier: Apache-2.0
#pragma once
// weft run FILE --ranks N: the same command once more in every rank, started and looked after from
// here.

#include <string>

namespace weft {

class Verb;

struct RanksOptions {
    int ranks = 0; ///< 0: this process alone, or one of those that mpirun started
    std::string hosts;
};

void addRanks(Verb& verb, RanksOptions& options);

/// Starts the ranks of `verb` as it was typed, shows the line, waits and gives the exit code.
int runOnRanks(const Verb& verb, const RanksOptions& options);

} // namespace weft
