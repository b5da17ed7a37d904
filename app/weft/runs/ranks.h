// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs `weft run FILE --ranks N`: starts the same command once per rank, and supervises the ranks.

#include <weft/design.h>

#include <string>
#include <vector>

namespace weft {

class Verb;

struct RanksOptions {
    int ranks = 0;     ///< 0: this process alone, or one rank that mpirun started
    std::string hosts; ///< as for mpirun
};

void addRanks(Verb& verb, RanksOptions& options); ///< adds --ranks and --hosts

/// The design and devices that all ranks will use, checked before the ranks start.
struct DesignForRanks {
    const std::string& file; ///< the design file
    const Design& design;
    const std::vector<std::string>& devices; ///< devices from the command line
};

/// Checks a run before the ranks start. Throws Error{design} for the design's first error, and
/// Error{usage} for more ranks than there are devices.
void requireRunnable(const RanksOptions& options, const DesignForRanks& all);

/// Starts the ranks with the command line of `verb`, shows the progress line, waits and returns the
/// exit code.
int runOnRanks(const Verb& verb, const RanksOptions& options); ///< returns the exit code

} // namespace weft
