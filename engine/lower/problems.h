// SPDX-License-Identifier: Apache-2.0
#pragma once
// Diagnostics while they are collected: what is wrong in a group is said once, however many copies
// of it there are.

#include "base/mending.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <set>
#include <string>
#include <vector>

namespace weft {

/// The layer that a problem is about, as the user finds it.
struct Subject {
    LayerId layer = {};
    std::string name = {};  ///< "block[2]/attention"
    std::string group = {}; ///< the definition it is in
};

class ProblemList {
public:
    void add(Diagnostic diagnostic);
    void add(const Subject& subject, Diagnostic diagnostic);
    [[nodiscard]] std::vector<Diagnostic> take() { return std::move(list_); }

private:
    std::vector<Diagnostic> list_;
    std::set<std::string> said_;
};

} // namespace weft
