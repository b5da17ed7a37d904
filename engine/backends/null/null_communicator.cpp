// SPDX-License-Identifier: Apache-2.0
// A communicator without data: members report their arrival and see the last one. A round ends only
// when all members have arrived, so a member is at most one round ahead of another, and two rounds
// of arrivals are stored.
#include "backends/null/null_device.h"
#include <weft/error.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <tuple>

namespace weft::null {

namespace {

struct Arrival {
    std::int64_t moment = 0;
    std::int64_t price = 0;
};

struct Member {
    std::atomic<std::uint64_t> round = 0;
    std::array<Arrival, 2> arrivals = {};
};

struct Meeting {
    explicit Meeting(const CollectiveRequest& given)
        : request(given), members(given.members.size()) {}
    CollectiveRequest request;
    std::vector<Member> members;
};

class NullCollective final : public Collective {
public:
    NullCollective(std::shared_ptr<Meeting> meeting, std::size_t me, Time time,
                   const std::atomic<bool>& aborted)
        : meeting_(std::move(meeting)), me_(me), time_(time), aborted_(aborted) {}

    void arrive(std::int64_t moment, Nanoseconds predicted) override {
        own_ = {moment, predicted.count};
    }

    void start(std::span<const void* const>, std::span<void* const>, Stream*) override {
        Member& mine = meeting_->members[me_];
        ++round_;
        mine.arrivals[round_ % 2] = own_;
        mine.round.store(round_, std::memory_order_release);
        hasMet_ = false;
        sent_ += elementsPerCall();
    }

    bool hasFinished() override {
        if (aborted_.load(std::memory_order_acquire)) {
            throw Error(ErrorCode::stopped, Where{.op = meeting_->request.name},
                        "the run was ended while this operation was waiting",
                        "look at the first failure of the run");
        }
        if (!hasMet_) {
            for (const Member& member : meeting_->members) {
                if (member.round.load(std::memory_order_acquire) < round_) {
                    return false;
                }
            }
            hasMet_ = true;
            settle(round_ % 2);
        }
        return time_ == Time::own || nowNanoseconds() >= ended_;
    }

    [[nodiscard]] std::int64_t ended() const override { return ended_; }
    [[nodiscard]] std::int64_t met() const override { return met_; }

    [[nodiscard]] std::vector<DeviceId> arrived() const override {
        std::vector<DeviceId> there;
        for (std::size_t k = 0; k < meeting_->members.size(); ++k) {
            if (meeting_->members[k].round.load(std::memory_order_acquire) >= round_) {
                there.push_back(meeting_->request.members[k]);
            }
        }
        return there;
    }

    [[nodiscard]] std::int64_t elementsSent() const override { return sent_; }

private:
    void settle(std::size_t parity) {
        met_ = own_.moment;
        std::int64_t longest = 0;
        for (const Member& member : meeting_->members) {
            met_ = std::max(met_, member.arrivals[parity].moment);
            longest = std::max(longest, member.arrivals[parity].price);
        }
        ended_ = met_ + longest;
    }

    /// Number of elements that a real communicator would have sent.
    [[nodiscard]] std::int64_t elementsPerCall() const {
        const CollectiveRequest& request = meeting_->request;
        const auto count = static_cast<std::int64_t>(request.members.size());
        const auto me = static_cast<std::int64_t>(me_);
        std::int64_t elements = 0;
        for (const std::int64_t whole : request.elements) {
            const std::int64_t share = whole * (me + 1) / count - whole * me / count;
            elements += whole - share + (count - 1) * share;
        }
        for (const Transfer& transfer : request.transfers) {
            const bool isSent =
                transfer.from == static_cast<int>(me_) && transfer.to != transfer.from;
            elements += isSent ? transfer.source.elements() : 0;
        }
        return elements;
    }

    std::shared_ptr<Meeting> meeting_;
    std::size_t me_;
    Time time_;
    const std::atomic<bool>& aborted_;
    Arrival own_;
    std::uint64_t round_ = 0;
    bool hasMet_ = false;
    std::int64_t met_ = 0;
    std::int64_t ended_ = 0;
    std::int64_t sent_ = 0;
};

class NullCommunicator final : public Communicator {
public:
    explicit NullCommunicator(Time time) : time_(time) {}

    [[nodiscard]] std::string name() const override { return "null"; }

    std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                        DeviceId member) override {
        const auto me = std::ranges::find(request.members, member);
        ensure(me != request.members.end(),
               "a device takes part in every collective that it prepares");
        const std::scoped_lock lock(mutex_);
        const auto position = static_cast<std::size_t>(me - request.members.begin());
        // Programs use the same numbers. All members prepare in one order, so each joins the
        // matching peers.
        auto& meetings = meetings_[{request.number, request.members}];
        auto& joined = joined_[{request.number, request.members, member}];
        if (joined == meetings.size()) {
            meetings.push_back(std::make_shared<Meeting>(request));
        }
        return std::make_unique<NullCollective>(meetings[joined++], position, time_, aborted_);
    }
    void abort() override { aborted_.store(true); }

private:
    Time time_;
    std::mutex mutex_;
    std::map<std::pair<std::uint32_t, std::vector<DeviceId>>, std::vector<std::shared_ptr<Meeting>>>
        meetings_;
    std::map<std::tuple<std::uint32_t, std::vector<DeviceId>, DeviceId>, std::size_t> joined_;
    std::atomic<bool> aborted_ = false;
};

} // namespace

std::unique_ptr<Communicator> makeCommunicator(Time time) {
    return std::make_unique<NullCommunicator>(time);
}

} // namespace weft::null
