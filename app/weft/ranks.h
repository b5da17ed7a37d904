// SPDX-License-Identifier: Apache-2.0
#pragma once
// weft run FILE --ranks N: the same command once more in every rank, started and looked after from
// here.

#include <weft/design.h>

#include <string>
#include <vector>

namespace weft {

class Verb;

struct RanksOptions {
    int ranks = 0; ///< 0: this process alone, or one of those that mpirun started
    std::string hosts;
};

void addRanks(Verb& verb, RanksOptions& options);

/// What all ranks will read, for a look before any is started.
struct DesignForRanks {
    const std::string& file;
    const Design& design;
    const std::vector<std::string>& devices; ///< as asked for
};

/// What can be seen to be wrong before any is started is thrown: Error{design} for the design's
/// first error, Error{usage} for more ranks than there is something for.
void requireRunnable(const RanksOptions& options, const DesignForRanks& all);

/// Starts the ranks of `verb` as it was typed, shows the line, waits and gives the exit code.
int runOnRanks(const Verb& verb, const RanksOptions& options);

} // namespace weft
