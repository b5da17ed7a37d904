// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/runtime/chip_sheet.h"

#include "device/published_links.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace weft::cuda {

namespace {

bool isNamed(const seam::Chip& chip, std::string_view part) {
    return chip.name.find(part) != std::string::npos;
}

/// f32 multiply-adds per cycle of a multiprocessor.
int productsPerCycle(const seam::Chip& chip) {
    const bool hasFew = chip.major == 7 || (chip.major == 8 && chip.minor == 0);
    return hasFew ? 64 : 128;
}

/// TF32 multiply-adds per cycle of a multiprocessor, from the data sheets of the generation.
/// Consumer GPUs reach half of the others' rate.
int roundedProductsPerCycle(const seam::Chip& chip) {
    const bool isOfCentres =
        chip.major == 9 || chip.major == 10 || (chip.major == 8 && chip.minor == 0);
    if (chip.major < 8) {
        return 0;
    }
    return isOfCentres ? 512 << (chip.major - 8) : isNamed(chip, "GeForce") ? 128 : 256;
}

/// Resident threads per multiprocessor.
int threadsPerProcessor(const seam::Chip& chip) {
    const bool isOfGames = chip.major == 12 || (chip.major == 8 && chip.minor > 0);
    return chip.major == 7 && chip.minor >= 5 ? 1024 : isOfGames ? 1536 : 2048;
}

LinkSheet busOf(const seam::Chip& chip) {
    return pcieLink(chip.major >= 9 ? 5 : chip.major == 8 && chip.minor != 7 ? 4 : 3);
}

/// Modules have NVLink; other boards reach each other over the bus, consumer GPUs do not.
std::optional<LinkSheet> peerOf(const seam::Chip& chip) {
    if (isNamed(chip, "SXM") || isNamed(chip, "HBM3") || chip.name.ends_with("H200") ||
        isNamed(chip, "B200")) {
        return nvLink(chip.major >= 10 ? 5 : chip.major == 9 ? 4 : chip.major == 8 ? 3 : 2);
    }
    return isNamed(chip, "GeForce") ? std::nullopt : std::optional(busOf(chip));
}

} // namespace

DeviceSheet sheetOf(const seam::Chip& chip, int number) {
    // a multiplication and an addition
    const double twice = 2.0 * chip.processors * chip.cyclesPerSecond;
    DeviceSheet sheet;
    sheet.name = fmt::format("cuda:{}", number);
    sheet.backend = "cuda";
    sheet.model = chip.name;
    sheet.generation = 10 * chip.major + chip.minor;
    sheet.memory = {chip.memory};
    sheet.flopsPerSecond = twice * productsPerCycle(chip);
    sheet.tf32FlopsPerSecond = twice * roundedProductsPerCycle(chip);
    sheet.bf16FlopsPerSecond = 2 * sheet.tf32FlopsPerSecond; // in every generation so far
    sheet.bytesPerSecond = chip.bytesPerSecond;
    sheet.overhead = {5000}; // kernel launch
    sheet.threads = std::int64_t{chip.processors} * threadsPerProcessor(chip);
    sheet.bus = busOf(chip);
    sheet.peer = peerOf(chip);
    return sheet;
}

} // namespace weft::cuda
