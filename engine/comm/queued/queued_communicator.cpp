// SPDX-License-Identifier: Apache-2.0
#include "comm/queued/queued_communicator.h"

#include "comm/queued/piece_transfers.h"
#include "comm/reduce.h"
#include "comm/staged/staged_communicator.h"
#include <weft/error.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace weft {

namespace {

/// Calls `say` and adds the name of the collective to errors.
template <class Say>
auto named(const std::string& name, const Say& say) {
    try {
        return say();
    } catch (const Error& error) {
        Where where = error.where();
        where.op = where.op.empty() ? name : where.op;
        throw Error(error.code(), std::move(where), error.problem(), error.remedy());
    }
}

/// What the collectives of one worker with the same members share.
struct Means {
    Device* device = nullptr;
    std::shared_ptr<MemberConnection> joined;
    std::shared_ptr<Scratch> scratch;
};

class QueuedCollective final : public Collective {
public:
    QueuedCollective(const CollectiveRequest& request, int me, Means means,
                     const KernelList& kernels)
        : request_(request), me_(me), means_(std::move(means)) {
        inputs_.resize(request.inputBytes[static_cast<std::size_t>(me)].size());
        outputs_.resize(request.outputBytes[static_cast<std::size_t>(me)].size());
        if (request.isAllReduce) {
            summed_.resize(request.elements.size());
            countAllReduce();
            return;
        }
        transfers_.emplace(request, me, kernels, *means_.device);
        means_.scratch->reserve(transfers_->scratch());
        sentPerCall_ = transfers_->elementsSent();
    }

    void start(std::span<const void* const> inputs, std::span<void* const> outputs,
               Stream* stream) override {
        if (stream == nullptr) { // for the compiler's null analysis
            ensure(false, "an exchange between devices is enqueued on a stream");
            return;
        }
        stream_ = stream;
        std::ranges::copy(inputs, inputs_.begin());
        std::ranges::copy(outputs, outputs_.begin());
        means_.device->use();
        isSaid_ = false;
        sent_ += sentPerCall_;
        named(request_.name, [this] { request_.isAllReduce ? sum() : exchange(); });
    }

    bool hasFinished() override {
        if (isSaid_) {
            return true;
        }
        if (!isCallDone()) {
            return false;
        }
        if (transfers_) {
            transfers_->unpack(arguments());
        }
        if (ended_ == nullptr) {
            ended_ = stream_->makeEvent();
        }
        stream_->leave(*ended_);
        isSaid_ = true;
        return true;
    }

    /// Enqueued work that a failed peer has left unfinished never ends, so this also polls for
    /// failures.
    bool hasEnded() override { return isCallDone() && (ended_ == nullptr || ended_->hasEnded()); }

    [[nodiscard]] std::int64_t met() const override {
        return std::numeric_limits<std::int64_t>::min(); // unknown for enqueued collectives
    }
    [[nodiscard]] std::vector<DeviceId> arrived() const override {
        std::vector<DeviceId> seen = means_.joined->arrived();
        if (seen.empty()) {
            seen.push_back(request_.members[static_cast<std::size_t>(me_)]);
        }
        return seen;
    }
    [[nodiscard]] std::span<const DeviceId> members() const override { return request_.members; }
    [[nodiscard]] std::int64_t elementsSent() const override { return sent_; }

private:
    [[nodiscard]] bool isCallDone() {
        return named(request_.name, [this] { return means_.joined->isCallDone(); });
    }

    void sum() {
        for (std::size_t k = 0; k < summed_.size(); ++k) {
            summed_[k] = {inputs_[k], outputs_[k], request_.elements[k]};
        }
        means_.joined->allReduce(*stream_, summed_, request_.dtype, request_.reduction);
    }

    void exchange() {
        const TransferArguments at = arguments();
        transfers_->pack(at);
        means_.joined->exchange(*stream_, transfers_->messages(at));
    }

    [[nodiscard]] TransferArguments arguments() const {
        return {inputs_, outputs_, means_.scratch->address(), stream_};
    }

    /// Counts as for reduce-scatter and all-gather.
    void countAllReduce() {
        const int count = static_cast<int>(request_.members.size());
        for (const std::int64_t elements : request_.elements) {
            const auto [begin, end] = shareOf(elements, me_, count);
            sentPerCall_ += elements - (end - begin) + (count - 1) * (end - begin);
        }
    }

    CollectiveRequest request_;
    int me_;
    Means means_;
    std::optional<PieceTransfers> transfers_;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
    std::vector<ReducedTensor> summed_;
    Stream* stream_ = nullptr;
    std::unique_ptr<DeviceEvent> ended_;
    bool isSaid_ = true;
    std::int64_t sentPerCall_ = 0;
    std::int64_t sent_ = 0;
};

} // namespace

void throwStopped() {
    throw Error(ErrorCode::stopped, {}, "the run was ended while this operation was waiting",
                "look at the first failure of the run");
}

void Scratch::reserve(Bytes size) {
    if (size.count > 0 && (arena_ == nullptr || arena_->size() < size)) {
        arena_ = nullptr;
        arena_ = device_.allocate(size);
    }
}

std::unique_ptr<Collective> QueuedCommunicator::prepare(const CollectiveRequest& request,
                                                        DeviceId member) {
    const auto at = std::ranges::find(request.members, member);
    ensure(at != request.members.end(), "a worker takes part in every collective that it prepares");
    return named(request.name, [&]() -> std::unique_ptr<Collective> {
        std::shared_ptr<MemberConnection> joined = join(request, member);
        if (joined == nullptr) {
            if (staged_ == nullptr) {
                staged_ = makeStagedCommunicator(*setup_.hosts, *setup_.device);
            }
            return staged_->prepare(request, member);
        }
        return std::make_unique<QueuedCollective>(
            request, static_cast<int>(at - request.members.begin()),
            Means{setup_.device, std::move(joined), scratch_}, *setup_.kernels);
    });
}

void QueuedCommunicator::abort() {
    const std::scoped_lock lock(mutex_);
    isAborted_ = true;
    for (const std::weak_ptr<MemberConnection>& one : connections_) {
        if (const std::shared_ptr<MemberConnection> joined = one.lock()) {
            joined->abort();
        }
    }
}

void QueuedCommunicator::registerForAbort(const std::shared_ptr<MemberConnection>& joined) {
    const std::scoped_lock lock(mutex_);
    connections_.push_back(joined);
    isAborted_ ? joined->abort() : void();
}

void QueuedCommunicator::pollUntil(const Deadline& deadline, const std::string& what,
                                   const std::function<bool()>& isMet) {
    constexpr std::chrono::microseconds look{100};
    for (;;) {
        {
            const std::scoped_lock lock(mutex_);
            isAborted_ ? throwStopped() : void();
        }
        if (isMet()) {
            return;
        }
        if (deadline.hasPassed()) {
            throwTimeout(what, deadline.limit(), "see why the other ranks stopped");
        }
        std::this_thread::sleep_for(look);
    }
}

} // namespace weft
