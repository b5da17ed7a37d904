// SPDX-License-Identifier: Apache-2.0
#include "comm/chip/communicator.h"

#include "comm/chip/chip_connection.h"
#include "comm/queued/queued_communicator.h"
#include <weft/error.h>

#include <cstring>
#include <map>

namespace weft::chip {

namespace {

/// Larger than any node number of a plan, so that no collective of a program has this number.
constexpr std::uint32_t reachNumber = 0xFFFFFFFC;
constexpr const char* others = "the other workers on this GPU";

/// How members of a set can access each other's memory.
enum class Reach : std::uint8_t { asOneProcess, acrossProcesses, notAtAll };

class ChipCommunicator final : public QueuedCommunicator {
public:
    explicit ChipCommunicator(const CommunicatorSetup& setup) : QueuedCommunicator(setup) {}

    [[nodiscard]] std::string name() const override { return "chip"; }

private:
    [[nodiscard]] std::shared_ptr<MemberConnection> join(const CollectiveRequest& request,
                                                         DeviceId member) override {
        const auto known = reaches_.find(request.members);
        const Reach reach =
            known != reaches_.end() ? known->second : tried(request.members, member);
        reaches_[request.members] = reach;
        if (reach == Reach::notAtAll) {
            return nullptr;
        }
        auto joined = std::make_shared<ChipConnection>(request, member, setup(),
                                                       reach == Reach::acrossProcesses);
        registerForAbort(joined);
        return joined;
    }

    /// Each member shares a probe buffer that the others try to open. If one of them cannot, none
    /// of them uses the other's memory.
    Reach tried(const std::vector<DeviceId>& members, DeviceId member) {
        struct Word {
            std::uint64_t process = 0;
            bool can = true;
            ChipSharing::Place place = {};
        };
        const Deadline deadline(setup().limit);
        ByteExchange exchange(*setup().hosts, others, reachNumber, members, member, sizeof(Word));
        const auto exchanged = [&](const Word& word) {
            std::memcpy(exchange.mine().data(), &word, sizeof(word));
            exchange.start();
            pollUntil(deadline, others, [&] { return exchange.hasFinished(); });
            std::vector<Word> words(members.size());
            for (std::size_t k = 0; k < members.size(); ++k) {
                std::memcpy(&words[k], exchange.bytesOf(k).data(), sizeof(Word));
            }
            return words;
        };
        setup().device->use();
        Word mine{.process = thisProcess()};
        if (probe_ == nullptr) {
            probe_ = setup().device->allocate({1});
        }
        mine.can = allowed([&] { mine.place = sharing().give(probe_->address()); });
        bool isOneProcess = true;
        bool can = true;
        const std::vector<Word> words = exchanged(mine);
        for (const Word& word : words) {
            isOneProcess = isOneProcess && word.process == mine.process;
            can = can && word.can;
        }
        if (isOneProcess) {
            return Reach::asOneProcess;
        }
        mine.can = can && allowed([&] {
                       for (const Word& word : words) {
                           if (word.process != mine.process) {
                               (void)sharing().take(word.place);
                           }
                       }
                       (void)sharing().give(*sharing().makeEvent());
                   });
        for (const Word& word : exchanged(mine)) {
            can = can && word.can;
        }
        return can ? Reach::acrossProcesses : Reach::notAtAll;
    }

    [[nodiscard]] ChipSharing& sharing() const {
        ChipSharing* const mine = setup().device->sharing();
        if (mine == nullptr) {
            throw Error(ErrorCode::device, {}, "processes cannot share the memory of this device",
                        "");
        }
        return *mine;
    }

    template <class Try>
    static bool allowed(const Try& attempt) {
        try {
            attempt();
            return true;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::device) {
                throw;
            }
            return false;
        }
    }

    std::unique_ptr<Arena> probe_; ///< must exist while others open it
    std::map<std::vector<DeviceId>, Reach> reaches_;
};

} // namespace

DeviceCommunicator communicator() {
    return {.name = "chip",
            .backend = "cuda",
            .isWithinOneChip = true,
            .lacks = [] { return std::string(); },
            .version = [] { return std::string(); },
            .open = openCommunicator};
}

std::unique_ptr<Communicator> openCommunicator(const CommunicatorSetup& setup) {
    return std::make_unique<ChipCommunicator>(setup);
}

} // namespace weft::chip
