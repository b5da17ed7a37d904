// SPDX-License-Identifier: Apache-2.0
// The reference device: host memory, streams without threads of their own, and the reference
// kernels.
#include "device/backend.h"

#include "backends/reference/reference_kernel.h"
#include "base/process/host_memory.h"
#include <weft/error.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

namespace weft {

namespace reference {

void fill(KernelList& list);

DType floatingType(const KernelRequest& request) {
    for (const auto* parts : {&request.inputs, &request.outputs}) {
        for (const TensorPart& part : *parts) {
            if (isFloating(part.dtype)) {
                return part.dtype;
            }
        }
    }
    return DType::f32;
}

KernelChoice plainChoice(const KernelRequest& request,
                         std::function<void(const KernelArguments&)> run) {
    KernelChoice choice{.implementation = "reference",
                        .make = [run = std::move(run)] { return makeKernel(run); }};
    choice.inputFormats.resize(request.inputs.size());
    return choice;
}

namespace {

constexpr std::size_t alignmentInBytes = 64;

class HostArena final : public Arena {
public:
    explicit HostArena(Bytes size) : size_(size) {
        const auto wanted = static_cast<std::size_t>(size.count);
        const std::size_t rounded = (std::max<std::size_t>(wanted, 1) + alignmentInBytes - 1) /
                                    alignmentInBytes * alignmentInBytes;
        // No machine has more memory, so the system need not be asked.
        constexpr std::size_t most = std::size_t{1} << 40U;
        address_ = rounded > most ? nullptr : std::aligned_alloc(alignmentInBytes, rounded);
        if (address_ == nullptr) {
            throw Error(ErrorCode::memory, {}, "cannot allocate " + toString(size) + " of memory",
                        "choose a smaller batch or more devices");
        }
        std::memset(address_, 0, rounded);
    }
    ~HostArena() override { std::free(address_); }
    HostArena(const HostArena&) = delete;
    HostArena& operator=(const HostArena&) = delete;

    [[nodiscard]] void* address() const override { return address_; }
    [[nodiscard]] Bytes size() const override { return size_; }

private:
    void* address_ = nullptr;
    Bytes size_;
};

/// Runs on the calling thread: a step has ended when its kernel returns.
class CallingStream final : public Stream {
public:
    [[nodiscard]] void* handle() const override { return nullptr; }
    [[nodiscard]] bool isSynchronous() const override { return true; }
    void finish() override {}
};

DeviceSheet sheetOf(std::string name) {
    DeviceSheet sheet;
    sheet.name = std::move(name);
    sheet.backend = "reference";
    sheet.model = "reference kernels on one core";
    sheet.memory = hostMemory();
    sheet.flopsPerSecond = 1e9;
    sheet.bytesPerSecond = 4e9;
    return sheet;
}

class ReferenceDevice final : public Device {
public:
    explicit ReferenceDevice(const std::string& name) : sheet_(sheetOf(name)) {}

    [[nodiscard]] const DeviceSheet& sheet() const override { return sheet_; }
    [[nodiscard]] std::unique_ptr<Arena> allocate(Bytes size) override {
        return std::make_unique<HostArena>(size);
    }
    [[nodiscard]] std::unique_ptr<Stream> makeStream(int, int) override {
        return std::make_unique<CallingStream>();
    }
    void copyIn(void* device, const void* host, Bytes size) override {
        std::memcpy(device, host, static_cast<std::size_t>(size.count));
    }
    void copyOut(void* host, const void* device, Bytes size) override {
        std::memcpy(host, device, static_cast<std::size_t>(size.count));
    }

private:
    DeviceSheet sheet_;
};

std::unique_ptr<Device> openDevice(const std::string& name, int) {
    constexpr std::string_view prefix = "reference:";
    const bool isOurs = name.starts_with(prefix) && name.size() > prefix.size() &&
                        name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    if (!isOurs) {
        throw Error(ErrorCode::device, {}, "the reference backend has no device " + name,
                    "name it reference:0, reference:1 and so on");
    }
    return std::make_unique<ReferenceDevice>(name);
}

} // namespace

} // namespace reference

Backend referenceBackend();

/// Opens any number of devices: a device only needs memory and a calling thread.
Backend referenceBackend() {
    KernelList kernels;
    reference::fill(kernels);
    return {.name = "reference",
            .kernels = std::move(kernels),
            .alignment = reference::alignmentInBytes,
            .find = [] { return std::vector{reference::sheetOf("reference:0")}; },
            .open = reference::openDevice};
}

} // namespace weft
