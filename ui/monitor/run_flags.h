// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds events in a run that explain its curves: drops of the learning rate, checkpoints and
// resumptions. Reads each step only once. Lives on the GUI thread.

#include "monitor/plot_drawing.h"
#include "runs/run_hub.h"

#include <vector>

namespace weft::ui {

class RunFlags {
public:
    /// Reads the new steps; returns true if there is a new flag.
    bool follow(const RunHub& hub);
    void clear() { *this = RunFlags(); }
    /// Returns the flags along the plots' x axis: drops of the learning rate and checkpoints.
    [[nodiscard]] std::vector<PlotFlag> flags(const RunHub& hub, XAxis along, bool withRates,
                                              bool withCheckpoints) const;

private:
    struct Drop {
        std::size_t index = 0;
        double before = 0;
        double after = 0;
    };
    std::vector<Drop> drops_;
    std::size_t seen_ = 0; ///< number of values of the learning rate read so far
    std::uint64_t rewinds_ = 0;
    std::size_t files_ = 0;
    std::size_t attempts_ = 0;
};

} // namespace weft::ui
