// SPDX-License-Identifier: Apache-2.0
#pragma once
// What happened in a run that its curves show the trace of: the rate fell, a checkpoint was
// written, the run was resumed. Looks at each step once. Lives on the GUI thread.

#include "monitor/plot_drawing.h"
#include "session/run_hub.h"

#include <vector>

namespace weft::ui {

class RunFlags {
public:
    /// Takes what has come since; whether there is another flag now.
    bool follow(const RunHub& hub);
    void clear() { *this = RunFlags(); }
    /// Along what the plots show: where the rate fell, where checkpoints were written.
    [[nodiscard]] std::vector<PlotFlag> flags(const RunHub& hub, Along along, bool withRates,
                                              bool withCheckpoints) const;

private:
    struct Drop {
        std::size_t index = 0;
        double before = 0;
        double after = 0;
    };
    std::vector<Drop> drops_;
    std::size_t seen_ = 0; ///< values of the rate
    std::uint64_t rewinds_ = 0;
    std::size_t files_ = 0;
    std::size_t attempts_ = 0;
};

} // namespace weft::ui
