// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long a line that broke is left alone before it is taken up again.

#include <algorithm>
#include <chrono>

namespace weft {

class LineRest {
public:
    static constexpr std::chrono::milliseconds shortest{100};
    static constexpr std::chrono::milliseconds longest{30'000};

    /// Returns the shortest rest after a line that brought something, and twice the last one after
    /// a line that did not, up to the longest.
    [[nodiscard]] std::chrono::milliseconds next(bool hasBrought) {
        rest_ = hasBrought ? shortest : std::min(2 * rest_, longest);
        return rest_;
    }

private:
    std::chrono::milliseconds rest_ = shortest / 2;
};

} // namespace weft
