// SPDX-License-Identifier: Apache-2.0
#include "comm/nccl/room.h"

#include "base/waiting.h"
#include "comm/nccl/communicator.h"
#include "comm/nccl/moves.h"
#include "comm/reduce.h"
#include <weft/error.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace weft::nccl {

namespace {

/// Beyond every plan's nodes, so that it is no collective of a program.
constexpr std::uint32_t joinNumber = 0xFFFFFFFD;

/// What fails while members say it names what they said it for.
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

/// What packed pieces of all collectives of a worker lie in: they stand in one lane, one behind the
/// other.
class Scratch {
public:
    explicit Scratch(Device& device) : device_(device) {}
    /// Before anything runs.
    void require(Bytes size) {
        if (size.count > 0 && (arena_ == nullptr || arena_->size() < size)) {
            arena_ = nullptr;
            arena_ = device_.allocate(size);
        }
    }
    [[nodiscard]] void* address() const { return arena_ == nullptr ? nullptr : arena_->address(); }

private:
    Device& device_;
    std::unique_ptr<Arena> arena_;
};

/// What members share, and what packed pieces lie in.
struct Means {
    Device* device = nullptr;
    std::shared_ptr<Communicator> communicator;
    std::shared_ptr<Scratch> scratch;
};

class NcclCollective final : public Collective {
public:
    NcclCollective(const CollectiveRequest& request, int me, Means means, const RoomSeat& seat)
        : request_(request), me_(me), means_(std::move(means)) {
        inputs_.resize(request.inputBytes[static_cast<std::size_t>(me)].size());
        outputs_.resize(request.outputBytes[static_cast<std::size_t>(me)].size());
        if (request.isAllReduce) {
            summed_.resize(request.elements.size());
            countAllReduce();
            return;
        }
        moves_.emplace(request, me, *seat.kernels);
        means_.scratch->require(moves_->scratch());
        sentPerCall_ = moves_->elementsSent();
    }

    void start(std::span<const void* const> inputs, std::span<void* const> outputs,
               Lane* lane) override {
        if (lane == nullptr) { // said so that the compiler follows
            ensure(false, "what devices exchange stands in a lane");
            return;
        }
        lane_ = lane;
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
        if (!isThrough()) {
            return false;
        }
        if (moves_) {
            moves_->unpack(arguments());
        }
        if (ended_ == nullptr) {
            ended_ = lane_->makeMark();
        }
        lane_->leave(*ended_);
        isSaid_ = true;
        return true;
    }

    /// What a peer's failure has left in the queue never ends.
    bool hasEnded() override { return isThrough() && (ended_ == nullptr || ended_->hasEnded()); }

    [[nodiscard]] std::int64_t met() const override {
        return std::numeric_limits<std::int64_t>::min(); // nobody tells
    }
    [[nodiscard]] std::vector<DeviceId> arrived() const override {
        return {request_.members[static_cast<std::size_t>(me_)]};
    }
    [[nodiscard]] std::span<const DeviceId> members() const override { return request_.members; }
    [[nodiscard]] std::int64_t elementsSent() const override { return sent_; }

private:
    [[nodiscard]] bool isThrough() {
        return named(request_.name, [this] { return means_.communicator->isThrough(); });
    }

    void sum() {
        for (std::size_t k = 0; k < summed_.size(); ++k) {
            summed_[k] = {inputs_[k], outputs_[k], request_.elements[k]};
        }
        means_.communicator->allReduce(lane_->stream(), summed_, request_.dtype,
                                       request_.reduction);
    }

    void exchange() {
        const MoveArguments at = arguments();
        moves_->pack(at);
        const std::span<const Message> messages = moves_->messages(at);
        if (!messages.empty()) {
            means_.communicator->exchange(lane_->stream(), messages);
        }
    }

    [[nodiscard]] MoveArguments arguments() const {
        return {inputs_, outputs_, means_.scratch->address(), lane_};
    }

    /// As if shares were summed and then gathered.
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
    std::optional<Moves> moves_;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
    std::vector<Summed> summed_;
    Lane* lane_ = nullptr;
    std::unique_ptr<Mark> ended_;
    bool isSaid_ = true;
    std::int64_t sentPerCall_ = 0;
    std::int64_t sent_ = 0;
};

/// The first member's bytes, for all.
CollectiveRequest tellingRequest(const std::vector<DeviceId>& members) {
    const auto size = static_cast<std::int64_t>(sizeof(seam::Id));
    CollectiveRequest request{.name = "the members of a room of NCCL", .kind = "broadcast"};
    request.number = joinNumber;
    request.members = members;
    request.dtype = DType::u8;
    request.inputBytes.assign(members.size(), {0});
    request.outputBytes.assign(members.size(), {sizeof(seam::Id)});
    request.inputBytes.front() = {sizeof(seam::Id)};
    request.outputBytes.front() = {0};
    const Piece all{.offset = 0, .count = {size}, .stride = {1}};
    for (std::size_t to = 1; to < members.size(); ++to) {
        request.transfers.push_back(
            {.from = 0, .to = static_cast<int>(to), .source = all, .target = all});
    }
    return request;
}

class NcclRoom final : public Room {
public:
    explicit NcclRoom(const RoomSeat& seat)
        : seat_(seat), scratch_(std::make_shared<Scratch>(*seat.device)) {}

    [[nodiscard]] std::string name() const override { return "nccl"; }

    [[nodiscard]] std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                                      DeviceId member) override {
        const auto at = std::ranges::find(request.members, member);
        ensure(at != request.members.end(), "who prepares a collective takes part in it");
        return named(request.name, [&] {
            Means means{seat_.device, joined(request.members, member), scratch_};
            return std::make_unique<NcclCollective>(
                request, static_cast<int>(at - request.members.begin()), std::move(means), seat_);
        });
    }

    void abort() override {
        const std::scoped_lock lock(mutex_);
        isAborted_ = true;
        for (const auto& [members, communicator] : communicators_) {
            communicator->abort();
        }
    }

private:
    std::shared_ptr<Communicator> joined(const std::vector<DeviceId>& members, DeviceId member) {
        {
            const std::scoped_lock lock(mutex_);
            if (const auto known = communicators_.find(members); known != communicators_.end()) {
                return known->second;
            }
        }
        const Deadline deadline(seat_.limit);
        const int me = static_cast<int>(std::ranges::find(members, member) - members.begin());
        const std::unique_ptr<Collective> telling =
            seat_.hosts->prepare(tellingRequest(members), member);
        seam::Id id{};
        if (me == 0) {
            id = seam::makeId();
        }
        const void* given = me == 0 ? id.data() : nullptr;
        void* taken = me == 0 ? nullptr : id.data();
        telling->start({&given, 1}, {&taken, 1}, nullptr);
        await(deadline, [&] { return telling->hasFinished(); });
        seat_.device->use();
        auto communicator =
            std::make_shared<Communicator>(id, static_cast<int>(members.size()), me);
        {
            const std::scoped_lock lock(mutex_);
            communicators_[members] = communicator;
        }
        // Asked again, the hosts' room tells that the run was ended.
        await(deadline, [&] { return telling->hasFinished() && communicator->isThrough(); });
        return communicator;
    }

    template <class IsMet>
    void await(const Deadline& deadline, const IsMet& isMet) {
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
                throwTimeout("the other members of a room of NCCL", deadline.limit(),
                             "see why the others stopped");
            }
            std::this_thread::sleep_for(look);
        }
    }

    RoomSeat seat_;
    std::shared_ptr<Scratch> scratch_;
    std::mutex mutex_; ///< of what follows
    std::map<std::vector<DeviceId>, std::shared_ptr<Communicator>> communicators_;
    bool isAborted_ = false;
};

} // namespace

DeviceRoom room() {
    return {.name = "nccl",
            .backend = "cuda",
            .lacks = [] { return seam::survey().lacks; },
            .version = [] { return seam::survey().version; },
            .open = openRoom};
}

std::unique_ptr<Room> openRoom(const RoomSeat& seat) { return std::make_unique<NcclRoom>(seat); }

} // namespace weft::nccl
