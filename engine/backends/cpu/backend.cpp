// SPDX-License-Identifier: Apache-2.0
#include "device/backend.h"

#include "backends/cpu/cores.h"
#include "backends/cpu/memory.h"
#include "backends/cpu/sheet.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <omp.h>

#include <charconv>
#include <cstring>
#include <mutex>

namespace weft {

namespace cpu {

void fill(KernelList& list);

namespace {

class CpuStream final : public Stream {
public:
    [[nodiscard]] void* handle() const override { return nullptr; }
    [[nodiscard]] bool isSynchronous() const override { return true; }
    void finish() override {}
};

class CpuDevice final : public Device {
public:
    CpuDevice(DeviceSheet sheet, int cores) : sheet_(std::move(sheet)), claim_(cores) {}

    [[nodiscard]] const DeviceSheet& sheet() const override { return sheet_; }
    [[nodiscard]] std::unique_ptr<Arena> allocate(Bytes size) override { return mapArena(size); }
    [[nodiscard]] std::unique_ptr<Stream> makeStream(int index, int cores) override;
    void copyIn(void* device, const void* host, Bytes size) override {
        std::memcpy(device, host, static_cast<std::size_t>(size.count));
    }
    void copyOut(void* host, const void* device, Bytes size) override {
        std::memcpy(host, device, static_cast<std::size_t>(size.count));
    }

private:
    DeviceSheet sheet_;
    CoreClaim claim_;
    std::mutex mutex_;
    std::size_t taken_ = 0; ///< number of claimed cores that streams are bound to
};

/// Streams take the claimed cores in order; a stream that finds none left may use all of them.
std::unique_ptr<Stream> CpuDevice::makeStream(int /*index*/, int cores) {
    std::vector<int> own = claim_.cores();
    {
        const std::lock_guard lock(mutex_);
        const auto wanted = static_cast<std::size_t>(cores);
        if (taken_ + wanted <= own.size()) {
            const auto first = own.begin() + static_cast<std::ptrdiff_t>(taken_);
            own = {first, first + cores};
            taken_ += wanted;
        }
    }
    // The whole team may use all cores of the stream: threads that OpenMP creates later inherit the
    // affinity, so binding single threads would put the whole team on one core.
    runThisThreadOn(own);
    omp_set_dynamic(0);
    omp_set_num_threads(cores);
    return std::make_unique<CpuStream>();
}

[[noreturn]] void throwNoDevice(const std::string& device, const std::string& why) {
    throw Error(ErrorCode::device, {}, fmt::format("device {}: {}", device, why),
                "`weft devices` lists the devices of this machine");
}

std::unique_ptr<Device> open(const std::string& device, int cores) {
    constexpr std::string_view prefix = "cpu:";
    int number = -1;
    const char* const end = device.data() + device.size();
    if (!device.starts_with(prefix) ||
        std::from_chars(device.data() + prefix.size(), end, number).ptr != end || number < 0) {
        throwNoDevice(device, "devices of this backend are named cpu:0, cpu:1 ...");
    }
    if (cores < 1) {
        throwNoDevice(device, fmt::format("{} is not a valid number of cores", cores));
    }
    return std::make_unique<CpuDevice>(sheetOf(device, cores), cores);
}

} // namespace

} // namespace cpu

Backend cpuBackend();

Backend cpuBackend() {
    KernelList kernels;
    cpu::fill(kernels);
    return {.name = "cpu",
            .kernels = std::move(kernels),
            .alignment = cpu::hostAlignment,
            .find =
                [] {
                    return std::vector<DeviceSheet>{
                        cpu::sheetOf("cpu:0", static_cast<int>(cpu::usableCores().size()))};
                },
            .open = cpu::open};
}

} // namespace weft
