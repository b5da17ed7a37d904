// SPDX-License-Identifier: Apache-2.0
#pragma once
// Diagnostics while they are collected: what is wrong in a group is said once, however many copies
// of it there are, and of endless ones the first are listed.

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
    /// For whoever has another error to say and can save itself the words: no more are listed.
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
