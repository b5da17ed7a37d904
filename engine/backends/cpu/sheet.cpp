// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/sheet.h"

#include "backends/cpu/simd.h"
#include "base/process/host_memory.h"
#include "device/kept_rates.h"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace weft::cpu {

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

} // namespace

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

} // namespace weft::cpu
