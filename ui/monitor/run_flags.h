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
    bool follow(const RunHub& hub); ///< reads new steps; true: there is a new flag
    void clear() { *this = RunFlags(); }
    /// Returns the flags along the plots' x axis: drops of the learning rate and checkpoints.
    [[nodiscard]] std::vector<PlotFlag> flags(const RunHub& hub, XAxis along, bool withRates,
                                              bool withCheckpoints) const;

private:
    struct RateDrop {
        std::size_t index = 0; ///< index in the series of the learning rate
        double before = 0;     ///< learning rate
        double after = 0;      ///< learning rate
    };
    std::vector<RateDrop> rateDrops_; ///< drops of the learning rate
    std::size_t ratesRead_ = 0;       ///< number of values of the learning rate read so far
    std::uint64_t rewinds_ = 0;       ///< the series' count of truncations when it was read
    std::size_t files_ = 0;           ///< number of checkpoints when read
    std::size_t attempts_ = 0;        ///< number of attempts of the run when read
};

} // namespace weft::ui
