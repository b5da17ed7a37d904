// SPDX-License-Identifier: Apache-2.0
#pragma once
// A training graph run a few steps as it is spread: what the equivalence suites lay beside one
// device. Reference kernels in f32 unless another backend is asked for; data drawn by name and
// step, so that every spreading sees the same numbers. Free of Qt.

#include "device/communicator_list.h"
#include "graph/op.h"
#include "place/place.h"

#include <memory>
#include <string>
#include <vector>

namespace weft::test {

enum class CommunicatorKind : std::uint8_t { threads, simulated };

struct Trained;

/// This process is one rank of several, with one device: it holds a part only.
struct OneRank {
    std::size_t rank = 0;
    Communicator* communicator = nullptr;
    const Trained* known = nullptr; ///< source of the values that this rank does not hold
};

struct Spreading {
    std::size_t devices = 1;
    Assignment assignment = {}; ///< assignment of layers that have none in `layers`
    std::map<Origin, Assignment> layers = {};
    CommunicatorKind communicator = CommunicatorKind::simulated;
    std::string order = "sequential";
    int streams = 1;
    std::string backend = "reference";
    std::string second = {};        ///< backend of every second device; empty: the same
    int cores = 1;                  ///< per device
    const OneRank* ranks = nullptr; ///< nullptr: all devices are of this process
    bool laysRounds = false;        ///< every round of a repeat has steps of its own
    /// Device communicators; nullptr: collectives go through the hosts.
    const CommunicatorList* communicators = nullptr;
};

struct Trained {
    std::vector<std::string> refusals; ///< errors of placing; nothing was run then
    std::vector<std::pair<std::string, std::vector<double>>>
        slotsAfter; ///< whole, after the last step
    std::vector<double> losses;
    std::vector<std::pair<std::string, double>> numbers = {}; ///< other results, by step and name
    std::int64_t elementsSent = 0;    ///< by all devices together, as their communicators counted
    std::int64_t elementsPlanned = 0; ///< the same by the plan
    // Properties of the first device's program:
    std::vector<std::string> formats; ///< formats of its slots
    std::vector<std::string> steps;   ///< by name, in their order
    std::vector<std::string> kernelRefusals;
    int collectives = 0; ///< in that program
    int apart = 0;       ///< in communicators of devices
    std::int64_t allocations =
        0; ///< allocations by Weft's code, on all threads, in all steps but the first
};

/// `graph` holds forward, backward and update; integer feeds are drawn below `integersBelow`.
[[nodiscard]] Trained train(std::shared_ptr<const Graph> graph, const OpList& ops,
                            const Spreading& spreading, int steps, std::int64_t integersBelow);

/// The largest difference of any slot or loss, relative to the largest number of its tensor (at
/// least 1e-3, and of a running mean how far what it averages lies around it).
[[nodiscard]] double largestDifference(const Trained& a, const Trained& b, std::string& where);

} // namespace weft::test
