// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interface of a kernel that can name the algorithm it uses.

#include <string>

namespace weft {

class NamedWay { ///< names a kernel's algorithm
public:
    virtual ~NamedWay() = default;
    /// "algorithm 66, tile 20, ...", or "Weft's own tile, since " and why the library was not used.
    [[nodiscard]] virtual std::string way() const = 0; ///< text that describes the algorithm
};

} // namespace weft
