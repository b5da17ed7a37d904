// SPDX-License-Identifier: Apache-2.0
#include "support/sim/sim_communicator.h"

#include "comm/chip/communicator.h"
#include "comm/nccl/communicator.h"
#include "comm/nccl/seam.h"
#include "comm/reduce.h"
#include "comm/world.h"
#include "support/sim/chip.h"
#include <weft/error.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

namespace weft {

namespace sim {

namespace {

using Contents = std::vector<std::byte>;

/// A call on which some members meet: all of them, or two.
struct Call {
    std::vector<int> members;
    std::size_t number = 0; ///< among those of the same members
    auto operator<=>(const Call&) const = default;
};

/// By member, what each has brought.
using Brought = std::map<int, std::vector<Contents>>;

/// One set of members, and what they have brought to their calls.
class Meeting {
public:
    explicit Meeting(int members) : members_(members) {}

    void join(int me, int chip) {
        const std::scoped_lock lock(mutex_);
        if (!chips_.insert(chip).second) {
            throw Error(ErrorCode::peer, {}, "two members are on one chip", "give each its own");
        }
        joined_.insert(me);
    }
    [[nodiscard]] bool isWhole() {
        const std::scoped_lock lock(mutex_);
        return static_cast<int>(joined_.size()) == members_;
    }
    void bring(const Call& call, int me, std::vector<Contents> what) {
        const std::scoped_lock lock(mutex_);
        brought_[call][me] = std::move(what);
    }
    /// All have come to these calls, or this member has given up.
    [[nodiscard]] bool isMet(const std::vector<Call>& calls, int me) {
        const std::scoped_lock lock(mutex_);
        return gone_.contains(me) || std::ranges::all_of(calls, [&](const Call& call) {
                   return brought_[call].size() == call.members.size();
               });
    }
    /// Nothing where the member has given up.
    void take(const Call& call, int me, const std::function<void(const Brought&)>& use) {
        const std::scoped_lock lock(mutex_);
        if (gone_.contains(me)) {
            return;
        }
        use(brought_[call]);
        if (++taken_[call] == call.members.size()) {
            brought_.erase(call);
            taken_.erase(call);
        }
    }
    void giveUp(int me) {
        const std::scoped_lock lock(mutex_);
        gone_.insert(me);
    }
    [[nodiscard]] int members() const { return members_; }

private:
    int members_;
    std::mutex mutex_;
    std::set<int> joined_;
    std::set<int> chips_;
    std::set<int> gone_;
    std::map<Call, Brought> brought_;
    std::map<Call, std::size_t> taken_;
};

/// By id.
class Meetings {
public:
    std::shared_ptr<Meeting> at(const nccl::seam::Id& id, int members) {
        const std::scoped_lock lock(mutex_);
        std::shared_ptr<Meeting>& one = all_[id];
        one = one == nullptr ? std::make_shared<Meeting>(members) : one;
        return one;
    }
    nccl::seam::Id next() {
        const std::scoped_lock lock(mutex_);
        nccl::seam::Id id{};
        ++last_;
        std::memcpy(id.data(), &last_, sizeof(last_));
        return id;
    }

private:
    std::mutex mutex_;
    std::map<nccl::seam::Id, std::shared_ptr<Meeting>> all_;
    std::uint64_t last_ = 0;
};

Meetings& meetings() {
    static Meetings all;
    return all;
}

} // namespace

MeetingFaults& meetingFaults() {
    static MeetingFaults faults;
    return faults;
}

DeviceCommunicator simCommunicator() {
    DeviceCommunicator communicator = nccl::communicator();
    communicator.backend = "sim";
    communicator.lacks = [] {
        return isOneOfSeveralRanks() ? "chips that stand in meet within one process" : "";
    };
    return communicator;
}

DeviceCommunicator simChipCommunicator() {
    DeviceCommunicator communicator = chip::communicator();
    communicator.backend = "sim";
    return communicator;
}

} // namespace sim

namespace nccl {

struct Membership {
    std::shared_ptr<sim::Meeting> meeting;
    int me = 0;
    std::map<std::vector<int>, std::size_t> calls = {}; ///< by who met, how often
};

namespace {

using sim::Brought;
using sim::Call;
using sim::Contents;

/// A member's part of a collective: its input, and its computation on all inputs.
struct Part {
    Call call;
    std::function<std::vector<Contents>()> bring;
    std::function<void(const Brought&)> take;
};

Call callOf(Membership& mine, std::vector<int> members) {
    const std::size_t number = mine.calls[members]++;
    return {std::move(members), number};
}

/// Two ops of the stream: the member has come and is read; once the others have too, it is written.
void meet(const Membership& mine, sim::ChipStream& stream, std::vector<sim::Use> reads,
          std::vector<sim::Use> writes, const std::vector<Part>& parts) {
    const std::shared_ptr<sim::Meeting> meeting = mine.meeting;
    const int me = mine.me;
    if (sim::meetingFaults().neverArrives != me) {
        stream.enqueue("comes to a meeting", std::move(reads), [=] {
            for (const Part& part : parts) {
                meeting->bring(part.call, me, part.bring());
            }
        });
    }
    std::vector<Call> calls;
    calls.reserve(parts.size());
    for (const Part& part : parts) {
        calls.push_back(part.call);
    }
    stream.enqueue(
        "meets", std::move(writes),
        [=] {
            for (const Part& part : parts) {
                meeting->take(part.call, me, part.take);
            }
        },
        [=] { return meeting->isMet(calls, me); });
}

} // namespace

namespace seam {

LibraryState findLibrary() { return {.version = "0", .lacks = {}}; }

Id makeId() { return sim::meetings().next(); }

Membership* join(const Id& id, int members, int me) {
    auto mine = std::make_unique<Membership>(sim::meetings().at(id, members), me);
    if (sim::meetingFaults().neverJoins != me) {
        mine->meeting->join(me, sim::chosenChip());
    }
    return mine.release();
}

bool isCallDone(Membership* membership) {
    if (sim::meetingFaults().fails == membership->me && !membership->calls.empty()) {
        throw Error(ErrorCode::peer, {}, "a peer is gone", "see why it stopped");
    }
    return membership->meeting->isWhole();
}

void allReduce(Membership* membership, void* stream, std::span<const ReducedTensor> tensors,
               DType dtype, Reduction reduction) {
    sim::ChipStream& queue = sim::streamBehind(stream);
    struct Tensor {
        const std::byte* in = nullptr;
        std::byte* out = nullptr;
        std::int64_t elements = 0;
    };
    std::vector<sim::Use> reads;
    std::vector<sim::Use> writes;
    std::vector<Tensor> all;
    const auto size = static_cast<std::int64_t>(byteSize(dtype));
    for (const ReducedTensor& one : tensors) {
        reads.push_back({one.in, one.elements * size, false});
        writes.push_back({one.out, one.elements * size, true});
        all.push_back({queue.chip->behind(one.in), queue.chip->behind(one.out), one.elements});
    }
    std::vector<int> members(static_cast<std::size_t>(membership->meeting->members()));
    std::iota(members.begin(), members.end(), 0);
    const auto bring = [=] {
        std::vector<Contents> brought;
        brought.reserve(all.size());
        for (const Tensor& tensor : all) {
            brought.emplace_back(tensor.in, tensor.in + tensor.elements * size);
        }
        return brought;
    };
    const auto take = [=](const Brought& brought) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::vector<const void*> parts;
            parts.reserve(brought.size());
            for (const auto& [member, tensors] : brought | std::views::reverse) {
                parts.push_back(tensors[k].data());
            }
            reduceInOrder(dtype, reduction, parts, all[k].out, 0, all[k].elements);
        }
    };
    meet(*membership, queue, std::move(reads), std::move(writes),
         {{callOf(*membership, std::move(members)), bring, take}});
}

void exchange(Membership* membership, void* stream, std::span<const Message> messages) {
    sim::ChipStream& queue = sim::streamBehind(stream);
    using Place = std::pair<std::byte*, std::int64_t>;
    struct Ways {
        std::vector<Place> out;
        std::vector<Place> in;
    };
    std::vector<sim::Use> reads;
    std::vector<sim::Use> writes;
    std::map<int, Ways> peers;
    for (const Message& one : messages) {
        (one.isSent ? reads : writes).push_back({one.address, one.bytes, !one.isSent});
        Ways& ways = peers[one.peer];
        (one.isSent ? ways.out : ways.in).emplace_back(queue.chip->behind(one.address), one.bytes);
    }
    std::vector<Part> parts;
    for (const auto& [peer, ways] : peers) {
        const auto bring = [out = ways.out] {
            std::vector<Contents> brought;
            brought.reserve(out.size());
            for (const auto& [at, bytes] : out) {
                brought.emplace_back(at, at + bytes);
            }
            return brought;
        };
        const auto take = [from = peer, in = ways.in](const Brought& brought) {
            const std::vector<Contents>& came = brought.at(from);
            ensure(came.size() == in.size(), "two workers agree on the messages between them");
            for (std::size_t k = 0; k < in.size(); ++k) {
                ensure(std::ssize(came[k]) == in[k].second,
                       "a message is not as long as its place");
                std::ranges::copy(came[k], in[k].first);
            }
        };
        const auto [first, second] = std::minmax({membership->me, peer});
        parts.push_back({callOf(*membership, {first, second}), bring, take});
    }
    meet(*membership, queue, std::move(reads), std::move(writes), parts);
}

void abort(Membership* membership) noexcept {
    membership->meeting->giveUp(membership->me);
    delete membership;
}

void leave(Membership* membership) noexcept { delete membership; }

} // namespace seam

} // namespace nccl

} // namespace weft
