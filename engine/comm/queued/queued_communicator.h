// SPDX-License-Identifier: Apache-2.0
#pragma once
// A communicator of asynchronous devices: collectives are enqueued on their streams. Derived
// classes define how members are joined.

#include "base/process/waiting.h"
#include "comm/queued/joined.h"
#include "device/backend.h"
#include "device/communicator_list.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weft {

/// Memory for packed pieces, shared by all collectives of a worker, which run one after another on
/// one stream.
class Scratch {
public:
    explicit Scratch(Device& device) : device_(device) {}
    /// Call before anything runs.
    void require(Bytes size);
    [[nodiscard]] void* address() const { return arena_ == nullptr ? nullptr : arena_->address(); }

private:
    Device& device_;
    std::unique_ptr<Arena> arena_;
};

class QueuedCommunicator : public Communicator {
public:
    [[nodiscard]] std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                                      DeviceId member) override;
    void abort() override;

protected:
    explicit QueuedCommunicator(const CommunicatorMember& seat)
        : seat_(seat), scratch_(std::make_shared<Scratch>(*seat.device)) {}

    /// Returns nullptr if the members must communicate through their hosts.
    [[nodiscard]] virtual std::shared_ptr<Joined> join(const CollectiveRequest& request,
                                                       DeviceId member) = 0;
    [[nodiscard]] const CommunicatorMember& seat() const { return seat_; }
    /// Registers it to be aborted with the communicator.
    void keep(const std::shared_ptr<Joined>& joined);
    /// Polls until `isMet`, within the time limit, for the operation `what`.
    void await(const Deadline& deadline, const std::string& what,
               const std::function<bool()>& isMet);

private:
    CommunicatorMember seat_;
    std::shared_ptr<Scratch> scratch_;
    std::unique_ptr<Communicator> staged_; ///< for members that cannot be joined
    std::mutex mutex_;                     ///< guards the members below
    std::vector<std::weak_ptr<Joined>> all_;
    bool isAborted_ = false;
};

} // namespace weft
