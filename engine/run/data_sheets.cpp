// SPDX-License-Identifier: Apache-2.0
// Published figures of devices: dense f32 outside the tensor units, memory and its bandwidth, as
// their makers' data sheets state them.
#include <weft/devices.h>

namespace weft {

namespace {

constexpr double tera = 1e12;
constexpr double giga = 1e9;
/// Launching a kernel on a GPU.
constexpr Nanoseconds launch{4000};

DeviceSheet sheet(const char* name, const char* model, const char* backend, std::int64_t cores,
                  double gigabytes, double teraflops, double gigabytesPerSecond,
                  Nanoseconds overhead) {
    DeviceSheet made;
    made.name = name;
    made.backend = backend;
    made.model = model;
    made.cores = cores;
    made.memory = {static_cast<std::int64_t>(gigabytes * giga)};
    made.flopsPerSecond = teraflops * tera;
    made.bytesPerSecond = gigabytesPerSecond * giga;
    made.overhead = overhead;
    made.isPresent = false;
    return made;
}

DeviceSheet gpu(const char* name, const char* model, double gigabytes, double teraflops,
                double gigabytesPerSecond) {
    return sheet(name, model, "cuda", 1, gigabytes, teraflops, gigabytesPerSecond, launch);
}

/// A server's cores with wide vectors, two memory channels each sixteen.
DeviceSheet cores(const char* name, const char* model, std::int64_t count, double gigabytes) {
    return sheet(name, model, "cpu", count, gigabytes, 0.06 * static_cast<double>(count),
                 10.0 * static_cast<double>(count), {1000});
}

} // namespace

std::vector<DeviceSheet> dataSheets() {
    return {gpu("h200", "NVIDIA H200 SXM", 141, 67, 4800),
            gpu("h100", "NVIDIA H100 SXM", 80, 67, 3350),
            gpu("a100", "NVIDIA A100 SXM 80 GB", 80, 19.5, 2039),
            gpu("a100-40", "NVIDIA A100 SXM 40 GB", 40, 19.5, 1555),
            gpu("l40s", "NVIDIA L40S", 48, 91.6, 864),
            gpu("l4", "NVIDIA L4", 24, 30.3, 300),
            gpu("v100", "NVIDIA V100 SXM2 32 GB", 32, 15.7, 900),
            gpu("t4", "NVIDIA T4", 16, 8.1, 320),
            gpu("rtx4090", "NVIDIA GeForce RTX 4090", 24, 82.6, 1008),
            gpu("k20", "NVIDIA Tesla K20", 5, 3.52, 208),
            cores("cpu4", "4 cores of a server", 4, 16),
            cores("cpu16", "16 cores of a server", 16, 64),
            cores("cpu64", "64 cores of a server", 64, 256)};
}

} // namespace weft
