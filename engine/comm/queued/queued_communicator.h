// SPDX-License-Identifier: Apache-2.0
#pragma once
// A communicator of asynchronous devices: collectives are enqueued on their streams. Derived
// classes define how members are joined.

#include "base/process/waiting.h"
#include "comm/queued/member_connection.h"
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
    void reserve(Bytes size); ///< makes it at least this large; call before anything runs
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
    explicit QueuedCommunicator(const CommunicatorSetup& setup)
        : setup_(setup), scratch_(std::make_shared<Scratch>(*setup.device)) {}

    /// Returns nullptr if the members must communicate through their hosts.
    [[nodiscard]] virtual std::shared_ptr<MemberConnection> join(const CollectiveRequest& request,
                                                                 DeviceId member) = 0;
    [[nodiscard]] const CommunicatorSetup& setup() const { return setup_; }
    /// Registers it to be aborted with the communicator.
    void registerForAbort(const std::shared_ptr<MemberConnection>& joined);
    /// Polls until `isMet`, within the time limit, for the operation `what`.
    void pollUntil(const Deadline& deadline, const std::string& what,
                   const std::function<bool()>& isMet);

private:
    CommunicatorSetup setup_; ///< what the worker provides
    std::shared_ptr<Scratch> scratch_;
    std::unique_ptr<Communicator> staged_; ///< through the hosts, for members without a connection
    std::mutex mutex_;                     ///< guards the members below
    std::vector<std::weak_ptr<MemberConnection>> connections_; ///< to abort them
    bool isAborted_ = false;
};

} // namespace weft
