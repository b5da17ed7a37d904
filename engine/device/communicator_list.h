// SPDX-License-Identifier: Apache-2.0
#pragma once
// Device communicators, which bypass host memory. Each is a folder of engine/comm that can be
// deleted; callers pass the list of built-in communicators on, like the list of backends.

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

/// What a worker provides to open a device communicator.
struct CommunicatorSetup {
    Device* device = nullptr;            ///< device of the worker
    const KernelList* kernels = nullptr; ///< kernels of its backend
    Communicator* hosts = nullptr;       ///< host communicator for the exchange of setup data
    std::chrono::nanoseconds limit{};    ///< timeout for the other members
};

struct DeviceCommunicator { ///< declares a communicator that bypasses host memory
    std::string name;       ///< "nccl"
    std::string backend;    ///< backend of its devices: "cuda"
    bool isWithinOneChip =
        false; ///< true: its members are workers on one chip; else each has its own
    std::function<std::string()> lacks;   ///< what this machine lacks for it; empty: nothing
    std::function<std::string()> version; ///< version of the library; empty: unknown
    /// Opens the communicator. The members' pointers must outlive it.
    std::function<std::unique_ptr<Communicator>(const CommunicatorSetup&)> open;
};

class CommunicatorList {
public:
    void add(DeviceCommunicator communicator) { communicators_.push_back(std::move(communicator)); }
    /// Returns nullptr if this build has no communicator with this name.
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
