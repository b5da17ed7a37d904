// SPDX-License-Identifier: Apache-2.0
#include "comm/threads/threads_communicator.h"

#include "comm/arrival_record.h"
#include "comm/reduce.h"
#include <weft/error.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <tuple>

namespace weft {

namespace {

/// What one member publishes to the others, by round: it has arrived at round n, has reduced its
/// share, no longer reads others' memory.
struct alignas(64) MemberState {
    std::atomic<std::uint64_t> arrived = 0;
    std::atomic<std::uint64_t> reduced = 0;
    std::atomic<std::uint64_t> departed = 0;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
};

struct Shared {
    CollectiveRequest request;
    std::vector<MemberState> members;
    explicit Shared(const CollectiveRequest& given)
        : request(given), members(given.members.size()) {
        for (std::size_t k = 0; k < members.size(); ++k) {
            members[k].inputs.resize(given.inputBytes[k].size());
            members[k].outputs.resize(given.outputBytes[k].size());
        }
    }
};

class ThreadsCollective final : public Collective {
public:
    ThreadsCollective(std::shared_ptr<Shared> shared, int me, const std::atomic<bool>& aborted)
        : shared_(std::move(shared)), me_(me), aborted_(aborted) {
        const CollectiveRequest& request = shared_->request;
        covers_ = request.isAllReduce || coversOutputs(request, me_);
        for (std::size_t k = 0; k < request.transfers.size(); ++k) {
            const Transfer& transfer = request.transfers[k];
            if (transfer.to == me_) {
                incoming_.push_back(k);
                addOnce(sources_, transfer.from);
            }
            if (transfer.from == me_) {
                addOnce(readers_, transfer.to);
                sentPerCall_ += transfer.to == me_ ? 0 : transfer.source.elements();
            }
        }
        partners_ = sources_;
        for (const int reader : readers_) {
            addOnce(partners_, reader);
        }
        if (request.isAllReduce) {
            gathered_.resize(request.members.size());
            countAllReduce();
        }
    }

    void start(std::span<const void* const> inputs, std::span<void* const> outputs,
               Stream* /*stream*/) override {
        MemberState& mine = state(me_);
        std::ranges::copy(inputs, mine.inputs.begin());
        std::ranges::copy(outputs, mine.outputs.begin());
        if (!covers_) {
            const auto& bytes = shared_->request.outputBytes[static_cast<std::size_t>(me_)];
            for (std::size_t k = 0; k < outputs.size(); ++k) {
                if (outputs[k] != nullptr) {
                    std::memset(outputs[k], 0, bytes[k]);
                }
            }
        }
        ++round_;
        phase_ = Phase::waiting;
        arrivalRecord_.begin();
        sent_ += sentPerCall_;
        mine.arrived.store(round_, std::memory_order_release);
    }

    bool hasFinished() override {
        if (aborted_.load(std::memory_order_acquire)) {
            throw Error(ErrorCode::stopped, Where{.op = shared_->request.name},
                        "the run was ended while this operation was waiting",
                        "look at the first failure of the run");
        }
        const auto areThere = [this] { return arePartnersThere(); };
        arrivalRecord_.look(areThere);
        const bool isAllReduce = shared_->request.isAllReduce;
        const bool isOver = isAllReduce ? advanceAllReduce() : advanceTransfers();
        if (isOver) {
            arrivalRecord_.look(areThere); // the partners may have arrived, and left, since then
        }
        return isOver;
    }

    [[nodiscard]] std::int64_t met() const override { return arrivalRecord_.met(); }

    [[nodiscard]] std::span<const DeviceId> members() const override {
        return shared_->request.members;
    }

    [[nodiscard]] std::vector<DeviceId> arrived() const override {
        const auto& members = shared_->members;
        const auto round =
            members[static_cast<std::size_t>(me_)].arrived.load(std::memory_order_acquire);
        std::vector<DeviceId> there;
        for (std::size_t k = 0; k < members.size(); ++k) {
            if (members[k].arrived.load(std::memory_order_acquire) >= round) {
                there.push_back(shared_->request.members[k]);
            }
        }
        return there;
    }

    [[nodiscard]] std::int64_t elementsSent() const override { return sent_; }

private:
    enum class Phase : std::uint8_t { waiting, gathering, leaving };

    MemberState& state(int member) { return shared_->members[static_cast<std::size_t>(member)]; }

    static void addOnce(std::vector<int>& list, int member) {
        if (std::ranges::find(list, member) == list.end()) {
            list.push_back(member);
        }
    }

    void countAllReduce() {
        const int count = static_cast<int>(shared_->request.members.size());
        for (const std::int64_t elements : shared_->request.elements) {
            const auto [begin, end] = shareOf(elements, me_, count);
            // Other members' shares of this member's input are sent, and its reduced share goes to
            // each of them.
            sentPerCall_ += elements - (end - begin) + (count - 1) * (end - begin);
        }
    }

    /// True if those members are present that this member reads or that read its memory.
    bool arePartnersThere() {
        return shared_->request.isAllReduce
                   ? haveAll(&MemberState::arrived)
                   : std::ranges::all_of(partners_, [&](int partner) {
                         return state(partner).arrived.load(std::memory_order_acquire) >= round_;
                     });
    }

    bool advanceTransfers() {
        if (phase_ == Phase::waiting) {
            for (const int source : sources_) {
                if (state(source).arrived.load(std::memory_order_acquire) < round_) {
                    return false;
                }
            }
            for (const std::size_t k : incoming_) {
                const Transfer& transfer = shared_->request.transfers[k];
                movePiece(shared_->request.dtype, transfer.reduction, transfer.first,
                          state(transfer.from).inputs[transfer.tensor], transfer.source,
                          state(me_).outputs[transfer.tensor], transfer.target);
            }
            phase_ = Phase::leaving;
            state(me_).departed.store(round_, std::memory_order_release);
        }
        return std::ranges::all_of(readers_, [&](int reader) {
            return state(reader).departed.load(std::memory_order_acquire) >= round_;
        });
    }

    template <class Counter>
    bool haveAll(Counter counter) {
        return std::ranges::all_of(shared_->members, [&](MemberState& member) {
            return (member.*counter).load(std::memory_order_acquire) >= round_;
        });
    }

    bool advanceAllReduce() {
        const int count = static_cast<int>(shared_->members.size());
        if (phase_ == Phase::waiting) {
            if (!haveAll(&MemberState::arrived)) {
                return false;
            }
            for (std::size_t tensor = 0; tensor < shared_->request.elements.size(); ++tensor) {
                for (std::size_t k = 0; k < gathered_.size(); ++k) {
                    gathered_[k] = shared_->members[k].inputs[tensor];
                }
                const auto [begin, end] = shareOf(shared_->request.elements[tensor], me_, count);
                reduceInOrder(shared_->request.dtype, shared_->request.reduction, gathered_,
                              state(me_).outputs[tensor], begin, end);
            }
            phase_ = Phase::gathering;
            state(me_).reduced.store(round_, std::memory_order_release);
        }
        if (phase_ == Phase::gathering) {
            if (!haveAll(&MemberState::reduced)) {
                return false;
            }
            gatherShares(count);
            phase_ = Phase::leaving;
            state(me_).departed.store(round_, std::memory_order_release);
        }
        return haveAll(&MemberState::departed);
    }

    void gatherShares(int count) {
        const std::size_t size = byteSize(shared_->request.dtype);
        for (std::size_t tensor = 0; tensor < shared_->request.elements.size(); ++tensor) {
            for (int member = 0; member < count; ++member) {
                const auto [begin, end] = shareOf(shared_->request.elements[tensor], member, count);
                if (member != me_ && begin < end) {
                    const auto offset = static_cast<std::size_t>(begin) * size;
                    std::memcpy(static_cast<std::byte*>(state(me_).outputs[tensor]) + offset,
                                static_cast<const std::byte*>(state(member).outputs[tensor]) +
                                    offset,
                                static_cast<std::size_t>(end - begin) * size);
                }
            }
        }
    }

    std::shared_ptr<Shared> shared_;
    int me_;
    const std::atomic<bool>& aborted_;
    bool covers_ = true;
    std::vector<std::size_t> incoming_;
    std::vector<int> sources_;
    std::vector<int> readers_;
    std::vector<int> partners_;
    std::vector<const void*> gathered_;
    std::uint64_t round_ = 0;
    Phase phase_ = Phase::leaving;
    ArrivalRecord arrivalRecord_;
    std::int64_t sentPerCall_ = 0;
    std::int64_t sent_ = 0;
};

class ThreadsCommunicator final : public Communicator {
public:
    [[nodiscard]] std::string name() const override { return "threads"; }

    std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                        DeviceId member) override {
        const auto found = std::ranges::find(request.members, member);
        ensure(found != request.members.end(),
               "a worker takes part in every collective that it prepares");
        const std::scoped_lock lock(mutex_);
        const Key key{request.number, request.name, request.members};
        // Programs of a set number their collectives alike: the n-th use of a number is the same
        // for all members.
        const std::size_t turn = turns_[{key, member}]++;
        auto& list = shared_[key];
        if (list.size() <= turn) {
            list.push_back(std::make_shared<Shared>(request));
        }
        const std::shared_ptr<Shared>& shared = list[turn];
        ensure(shared->request.formats == request.formats,
               "the tensors of a collective have the same format on all devices");
        return std::make_unique<ThreadsCollective>(
            shared, static_cast<int>(found - request.members.begin()), aborted_);
    }

    void abort() override { aborted_.store(true, std::memory_order_release); }

private:
    using Key = std::tuple<std::uint32_t, std::string, std::vector<DeviceId>>;
    std::mutex mutex_;
    std::map<std::pair<Key, DeviceId>, std::size_t> turns_;
    std::map<Key, std::vector<std::shared_ptr<Shared>>> shared_;
    std::atomic<bool> aborted_ = false;
};

} // namespace

std::unique_ptr<Communicator> makeThreadsCommunicator() {
    return std::make_unique<ThreadsCommunicator>();
}

} // namespace weft
