// SPDX-License-Identifier: Apache-2.0
#include "comm/simulated/simulated_communicator.h"

#include "comm/message_collective.h"
#include "comm/postbox.h"
#include <weft/error.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <tuple>

namespace weft {

namespace {

class MemoryPostbox final : public Postbox {
public:
    PostTicket send(DeviceId from, DeviceId to, std::uint32_t tag,
                    std::span<const std::byte> bytes) override {
        Line& line = lines_[{from, to, tag}];
        line.sent.emplace_back(next_, bytes);
        match(line);
        return next_++;
    }

    PostTicket receive(DeviceId from, DeviceId to, std::uint32_t tag,
                       std::span<std::byte> bytes) override {
        Line& line = lines_[{from, to, tag}];
        line.wanted.emplace_back(next_, bytes);
        match(line);
        return next_++;
    }

    bool hasEnded(PostTicket ticket) override { return ended_.erase(ticket) > 0; }

private:
    struct Line {
        std::deque<std::pair<PostTicket, std::span<const std::byte>>> sent;
        std::deque<std::pair<PostTicket, std::span<std::byte>>> wanted;
    };

    void match(Line& line) {
        while (!line.sent.empty() && !line.wanted.empty()) {
            const auto& [sent, source] = line.sent.front();
            const auto& [wanted, target] = line.wanted.front();
            ensure(source.size() == target.size(),
                   "a message has the size that its receiver expects");
            std::ranges::copy(source, target.begin());
            ended_[sent] = true;
            ended_[wanted] = true;
            line.sent.pop_front();
            line.wanted.pop_front();
        }
    }

    std::map<std::tuple<DeviceId, DeviceId, std::uint32_t>, Line> lines_;
    std::map<PostTicket, bool> ended_;
    PostTicket next_ = 0;
};

class SimulatedCommunicator final : public Communicator {
public:
    [[nodiscard]] std::string name() const override { return "simulated"; }
    std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                        DeviceId member) override {
        return makeMessageCollective(request, member, postbox_, request.number, aborted_);
    }
    void abort() override { aborted_.store(true); }

private:
    MemoryPostbox postbox_;
    std::atomic<bool> aborted_ = false;
};

} // namespace

std::unique_ptr<Communicator> makeSimulatedCommunicator() {
    return std::make_unique<SimulatedCommunicator>();
}

} // namespace weft
