// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collects diagnostics. A problem in a group is reported once for all of its copies, and only a
// limited number is listed.

#include "base/text/mending.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <set>
#include <string>
#include <vector>

namespace weft {

/// The layer of a problem, as the user finds it.
struct ProblemSubject {
    LayerId layer = {};     ///< none: the problem is of no layer
    std::string name = {};  ///< "block[2]/attention"
    std::string group = {}; ///< name of the group definition that contains the layer
};

class ProblemList {
public:
    void add(Diagnostic diagnostic);
    void add(const ProblemSubject& subject, Diagnostic diagnostic);
    /// True if no further errors are listed, so that callers need not build their texts.
    [[nodiscard]] bool isFull();
    [[nodiscard]] std::vector<Diagnostic> take();

private:
    std::vector<Diagnostic> list_;
    std::size_t errorCount_ = 0;
    std::size_t warningCount_ = 0;   ///< warnings and notes
    bool isAnyUnlisted_ = false;     ///< some problems were left out, beyond the limit
    std::set<std::string> reported_; ///< texts that identify the listed problems
};

} // namespace weft
