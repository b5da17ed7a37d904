// SPDX-License-Identifier: Apache-2.0
#include "comm/nccl/communicator.h"

#include "comm/nccl/nccl_handle.h"
#include "comm/queued/byte_exchange.h"
#include "comm/queued/queued_communicator.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace weft::nccl {

namespace {

/// Larger than any node number of a plan, so that no collective of a program has this number.
constexpr std::uint32_t joinNumber = 0xFFFFFFFD;
constexpr const char* awaited = "the other ranks to join the NCCL communicator";

class NcclCommunicator final : public QueuedCommunicator {
public:
    explicit NcclCommunicator(const CommunicatorSetup& setup) : QueuedCommunicator(setup) {}

    [[nodiscard]] std::string name() const override { return "nccl"; }

private:
    [[nodiscard]] std::shared_ptr<MemberConnection> join(const CollectiveRequest& request,
                                                         DeviceId member) override {
        std::shared_ptr<NcclHandle>& joined = communicators_[request.members];
        if (joined == nullptr) {
            joined = joinedAnew(request.members, member);
        }
        return joined;
    }

    std::shared_ptr<NcclHandle> joinedAnew(const std::vector<DeviceId>& members, DeviceId member) {
        const Deadline deadline(setup().limit);
        const int me = static_cast<int>(std::ranges::find(members, member) - members.begin());
        ByteExchange ids(*setup().hosts, awaited, joinNumber, members, member, sizeof(seam::Id));
        seam::Id id{};
        if (me == 0) {
            id = seam::makeId();
            std::ranges::copy(id, ids.mine().begin());
        }
        ids.start();
        pollUntil(deadline, othersOf, [&] { return ids.hasFinished(); });
        std::ranges::copy(ids.bytesOf(0), id.begin());
        setup().device->use();
        auto communicator = std::make_shared<NcclHandle>(id, static_cast<int>(members.size()), me);
        registerForAbort(communicator);
        // Polling the hosts' communicator notices if the run was ended.
        pollUntil(deadline, othersOf,
                  [&] { return ids.hasFinished() && communicator->isCallDone(); });
        return communicator;
    }

    static constexpr const char* othersOf = "the other ranks of the NCCL communicator";

    std::map<std::vector<DeviceId>, std::shared_ptr<NcclHandle>> communicators_;
};

} // namespace

DeviceCommunicator communicator() {
    return {.name = "nccl",
            .backend = "cuda",
            .lacks = [] { return seam::findLibrary().lacks; },
            .version = [] { return seam::findLibrary().version; },
            .open = openCommunicator};
}

std::unique_ptr<Communicator> openCommunicator(const CommunicatorSetup& setup) {
    return std::make_unique<NcclCommunicator>(setup);
}

} // namespace weft::nccl
