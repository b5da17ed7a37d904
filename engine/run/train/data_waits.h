// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds out whether the steps of a run wait for their data.

#include <optional>
#include <string>

namespace weft {

class DataWaits {
public:
    /// Adds a step of `seconds`, `waited` of which it waited for its batch and copied it. Returns a
    /// message, once, if waiting takes up more than half of the time in the long run.
    [[nodiscard]] std::optional<std::string> add(double seconds, double waited);

private:
    double seconds_ = 0;
    double waited_ = 0;
    int steps_ = 0;
    bool hasReported_ = false;
};

} // namespace weft
