// SPDX-License-Identifier: Apache-2.0
#include "comm/worker_communicator.h"

#include "comm/staged/staged_communicator.h"
#include <weft/error.h>

#include <map>
#include <mutex>
#include <utility>

namespace weft {

namespace {

class WorkerCommunicator final : public Communicator {
public:
    WorkerCommunicator(const CommunicatorSetup& setup, bool isStaged,
                       const CommunicatorList* communicators)
        : setup_(setup),
          communicators_(communicators),
          staged_(isStaged ? makeStagedCommunicator(*setup.hosts, *setup.device) : nullptr) {}

    [[nodiscard]] std::string name() const override { return usual().name(); }

    [[nodiscard]] std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                                      DeviceId member) override {
        return (request.communicator.empty() ? usual() : opened(request.communicator))
            .prepare(request, member);
    }

    void abort() override {
        const std::scoped_lock lock(mutex_);
        isAborted_ = true;
        for (const auto& [name, communicator] : open_) {
            communicator->abort();
        }
    }

private:
    [[nodiscard]] Communicator& usual() const {
        return staged_ == nullptr ? *setup_.hosts : *staged_;
    }

    Communicator& opened(const std::string& name) {
        const std::scoped_lock lock(mutex_);
        std::unique_ptr<Communicator>& communicator = open_[name];
        if (communicator == nullptr) {
            const DeviceCommunicator* kind =
                communicators_ == nullptr ? nullptr : communicators_->find(name);
            if (kind == nullptr) {
                throw Error(ErrorCode::device, {},
                            "this build of Weft has no communicator called " + name,
                            "set training.communicator to host");
            }
            communicator = kind->open(setup_);
            isAborted_ ? communicator->abort() : void();
        }
        return *communicator;
    }

    CommunicatorSetup setup_;
    const CommunicatorList* communicators_;
    std::unique_ptr<Communicator> staged_;
    std::mutex mutex_; ///< guards the members below
    std::map<std::string, std::unique_ptr<Communicator>> open_;
    bool isAborted_ = false;
};

} // namespace

std::unique_ptr<Communicator> makeWorkerCommunicator(const CommunicatorSetup& setup,
                                                     const Backend& backend,
                                                     const CommunicatorList* communicators) {
    return std::make_unique<WorkerCommunicator>(setup, backend.space != MemorySpace::host,
                                                communicators);
}

} // namespace weft
