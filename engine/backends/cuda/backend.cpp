// SPDX-License-Identifier: Apache-2.0
#include "device/backend.h"

#include "backends/cuda/device.h"
#include "backends/cuda/planned.h"
#include "backends/cuda/seam.h"
#include "device/kept_rates.h"
#include "device/published_links.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace weft {

namespace cuda {

void fill(KernelList& list);

namespace {

/// The oldest generation that the kernels are compiled for.
constexpr int oldestMajor = 7;
constexpr int oldestMinor = 5;
/// Wider accesses want it, and so do whole lines of the cache.
constexpr std::size_t alignmentInBytes = 256;

bool isSupported(const seam::Chip& chip) {
    return chip.major > oldestMajor || (chip.major == oldestMajor && chip.minor >= oldestMinor);
}

/// Products of f32 that a processor of the chip begins in a cycle.
int productsPerCycle(const seam::Chip& chip) {
    const bool hasFew = chip.major == 7 || (chip.major == 8 && chip.minor == 0);
    return hasFew ? 64 : 128;
}

/// Threads that a processor of the chip holds at once.
int threadsPerProcessor(const seam::Chip& chip) {
    const bool isOfGames = chip.major == 12 || (chip.major == 8 && chip.minor > 0);
    return chip.major == 7 && chip.minor >= 5 ? 1024 : isOfGames ? 1536 : 2048;
}

LinkSheet busOf(const seam::Chip& chip) {
    return pcieLink(chip.major >= 9 ? 5 : chip.major == 8 && chip.minor != 7 ? 4 : 3);
}

/// Modules are joined to each other; boards reach each other over the bus, those for games do not.
std::optional<LinkSheet> peerOf(const seam::Chip& chip) {
    const auto isNamed = [&](std::string_view part) {
        return chip.name.find(part) != std::string::npos;
    };
    if (isNamed("SXM") || isNamed("HBM3") || chip.name.ends_with("H200") || isNamed("B200")) {
        return nvLink(chip.major >= 10 ? 5 : chip.major == 9 ? 4 : chip.major == 8 ? 3 : 2);
    }
    return isNamed("GeForce") ? std::nullopt : std::optional(busOf(chip));
}

DeviceSheet sheetOf(int number) {
    const seam::Chip chip = seam::chip(number);
    DeviceSheet sheet;
    sheet.name = fmt::format("cuda:{}", number);
    sheet.backend = "cuda";
    sheet.model = chip.name;
    sheet.memory = {chip.memory};
    sheet.flopsPerSecond = 2.0 * chip.processors * productsPerCycle(chip) * chip.cyclesPerSecond;
    sheet.bytesPerSecond = chip.bytesPerSecond;
    sheet.overhead = {5000}; // to launch a kernel
    sheet.threads = std::int64_t{chip.processors} * threadsPerProcessor(chip);
    sheet.bus = busOf(chip);
    sheet.peer = peerOf(chip);
    return withKeptRates(std::move(sheet));
}

std::vector<DeviceSheet> find() {
    std::vector<DeviceSheet> found;
    const seam::Survey survey = seam::survey();
    for (int number = 0; number < survey.devices; ++number) {
        if (isSupported(seam::chip(number))) {
            found.push_back(sheetOf(number));
        }
    }
    return found;
}

std::string sees() {
    std::string serials;
    for (int number = 0; number < seam::survey().devices; ++number) {
        serials += seam::chip(number).serial + ' ';
    }
    return serials;
}

[[noreturn]] void throwNone(const std::string& device, const std::string& why) {
    throw Error(ErrorCode::device, {}, fmt::format("device {}: {}", device, why),
                "see `weft devices` for what this machine has");
}

std::unique_ptr<Device> open(const std::string& device, int /*cores*/) {
    const int number = chipNumber(device, "cuda");
    if (number < 0) {
        throwNone(device, "a device of this backend is called cuda:0, cuda:1 ..., one of several "
                          "workers on a chip cuda:0/0, cuda:0/1 ...");
    }
    const seam::Survey survey = seam::survey();
    if (number >= survey.devices) {
        throwNone(device, survey.devices == 0 && !survey.why.empty()
                              ? survey.why
                              : fmt::format("this machine has {}", survey.devices));
    }
    const seam::Chip chip = seam::chip(number);
    if (!isSupported(chip)) {
        throwNone(device, fmt::format("{} is of generation {}.{}; {}.{} and later are served",
                                      chip.name, chip.major, chip.minor, oldestMajor, oldestMinor));
    }
    return makeDevice(number, sheetOf(number));
}

std::vector<Feature> parts() {
    const plans::Library library = plans::library();
    if (!library.why.empty()) {
        return {{.name = "cuDNN",
                 .detail = library.why + ": our own kernels compute convolutions",
                 .remedy =
                     "packaging/install cuda, or libcudnn9 of 9.8 and later with its headers, "
                     "then build again; or name the folder of libcudnn.so.9 in "
                     "LD_LIBRARY_PATH"}};
    }
    return {{.name = "cuDNN",
             .isFound = true,
             .detail = library.version + "; its plans were made, never run on a chip",
             .remedy = {}}};
}

} // namespace

} // namespace cuda

Backend cudaBackend();

Backend cudaBackend() {
    KernelList kernels;
    cuda::fill(kernels);
    return {.name = "cuda",
            .kernels = std::move(kernels),
            .rounding = cuda::roundingKernels(),
            .alignment = cuda::alignmentInBytes,
            .space = MemorySpace::device,
            .find = cuda::find,
            .open = cuda::open,
            .parts = cuda::parts,
            .sees = cuda::sees};
}

} // namespace weft
