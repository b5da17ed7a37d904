// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random training networks, randomly spread, scheduled for devices that compute nothing: what
// prediction and executor are compared on. Programs stay inside: their headers and Qt's words do
// not go together.

#include "backends/null/null_device.h"
#include <weft/timeline.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weft::test {

/// Dense layers, branches and norms with random assignments on 1 to 4 unequal devices in random
/// places, in a random order of execution.
struct NullPlan {
    explicit NullPlan(std::uint64_t seed);

    [[nodiscard]] std::size_t devices() const;
    [[nodiscard]] bool communicates() const;
    /// By all devices together, in one step, as the plan counts.
    [[nodiscard]] std::int64_t elementsSent() const;
    void setOrder(const std::string& order);
    /// All links alike, so many times slower than those within a process.
    void setLinks(std::int64_t slower);
    /// Every kernel takes next to nothing.
    void hurry();

    struct State;
    std::shared_ptr<State> state;
};

/// Its programs on null devices in a null communicator.
class NullPool {
public:
    NullPool(const NullPlan& made, bool isStepped, const null::Settings& settings = {});
    ~NullPool();

    void run();
    void abort();
    /// Returns the simulator's timeline of the programs.
    [[nodiscard]] Timeline predicted() const;
    /// Returns the executor's timeline of the run that ended, starting at `begin`.
    [[nodiscard]] Timeline measured(std::int64_t begin) const;
    /// By all devices together, since they were made.
    [[nodiscard]] std::int64_t elementsSent() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A step of a program written by hand; steps stand in order, stream 2 communicates.
struct HandStep {
    std::uint32_t device = 0;
    std::uint32_t stream = 0;
    std::int64_t predicted = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waits = {}; ///< stream, count
    bool meetsAll = false;                                           ///< a collective
};
[[nodiscard]] Timeline simulateByHand(std::uint32_t devices, const std::vector<HandStep>& steps);

} // namespace weft::test
