// SPDX-License-Identifier: Apache-2.0
#pragma once
// A communicator whose members are devices that run their work later: what they exchange stands in
// the queues of their streams. Communicators differ in how members are joined.

#include "base/waiting.h"
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

/// What packed pieces of all collectives of a worker lie in: they stand in one stream, one behind
/// the other.
class Scratch {
public:
    explicit Scratch(Device& device) : device_(device) {}
    /// Before anything runs.
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

    /// nullptr: members have to meet through their hosts after all.
    [[nodiscard]] virtual std::shared_ptr<Joined> join(const CollectiveRequest& request,
                                                       DeviceId member) = 0;
    [[nodiscard]] const CommunicatorMember& seat() const { return seat_; }
    /// From now on it is ended when the communicator is.
    void keep(const std::shared_ptr<Joined>& joined);
    /// For `what`, within the seat's limit.
    void await(const Deadline& deadline, const std::string& what,
               const std::function<bool()>& isMet);

private:
    CommunicatorMember seat_;
    std::shared_ptr<Scratch> scratch_;
    std::unique_ptr<Communicator> staged_; ///< where members cannot be joined
    std::mutex mutex_;                     ///< of what follows
    std::vector<std::weak_ptr<Joined>> all_;
    bool isAborted_ = false;
};

} // namespace weft
