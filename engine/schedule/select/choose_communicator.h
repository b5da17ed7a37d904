// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chooses where a collective runs: in a communicator of devices, without their hosts, or through
// the hosts. Predictions and runs use the same rule.

#include "device/communicator_list.h"
#include "place/plan.h"
#include "schedule/predict/price.h"
#include <weft/diagnostics.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The communicators that a run can choose from, and the design's setting.
struct CommunicatorRule {
    struct Offer {
        std::string name;             ///< "nccl"
        std::string backend;          ///< the backend of the devices that it serves
        bool isWithinOneChip = false; ///< only for workers that share a chip
        std::string lacks;            ///< why it is not available; empty: it is available
    };
    std::vector<Offer> offers = {};
    std::string wanted = "chosen"; ///< training.communicator
    std::string backend = {}; ///< backend of all devices, instead of the one that their names imply
};

/// Returns what is available for devices of these names. Communicators that serve none of them are
/// left out without being tested.
[[nodiscard]] CommunicatorRule communicatorRule(const CommunicatorList& communicators,
                                                std::span<const std::string> devices,
                                                std::string wanted, std::string backend = {});

struct ChosenCommunicator {
    std::string name = {}; ///< a communicator of devices; empty: through the hosts
    std::string why = {};  ///< why a better one cannot be used; empty: no reason
};

/// `request` belongs to that plan (schedule/task.h) and needs no transfers. `places` gives each
/// device's host by DeviceId; empty: all devices are on one host.
[[nodiscard]] ChosenCommunicator chooseCommunicator(const CommunicatorRule& rule,
                                                    std::span<const DevicePlace> places,
                                                    const Plan& plan,
                                                    const CollectiveRequest& request);
/// Returns the communicator for all groups of the node, or the hosts' if the groups' choices
/// differ.
[[nodiscard]] ChosenCommunicator chooseCommunicator(const CommunicatorRule& rule,
                                                    std::span<const DevicePlace> places,
                                                    const Plan& plan, PlanNodeId node);

/// Reports as first problem a communicator that the design requests and that is not available.
[[nodiscard]] std::vector<Diagnostic> checkCommunicators(const CommunicatorRule& rule,
                                                         std::span<const DevicePlace> places,
                                                         const Plan& plan);

} // namespace weft
