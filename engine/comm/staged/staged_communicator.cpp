// SPDX-License-Identifier: Apache-2.0
#include "comm/staged/staged_communicator.h"

#include "device/backend.h"
#include <weft/error.h>

#include <algorithm>
#include <cstddef>

namespace weft {

namespace {

/// Alignment of every tensor in staging memory, in bytes.
constexpr std::int64_t alignment = 64;

/// Pinned memory shared by all collectives of a worker, which run one after another on one stream.
class Staging {
public:
    explicit Staging(Device& device) : device_(device) {}
    /// Call before anything runs.
    void require(Bytes size) {
        if (size.count > 0 && (arena_ == nullptr || arena_->size() < size)) {
            arena_ = nullptr;
            arena_ = device_.allocatePinned(size);
        }
    }
    [[nodiscard]] std::byte* address() const {
        return arena_ == nullptr ? nullptr : static_cast<std::byte*>(arena_->address());
    }

private:
    Device& device_;
    std::unique_ptr<Arena> arena_;
};

/// The host buffers for one member's tensors, the same for every call.
class Buffers {
public:
    /// Begins at `offset` of the staging memory.
    Buffers(const std::vector<std::size_t>& sizes, std::int64_t offset) : offset_(offset) {
        for (const std::size_t size : sizes) {
            sizes_.push_back({static_cast<std::int64_t>(size)});
        }
        addresses.resize(sizes.size());
    }
    [[nodiscard]] Bytes size(std::size_t k) const { return sizes_[k]; }
    [[nodiscard]] std::int64_t end() const {
        std::int64_t end = offset_;
        for (const Bytes size : sizes_) {
            end += aligned(size);
        }
        return end;
    }
    void bindTo(std::byte* staging) {
        std::int64_t offset = offset_;
        for (std::size_t k = 0; k < sizes_.size(); ++k) {
            addresses[k] = sizes_[k].count == 0 ? nullptr : staging + offset;
            offset += aligned(sizes_[k]);
        }
    }

    std::vector<void*> addresses; ///< valid once bound

private:
    static std::int64_t aligned(Bytes size) {
        return (size.count + alignment - 1) / alignment * alignment;
    }

    std::int64_t offset_;
    std::vector<Bytes> sizes_;
};

class StagedCollective final : public Collective {
public:
    StagedCollective(std::unique_ptr<Collective> host, const CollectiveRequest& request,
                     std::size_t member, std::shared_ptr<Staging> staging)
        : host_(std::move(host)),
          staging_(std::move(staging)),
          given_(request.inputBytes[member], 0),
          taken_(request.outputBytes[member], given_.end()),
          outputs_(taken_.addresses.size()) {
        staging_->require({taken_.end()});
    }

    void start(std::span<const void* const> inputs, std::span<void* const> outputs,
               Stream* stream) override {
        if (stream == nullptr) { // for the compiler's null analysis
            ensure(false, "a staged copy is enqueued on a stream");
            return;
        }
        stream_ = stream;
        if (!isBound_) { // all collectives have required their memory by now
            given_.bindTo(staging_->address());
            taken_.bindTo(staging_->address());
            isBound_ = true;
        }
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            if (inputs[k] != nullptr) {
                stream->copyOut(given_.addresses[k], inputs[k], given_.size(k));
            }
        }
        std::ranges::copy(outputs, outputs_.begin());
        if (out_ == nullptr) {
            out_ = stream->makeEvent();
        }
        if (out_ != nullptr) {
            stream->leave(*out_);
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
                stream_->copyIn(outputs_[k], taken_.addresses[k], taken_.size(k));
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
    std::shared_ptr<Staging> staging_;
    Buffers given_;
    Buffers taken_;
    std::vector<void*> outputs_; ///< for the call
    Stream* stream_ = nullptr;
    std::unique_ptr<DeviceEvent> out_; ///< all inputs have been copied to the host
    bool isMeeting_ = false;
    bool isBound_ = false; ///< the buffers have their addresses
};

class StagedCommunicator final : public Communicator {
public:
    StagedCommunicator(Communicator& communicator, Device& device)
        : communicator_(communicator), staging_(std::make_shared<Staging>(device)) {}

    [[nodiscard]] std::string name() const override {
        return communicator_.name() + ", through the host";
    }
    [[nodiscard]] std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                                      DeviceId member) override {
        const auto at = std::ranges::find(request.members, member);
        ensure(at != request.members.end(),
               "a worker takes part in every collective that it prepares");
        return std::make_unique<StagedCollective>(
            communicator_.prepare(request, member), request,
            static_cast<std::size_t>(at - request.members.begin()), staging_);
    }
    void abort() override { communicator_.abort(); }

private:
    Communicator& communicator_;
    std::shared_ptr<Staging> staging_;
};

} // namespace

std::unique_ptr<Communicator> makeStagedCommunicator(Communicator& communicator, Device& device) {
    return std::make_unique<StagedCommunicator>(communicator, device);
}

Bytes stagedBytes(const CollectiveRequest& request, DeviceId member) {
    const auto found = std::ranges::find(request.members, member);
    ensure(found != request.members.end(),
           "a worker takes part in every collective that it stages");
    const auto index = static_cast<std::size_t>(found - request.members.begin());
    const Buffers given(request.inputBytes[index], 0);
    return {Buffers(request.outputBytes[index], given.end()).end()};
}

} // namespace weft
