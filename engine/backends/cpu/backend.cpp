// SPDX-License-Identifier: Apache-2.0
#include "device/backend.h"

#include "backends/cpu/cores.h"
#include "backends/cpu/memory.h"
#include "backends/cpu/simd.h"
#include "base/process/host_memory.h"
#include "device/kept_rates.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <omp.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>

namespace weft {

namespace cpu {

void fill(KernelList& list);

namespace {

/// Returns the text after "key : " in /proc/cpuinfo, or an empty text.
std::string processorField(std::string_view key) {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with(key)) {
            const auto colon = line.find(": ");
            return colon == std::string::npos ? std::string() : line.substr(colon + 2);
        }
    }
    return {};
}

/// Flops per cycle of a core: two multiply-adds of 8 floats or one of 16; without AVX2 one of 4.
double flopsPerCycle() {
    switch (widestIsa()) {
    case Isa::avx512:
    case Isa::avx2: return 32;
    case Isa::any: return 8;
    }
    return 8;
}

/// Returns the data sheet of a share of this machine's processor: properties from hwloc, and a
/// first rate from clock and register width, which calibration replaces.
DeviceSheet sheetOf(const std::string& device, int cores) {
    DeviceSheet sheet;
    sheet.name = device;
    sheet.backend = "cpu";
    sheet.model = processorField("model name");
    if (sheet.model.empty()) {
        sheet.model = "CPU";
    }
    sheet.cores = cores;
    sheet.memory = hostMemory();
    const double megahertz = std::strtod(processorField("cpu MHz").c_str(), nullptr);
    sheet.flopsPerSecond = (megahertz > 0 ? megahertz : 2000) * 1e6 * flopsPerCycle() * cores;
    sheet.bytesPerSecond = 10e9 * cores;
    return withKeptRates(std::move(sheet));
}

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
