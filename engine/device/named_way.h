// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel that can tell by which of several ways it computes what was chosen.

#include <string>

namespace weft {

class NamedWay {
public:
    virtual ~NamedWay() = default;
    /// "algorithm 66, tile 20, ...", or "our own tile, since " and why the library was not taken.
    [[nodiscard]] virtual std::string way() const = 0;
};

} // namespace weft
