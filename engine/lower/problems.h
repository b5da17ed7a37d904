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
struct Subject {
    LayerId layer = {};
    std::string name = {};  ///< "block[2]/attention"
    std::string group = {}; ///< the definition that contains it
};

class ProblemList {
public:
    void add(Diagnostic diagnostic);
    void add(const Subject& subject, Diagnostic diagnostic);
    /// True if no further errors are listed, so that callers need not build their texts.
    [[nodiscard]] bool isFull();
    [[nodiscard]] std::vector<Diagnostic> take();

private:
    std::vector<Diagnostic> list_;
    std::size_t errors_ = 0;
    std::size_t others_ = 0;
    bool isMore_ = false;
    std::set<std::string> said_;
};

} // namespace weft
