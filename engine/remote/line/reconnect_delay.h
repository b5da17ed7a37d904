// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long to wait before a broken connection is opened again.

#include <algorithm>
#include <chrono>

namespace weft {

class ReconnectDelay {
public:
    static constexpr std::chrono::milliseconds shortest{100};   ///< shortest wait
    static constexpr std::chrono::milliseconds longest{30'000}; ///< longest wait

    /// Returns the shortest wait after a connection that transferred something; otherwise twice the
    /// last wait, up to the longest.
    [[nodiscard]] std::chrono::milliseconds next(bool hasReceived) {
        rest_ = hasReceived ? shortest : std::min(2 * rest_, longest);
        return rest_;
    }

private:
    std::chrono::milliseconds rest_ = shortest / 2; ///< the last wait
};

} // namespace weft
