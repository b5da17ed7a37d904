// SPDX-License-Identifier: Apache-2.0
#pragma once
// Communicators of devices, in which members meet without their hosts. Each is a folder of `comm`
// that can be deleted; the list of those built in is passed on from the top, as that of the
// backends is.

#include "device/backend.h"
#include "device/communicator.h"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What a worker brings into such a communicator.
struct CommunicatorMember {
    Device* device = nullptr;
    const KernelList* kernels = nullptr; ///< of its backend
    Communicator* hosts =
        nullptr; ///< where members tell each other what they need before they meet
    std::chrono::nanoseconds limit{}; ///< for the others to come
};

struct DeviceCommunicator {
    std::string name;         ///< "nccl"
    std::string backend;      ///< whose devices meet in it: "cuda"
    bool isOfOneChip = false; ///< its members are workers on one chip; else each has its own
    /// What this machine lacks for it; empty: it can be opened.
    std::function<std::string()> lacks;
    /// Version of the library it uses, if it is available.
    std::function<std::string()> version;
    /// What is in the seat outlives the communicator.
    std::function<std::unique_ptr<Communicator>(const CommunicatorMember&)> open;
};

class CommunicatorList {
public:
    void add(DeviceCommunicator communicator) { communicators_.push_back(std::move(communicator)); }
    /// nullptr: this build has none of that name.
    [[nodiscard]] const DeviceCommunicator* find(std::string_view name) const {
        for (const DeviceCommunicator& communicator : communicators_) {
            if (communicator.name == name) {
                return &communicator;
            }
        }
        return nullptr;
    }
    [[nodiscard]] std::span<const DeviceCommunicator> all() const { return communicators_; }

private:
    std::vector<DeviceCommunicator> communicators_;
};

} // namespace weft
