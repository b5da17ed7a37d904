// SPDX-License-Identifier: Apache-2.0
#pragma once
// The middle of the host channel: it knows who proved the secret, hears every rank's beat, and
// settles what the run's first failure was. The launcher has it, or rank 0 where ranks were started
// by mpirun alone. It works on a thread of its own.

#include "comm/host/host_words.h"
#include "comm/host/proof.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct HubSettings {
    int ranks = 1;
    Secret secret = {};
    std::chrono::milliseconds limit{10'000}; ///< a rank silent for longer is given up
    /// Between the first rank and the last.
    std::chrono::milliseconds joinLimit{120'000};
    bool isAcrossHosts = false;
};

class HostHub {
public:
    explicit HostHub(HubSettings settings);
    /// Says farewell to those that are still there.
    ~HostHub();
    HostHub(const HostHub&) = delete;
    HostHub& operator=(const HostHub&) = delete;

    [[nodiscard]] const std::string& address() const;
    /// Every rank hears it: finish the step, save, end.
    void stop();
    /// The owner's own reason to end the run; an earlier one stays.
    void fail(const Error& error);

    [[nodiscard]] std::optional<HostCause> cause() const;
    /// Those that have joined, whatever became of them.
    [[nodiscard]] std::vector<RankIdentity> joined() const;
    /// Joined, and neither gone nor given up.
    [[nodiscard]] std::vector<int> present() const;
    /// Where the run is kept; empty until a rank has said it.
    [[nodiscard]] std::string folder() const;
    /// This rank has said farewell.
    [[nodiscard]] bool hasLeft(int rank) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
