// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the members of a collective meet: in a communicator of devices, without their hosts, or
// with those. One rule, for what is shown and for what runs.

#include "device/communicator_list.h"
#include "place/plan.h"
#include "schedule/price.h"
#include <weft/diagnostics.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What a run may choose among, and what its design asks for.
struct CommunicatorRule {
    struct Offer {
        std::string name;    ///< "nccl"
        std::string backend; ///< whose devices it is for
        bool isOfOneChip = false;
        std::string lacks; ///< what it cannot be had for; empty: it can
    };
    std::vector<Offer> offers = {};
    std::string wanted = "chosen"; ///< training.communicator
    std::string backend = {};      ///< of all devices, instead of the one that their names say
};

/// What is there for devices of these names. Communicators that none of them could meet in are left
/// out, and nothing is asked about them.
[[nodiscard]] CommunicatorRule communicatorRule(const CommunicatorList& communicators,
                                                std::span<const std::string> devices,
                                                std::string wanted, std::string backend = {});

struct ChosenCommunicator {
    std::string name = {}; ///< of devices; empty: the hosts'
    std::string why = {};  ///< devices could meet in one, but not here
};

/// `request` is of that plan (schedule/task.h); what is moved between whom may be left out of it.
/// `places` by DeviceId: on which host each is; none: all are on one.
[[nodiscard]] ChosenCommunicator chooseCommunicator(const CommunicatorRule& rule,
                                                    std::span<const DevicePlace> places,
                                                    const Plan& plan,
                                                    const CollectiveRequest& request);
/// Where all members of the node meet; of several meetings that differ, with the hosts.
[[nodiscard]] ChosenCommunicator chooseCommunicator(const CommunicatorRule& rule,
                                                    std::span<const DevicePlace> places,
                                                    const Plan& plan, PlanNodeId node);

/// What a design asks for that cannot be had, as its first problem.
[[nodiscard]] std::vector<Diagnostic> checkCommunicators(const CommunicatorRule& rule,
                                                         std::span<const DevicePlace> places,
                                                         const Plan& plan);

} // namespace weft
