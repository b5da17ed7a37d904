// SPDX-License-Identifier: Apache-2.0
#include "device/backend.h"

#include "backends/cuda/cublaslt/products.h"
#include "backends/cuda/cudnn/plan_table.h"
#include "backends/cuda/cudnn/planned.h"
#include "backends/cuda/runtime/chip_sheet.h"
#include "backends/cuda/runtime/device.h"
#include "backends/cuda/runtime/seam.h"
#include "device/kept_rates.h"
#include "device/proved_chips.h"
#include <weft/error.h>

#include <fmt/format.h>

namespace weft {

namespace cuda {

void fill(KernelList& list);

namespace {

/// Compute capability times 10 of the oldest GPUs that the kernels are compiled for.
constexpr int oldest = 75;
/// Required by vector accesses, and aligned to cache lines.
constexpr std::size_t alignmentInBytes = 256;

bool isSupported(const seam::Chip& chip) { return 10 * chip.major + chip.minor >= oldest; }

DeviceSheet knownSheet(int number) {
    DeviceSheet sheet = sheetOf(seam::chip(number), number);
    sheet.library = plans::library().version;
    return withKeptRates(std::move(sheet));
}

std::vector<DeviceSheet> find() {
    std::vector<DeviceSheet> found;
    const seam::Survey survey = seam::survey();
    for (int number = 0; number < survey.devices; ++number) {
        if (isSupported(seam::chip(number))) {
            found.push_back(knownSheet(number));
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
                "`weft devices` lists the devices of this machine");
}

std::unique_ptr<Device> open(const std::string& device, int /*cores*/) {
    const int number = chipNumber(device, "cuda");
    if (number < 0) {
        throwNone(device, "devices of this backend are named cuda:0, cuda:1 ..., and several "
                          "workers on one GPU cuda:0/0, cuda:0/1 ...");
    }
    const seam::Survey survey = seam::survey();
    if (number >= survey.devices) {
        throwNone(device,
                  survey.devices == 0 && !survey.why.empty()
                      ? survey.why
                      : fmt::format("the number of GPUs of this machine is {}", survey.devices));
    }
    const seam::Chip chip = seam::chip(number);
    if (!isSupported(chip)) {
        throwNone(device, fmt::format("{} has compute capability {}.{}; Weft supports {} and later",
                                      chip.name, chip.major, chip.minor, nameOfGeneration(oldest)));
    }
    return makeDevice(number, knownSheet(number));
}

std::string remark(const DeviceSheet& sheet) {
    if (sheet.generation > 0 && sheet.generation < oldest) {
        return fmt::format(
            "for planning only: kernels are compiled for compute capability {} and later",
            nameOfGeneration(oldest));
    }
    return plans::isLibraryBuiltIn() ? remarkOnMissingRows({sheet.generation, sheet.library}) : "";
}

Feature partOfPlans() {
    const plans::Library library = plans::library();
    if (!library.why.empty()) {
        return {.name = "cuDNN",
                .detail = library.why + ": Weft's own kernels compute convolutions",
                .remedy = "packaging/install cuda, or libcudnn9 of 9.8 and later with its headers, "
                          "then build again; or name the folder of libcudnn.so.9 in "
                          "LD_LIBRARY_PATH"};
    }
    return {.name = "cuDNN",
            .isFound = true,
            .detail = library.version + "; its plans were verified on " + provedChipsOf("cuda"),
            .remedy = {}};
}

Feature partOfProducts() {
    const products::Library library = products::library();
    if (!library.why.empty()) {
        return {.name = "cuBLASLt",
                .detail = library.why + ": Weft's own kernels compute matrix products",
                .remedy = "packaging/install cuda, or cuBLAS of CUDA 12 or 13 with its headers, "
                          "then build again; or name the folder of libcublasLt.so.13 in "
                          "LD_LIBRARY_PATH"};
    }
    return {.name = "cuBLASLt",
            .isFound = true,
            .detail = library.version + " computes matrix products",
            .remedy = {}};
}

std::vector<Feature> parts() { return {partOfPlans(), partOfProducts()}; }

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
            .remark = cuda::remark,
            .sees = cuda::sees};
}

} // namespace weft
