// SPDX-License-Identifier: Apache-2.0
#include "backends/null/null_device.h"

#include <weft/error.h>

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace weft::null {

namespace {

/// An address range without memory: nothing is written.
class UntouchedArena final : public Arena {
public:
    explicit UntouchedArena(Bytes size) : size_(size) {
        address_ = mmap(nullptr, mapped(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (address_ == MAP_FAILED) {
            throw Error(ErrorCode::memory, {},
                        "the address space has no room for " + toString(size),
                        "choose a smaller batch or more devices");
        }
    }
    ~UntouchedArena() override { munmap(address_, mapped()); }
    UntouchedArena(const UntouchedArena&) = delete;
    UntouchedArena& operator=(const UntouchedArena&) = delete;

    [[nodiscard]] void* address() const override { return address_; }
    [[nodiscard]] Bytes size() const override { return size_; }

private:
    [[nodiscard]] std::size_t mapped() const {
        return static_cast<std::size_t>(std::max<std::int64_t>(1, size_.count));
    }

    void* address_ = nullptr;
    Bytes size_;
};

/// A clock that only the stream's own thread reads and advances.
struct StreamClock {
    Time time = Time::own;
    Delay delay = {};
    std::int64_t moment = 0;

    void pass(Nanoseconds duration) {
        if (time == Time::own) {
            moment += duration.count;
        } else {
            std::this_thread::sleep_for(std::chrono::nanoseconds(duration.count));
        }
    }
};

class NullStream final : public Stream {
public:
    explicit NullStream(const Settings& settings)
        : clock_(std::make_unique<StreamClock>(StreamClock{settings.time, settings.delay})) {}

    [[nodiscard]] void* handle() const override { return clock_.get(); }
    [[nodiscard]] bool isSynchronous() const override { return clock_->time == Time::hosts; }
    void finish() override {}
    [[nodiscard]] std::int64_t now() const override {
        return clock_->time == Time::own ? clock_->moment : nowNanoseconds();
    }
    void waitUntil(std::int64_t moment) override {
        clock_->moment = std::max(clock_->moment, moment);
    }

private:
    std::unique_ptr<StreamClock> clock_;
};

class NullDevice final : public Device {
public:
    explicit NullDevice(Settings settings) : settings_(std::move(settings)) {}

    [[nodiscard]] const DeviceSheet& sheet() const override { return settings_.sheet; }
    [[nodiscard]] std::unique_ptr<Arena> allocate(Bytes size) override {
        return std::make_unique<UntouchedArena>(size);
    }
    [[nodiscard]] std::unique_ptr<Stream> makeStream(int, int) override {
        return std::make_unique<NullStream>(settings_);
    }
    [[nodiscard]] std::unique_ptr<Stream> makeUnboundStream(int) override {
        return std::make_unique<NullStream>(settings_);
    }
    void copyIn(void*, const void*, Bytes) override {}
    void copyOut(void* host, const void*, Bytes size) override {
        std::memset(host, 0, static_cast<std::size_t>(size.count));
    }

private:
    Settings settings_;
};

KernelChoice choose(const KernelRequest& request) {
    return {.implementation = "null", .make = [op = request.op] {
                return makeKernel([op](const KernelArguments& arguments) {
                    ensure(arguments.stream != nullptr,
                           "a null kernel runs on a stream of its own device");
                    auto& clock = *static_cast<StreamClock*>(arguments.stream->handle());
                    clock.pass(arguments.predicted +
                               (clock.delay ? clock.delay(op) : Nanoseconds{}));
                });
            }};
}

std::unique_ptr<Device> open(const std::string& device, int cores) {
    constexpr std::string_view prefix = "null:";
    if (!device.starts_with(prefix) || device.size() == prefix.size()) {
        throw Error(ErrorCode::device, {}, "the null backend has no device " + device,
                    "name it null:0, null:1 and so on");
    }
    Settings settings{.sheet = {}, .time = Time::hosts, .delay = {}};
    settings.sheet.name = device;
    settings.sheet.backend = "null";
    settings.sheet.model = "simulates the predicted time without computing";
    settings.sheet.cores = cores;
    return makeDevice(std::move(settings));
}

} // namespace

std::unique_ptr<Device> makeDevice(Settings settings) {
    return std::make_unique<NullDevice>(std::move(settings));
}

} // namespace weft::null

namespace weft {

Backend nullBackend();

/// Opens any number of devices; the machine reports none.
Backend nullBackend() {
    KernelList kernels;
    kernels.addForAny({.op = {}, .implementation = "null", .choose = null::choose, .floating = {}});
    return {.name = "null",
            .kernels = std::move(kernels),
            .find = [] { return std::vector<DeviceSheet>{}; },
            .open = null::open};
}

} // namespace weft
