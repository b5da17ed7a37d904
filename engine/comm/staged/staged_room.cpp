// SPDX-License-Identifier: Apache-2.0
#include "comm/staged/staged_room.h"

#include "device/backend.h"
#include <weft/error.h>

#include <algorithm>
#include <cstddef>

namespace weft {

namespace {

/// The host's side of one member's tensors, the same for every call.
struct Buffers {
    explicit Buffers(const std::vector<std::size_t>& sizes) {
        for (const std::size_t size : sizes) {
            bytes.emplace_back(size);
            addresses.push_back(size == 0 ? nullptr : bytes.back().data());
        }
    }
    [[nodiscard]] Bytes size(std::size_t k) const {
        return {static_cast<std::int64_t>(bytes[k].size())};
    }

    std::vector<std::vector<std::byte>> bytes;
    std::vector<void*> addresses;
};

class StagedCollective final : public Collective {
public:
    StagedCollective(std::unique_ptr<Collective> host, const CollectiveRequest& request,
                     std::size_t member)
        : host_(std::move(host)),
          given_(request.inputBytes[member]),
          taken_(request.outputBytes[member]),
          outputs_(taken_.bytes.size()) {}

    void start(std::span<const void* const> inputs, std::span<void* const> outputs,
               Lane* lane) override {
        if (lane == nullptr) { // said so that the compiler follows: a host's room stands in none
            ensure(false, "what is staged stands in a lane");
            return;
        }
        lane_ = lane;
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            if (inputs[k] != nullptr) {
                lane->copyOut(given_.addresses[k], inputs[k], given_.size(k));
            }
        }
        std::ranges::copy(outputs, outputs_.begin());
        if (out_ == nullptr) {
            out_ = lane->makeMark();
        }
        if (out_ != nullptr) {
            lane->leave(*out_);
        }
        isMeeting_ = false;
    }

    void arrive(std::int64_t moment, Nanoseconds predicted) override {
        host_->arrive(moment, predicted);
    }
    [[nodiscard]] std::int64_t ended() const override { return host_->ended(); }

    bool hasFinished() override {
        if (!isMeeting_) {
            if (out_ != nullptr && !out_->hasEnded()) {
                return false;
            }
            isMeeting_ = true;
            host_->start({given_.addresses.begin(), given_.addresses.end()}, taken_.addresses,
                         nullptr);
        }
        if (!host_->hasFinished()) {
            return false;
        }
        for (std::size_t k = 0; k < outputs_.size(); ++k) {
            if (outputs_[k] != nullptr) {
                lane_->copyIn(outputs_[k], taken_.addresses[k], taken_.size(k));
            }
        }
        return true;
    }

    [[nodiscard]] std::int64_t met() const override { return host_->met(); }
    [[nodiscard]] std::vector<DeviceId> arrived() const override { return host_->arrived(); }
    [[nodiscard]] std::span<const DeviceId> members() const override { return host_->members(); }
    [[nodiscard]] std::int64_t elementsSent() const override { return host_->elementsSent(); }

private:
    std::unique_ptr<Collective> host_;
    Buffers given_;
    Buffers taken_;
    std::vector<void*> outputs_; ///< of the call
    Lane* lane_ = nullptr;
    std::unique_ptr<Mark> out_; ///< all that is given has come out
    bool isMeeting_ = false;
};

class StagedRoom final : public Room {
public:
    explicit StagedRoom(Room& room) : room_(room) {}

    [[nodiscard]] std::string name() const override { return room_.name() + ", through the host"; }
    [[nodiscard]] std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                                      DeviceId member) override {
        const auto at = std::ranges::find(request.members, member);
        ensure(at != request.members.end(), "who prepares a collective takes part in it");
        return std::make_unique<StagedCollective>(
            room_.prepare(request, member), request,
            static_cast<std::size_t>(at - request.members.begin()));
    }
    void abort() override { room_.abort(); }

private:
    Room& room_;
};

} // namespace

std::unique_ptr<Room> makeStagedRoom(Room& room) { return std::make_unique<StagedRoom>(room); }

} // namespace weft
