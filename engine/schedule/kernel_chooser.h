// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who is asked for a kernel: a backend's makers, fastest first, behind them those of last resort.

#include "device/kernel.h"

#include <functional>
#include <memory>

namespace weft {

class KernelChooser {
public:
    using Suits = std::function<bool(const KernelChoice& choice)>;
    using Refused = std::function<void(const KernelMaker& maker, const Refusal& why)>;

    /// Both outlive it.
    KernelChooser(const KernelList& makers, const KernelList& lastResort)
        : makers_(makers), lastResort_(lastResort) {}

    /// The first choice offered, of those that suit; nullptr: nobody serves the request. Who
    /// refused before that is told to `refused`.
    [[nodiscard]] std::shared_ptr<const KernelChoice> choose(const KernelRequest& request,
                                                             const Suits& suits = {},
                                                             const Refused& refused = {}) const;

private:
    const KernelList& makers_;
    const KernelList& lastResort_;
};

} // namespace weft
