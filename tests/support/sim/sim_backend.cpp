// SPDX-License-Identifier: Apache-2.0
#include "support/sim/sim_backend.h"

#include "support/sim/hidden_arena.h"
#include "support/sim/streams.h"
#include <weft/error.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

namespace weft {
Backend cpuBackend();
}

namespace weft::sim {

namespace {

class SimMark final : public Mark {
public:
    explicit SimMark(std::shared_ptr<Streams> streams) : streams_(std::move(streams)) {}
    [[nodiscard]] bool hasEnded() const override { return streams_->hasEnded(point); }
    [[nodiscard]] std::int64_t time() const override { return *point.time; }

    Point point;

private:
    std::shared_ptr<Streams> streams_;
};

/// Where the device's memory lies for the stand-in itself.
class Memory {
public:
    void add(const HiddenArena& arena) {
        const std::scoped_lock lock(mutex_);
        deltas_[arena.address()] = arena.delta();
    }
    void remove(const HiddenArena& arena) {
        const std::scoped_lock lock(mutex_);
        deltas_.erase(arena.address());
    }
    [[nodiscard]] std::byte* behind(const void* hidden) const {
        if (hidden == nullptr) {
            return nullptr;
        }
        const std::scoped_lock lock(mutex_);
        auto at = deltas_.upper_bound(hidden);
        ensure(at != deltas_.begin(), "an address of the device is in one of its arenas");
        --at;
        return const_cast<std::byte*>(static_cast<const std::byte*>(hidden)) + at->second;
    }

private:
    mutable std::mutex mutex_;
    std::map<const void*, std::ptrdiff_t> deltas_;
};

/// What a device and its lanes have together.
struct Shared {
    explicit Shared(unsigned seed) : streams(std::make_shared<Streams>(seed)) {}
    std::shared_ptr<Streams> streams;
    Memory memory;
};

class SimLane final : public Lane {
public:
    explicit SimLane(std::shared_ptr<Shared> shared)
        : shared_(std::move(shared)), stream_(shared_->streams->add()) {}

    [[nodiscard]] void* stream() const override { return const_cast<SimLane*>(this); }
    [[nodiscard]] bool isSynchronous() const override { return false; }
    void finish() override { shared_->streams->finish(stream_); }
    [[nodiscard]] std::unique_ptr<Mark> makeMark() override {
        return std::make_unique<SimMark>(shared_->streams);
    }
    void leave(Mark& mark) override {
        static_cast<SimMark&>(mark).point = shared_->streams->leave(stream_);
    }
    void waitFor(const Mark& mark) override {
        shared_->streams->waitFor(stream_, static_cast<const SimMark&>(mark).point);
    }
    void copyIn(void* device, const void* host, Bytes size) override {
        enqueue("a copy in", {{device, size.count, true}, {host, size.count, false}},
                [to = behind(device), host, size] {
                    std::memcpy(to, host, static_cast<std::size_t>(size.count));
                });
    }
    void copyOut(void* host, const void* device, Bytes size) override {
        enqueue("a copy out", {{device, size.count, false}, {host, size.count, true}},
                [from = behind(device), host, size] {
                    std::memcpy(host, from, static_cast<std::size_t>(size.count));
                });
    }
    void call(std::function<void()> run) override {
        enqueue("a call of the host", {}, std::move(run));
    }

    void enqueue(const std::string& name, std::vector<Use> uses, std::function<void()> run) {
        shared_->streams->enqueue(stream_, name, std::move(uses), std::move(run));
    }
    [[nodiscard]] std::byte* behind(const void* hidden) const {
        return shared_->memory.behind(hidden);
    }

private:
    std::shared_ptr<Shared> shared_;
    int stream_;
};

class SimDevice final : public Device {
public:
    SimDevice(DeviceSheet sheet, unsigned seed)
        : sheet_(std::move(sheet)), shared_(std::make_shared<Shared>(seed)) {}

    [[nodiscard]] const DeviceSheet& sheet() const override { return sheet_; }
    [[nodiscard]] bool isAsynchronous() const override { return true; }
    [[nodiscard]] std::unique_ptr<Arena> allocate(Bytes size) override {
        auto arena =
            std::make_unique<HiddenArena>(size, [shared = shared_](const HiddenArena& released) {
                shared->streams->disown(released.address(), released.size().count);
                shared->memory.remove(released);
            });
        shared_->streams->own(arena->address(), arena->size().count);
        shared_->memory.add(*arena);
        return arena;
    }
    [[nodiscard]] std::unique_ptr<Lane> makeLane(int, int) override {
        return std::make_unique<SimLane>(shared_);
    }
    [[nodiscard]] std::unique_ptr<Lane> makeUnboundLane(int index) override {
        return makeLane(index, 1);
    }
    void copyIn(void* device, const void* host, Bytes size) override {
        shared_->streams->touch("the host", {device, size.count, true});
        std::memcpy(shared_->memory.behind(device), host, static_cast<std::size_t>(size.count));
    }
    void copyOut(void* host, const void* device, Bytes size) override {
        shared_->streams->touch("the host", {device, size.count, false});
        std::memcpy(host, shared_->memory.behind(device), static_cast<std::size_t>(size.count));
    }

private:
    DeviceSheet sheet_;
    std::shared_ptr<Shared> shared_;
};

/// Bytes that a kernel touches, by operand and result.
struct Sizes {
    std::vector<std::int64_t> inputs;
    std::vector<std::int64_t> outputs;
    std::int64_t scratch = 0;
};

std::vector<std::int64_t> sizesOf(const std::vector<TensorPart>& parts,
                                  const std::vector<Format>& formats, bool asOffered) {
    std::vector<std::int64_t> sizes;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Format offered = asOffered ? parts[k].format : Format{};
        sizes.push_back(elementsIn(k < formats.size() ? formats[k] : offered, parts[k].shape) *
                        static_cast<std::int64_t>(byteSize(parts[k].dtype)));
    }
    return sizes;
}

class SimKernel final : public Kernel {
public:
    SimKernel(std::string name, std::unique_ptr<Kernel> kernel, Sizes sizes)
        : name_(std::move(name)), kernel_(std::move(kernel)), sizes_(std::move(sizes)) {}

    void run(const KernelArguments& at) override {
        ensure(at.lane != nullptr, "a kernel of the stand-in stands in a lane of it");
        auto& lane = *static_cast<SimLane*>(at.lane->stream());
        std::vector<Use> uses{{at.scratch, sizes_.scratch, true}};
        std::vector<const void*> inputs;
        for (std::size_t k = 0; k < at.inputs.size(); ++k) {
            uses.push_back({at.inputs[k], sizes_.inputs[k], false});
            inputs.push_back(lane.behind(at.inputs[k]));
        }
        std::vector<void*> outputs;
        for (std::size_t k = 0; k < at.outputs.size(); ++k) {
            uses.push_back({at.outputs[k], sizes_.outputs[k], true});
            outputs.push_back(lane.behind(at.outputs[k]));
        }
        lane.enqueue(name_, std::move(uses),
                     [this, inputs = std::move(inputs), outputs = std::move(outputs),
                      scratch = lane.behind(at.scratch), predicted = at.predicted] {
                         kernel_->run({inputs, outputs, scratch, nullptr, predicted});
                     });
    }

private:
    std::string name_;
    std::unique_ptr<Kernel> kernel_;
    Sizes sizes_;
};

ChoiceOrRefusal chosen(const KernelMaker& maker, const KernelRequest& request) {
    ChoiceOrRefusal choice = maker.choose(request);
    if (choice) {
        Sizes sizes{sizesOf(request.inputs, choice->inputFormats, true),
                    sizesOf(request.outputs, choice->outputFormats, false), choice->scratch.count};
        choice->make = [make = std::move(choice->make), name = request.op, sizes] {
            return std::make_unique<SimKernel>(name, make(), sizes);
        };
    }
    return choice;
}

KernelList wrapped(const KernelList& host) {
    KernelList list;
    for (const std::string& op : host.ops()) {
        for (const KernelMaker& maker : host.ownOf(op)) {
            list.add({.op = maker.op,
                      .implementation = maker.implementation,
                      .choose = [maker](const KernelRequest& at) { return chosen(maker, at); },
                      .floating = maker.floating});
        }
    }
    return list;
}

DeviceSheet sheetOf(const std::string& name) {
    DeviceSheet sheet;
    sheet.name = name;
    sheet.backend = "sim";
    sheet.model = "stands in for a GPU";
    return sheet;
}

std::unique_ptr<Device> open(const std::string& device, unsigned seed) {
    constexpr std::string_view prefix = "sim:";
    unsigned number = 0;
    const char* const end = device.data() + device.size();
    if (!device.starts_with(prefix) ||
        std::from_chars(device.data() + prefix.size(), end, number).ptr != end) {
        throw Error(ErrorCode::device, {}, "device " + device + ": there is none",
                    "name it sim:0, sim:1 and so on");
    }
    return std::make_unique<SimDevice>(sheetOf(device), seed * 1000 + number);
}

} // namespace

unsigned seed() {
    const char* const given = std::getenv("WEFT_SIM_SEED");
    return given == nullptr ? 1U : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

Backend simBackend(unsigned seed) {
    return {.name = "sim",
            .kernels = wrapped(cpuBackend().kernels),
            .space = MemorySpace::device,
            .find =
                [] {
                    return std::vector<DeviceSheet>{sheetOf("sim:0"), sheetOf("sim:1")};
                },
            .open = [seed](const std::string& device, int) { return open(device, seed); }};
}

} // namespace weft::sim
