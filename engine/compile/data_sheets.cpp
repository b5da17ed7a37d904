// SPDX-License-Identifier: Apache-2.0
// Published figures of devices from their makers' data sheets: dense f32 outside the tensor cores,
// TF32 where available, memory and bandwidth, links. Resident threads per multiprocessor are from
// the CUDA programming guide. Devices too old for the kernels are listed for planning.
#include "device/published_links.h"
#include <weft/devices.h>

namespace weft {

namespace {

constexpr double tera = 1e12;
constexpr double giga = 1e9;
/// Launch latency of a kernel on a GPU.
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

struct Chip {
    double gigabytes = 0;
    double teraflops = 0;
    double gigabytesPerSecond = 0;
    std::int64_t processors = 0;
    std::int64_t threadsOfEach = 0;
    int pcie = 0;
    int generation = 0;
    double tf32Teraflops = 0; ///< without sparsity; 0: no TF32
};

/// A board without a link to other boards: the drivers of gaming boards refuse peer access.
DeviceSheet board(const char* name, const char* model, const Chip& chip) {
    DeviceSheet made = sheet(name, model, "cuda", 1, chip.gigabytes, chip.teraflops,
                             chip.gigabytesPerSecond, launch);
    made.tf32FlopsPerSecond = chip.tf32Teraflops * tera;
    made.bf16FlopsPerSecond = 2 * made.tf32FlopsPerSecond; // twice TF32 on all of these sheets
    made.threads = chip.processors * chip.threadsOfEach;
    made.generation = chip.generation;
    made.bus = pcieLink(chip.pcie);
    return made;
}

/// Boards of one host communicate over the bus. A bridge between two boards is not assumed.
DeviceSheet card(const char* name, const char* model, const Chip& chip) {
    DeviceSheet made = board(name, model, chip);
    made.peer = pcieLink(chip.pcie);
    return made;
}

DeviceSheet module(const char* name, const char* model, const Chip& chip, int nvlink) {
    DeviceSheet made = board(name, model, chip);
    made.peer = nvLink(nvlink);
    return made;
}

/// A server CPU with wide vector units and two memory channels per sixteen cores.
DeviceSheet cores(const char* name, const char* model, std::int64_t count, double gigabytes) {
    return sheet(name, model, "cpu", count, gigabytes, 0.06 * static_cast<double>(count),
                 10.0 * static_cast<double>(count), {1000});
}

} // namespace

// From NVIDIA's data sheets: "NVIDIA B200" (HGX B200, per GPU), "NVIDIA H200 Tensor Core GPU",
// "NVIDIA H100 Tensor Core GPU" (both forms), "NVIDIA A100 Tensor Core GPU" (both memories),
// "NVIDIA V100", "NVIDIA Tesla P100", "NVIDIA T4", "NVIDIA L4", "NVIDIA L40S", "Tesla K20"; gaming
// boards from the architecture papers of GeForce RTX 3090 (GA102), 4090 (Ada), 5090 (Blackwell).
// TF32 is the dense rate; many data sheets print twice as much, for sparse matrices.
std::vector<DeviceSheet> dataSheets() {
    return {
        module("b200", "NVIDIA B200", {180, 75, 7700, 148, 2048, 5, 100, 1100}, 5),
        module("h200", "NVIDIA H200 SXM", {141, 67, 4800, 132, 2048, 5, 90, 494.7}, 4),
        module("h100", "NVIDIA H100 SXM", {80, 67, 3350, 132, 2048, 5, 90, 494.7}, 4),
        card("h100-pcie", "NVIDIA H100 PCIe", {80, 51, 2000, 114, 2048, 5, 90, 378}),
        module("a100", "NVIDIA A100 SXM 80 GB", {80, 19.5, 2039, 108, 2048, 4, 80, 156}, 3),
        module("a100-40", "NVIDIA A100 SXM 40 GB", {40, 19.5, 1555, 108, 2048, 4, 80, 156}, 3),
        card("l40s", "NVIDIA L40S", {48, 91.6, 864, 142, 1536, 4, 89, 183}),
        card("l4", "NVIDIA L4", {24, 30.3, 300, 58, 1536, 4, 89, 60}),
        module("v100", "NVIDIA V100 SXM2 32 GB", {32, 15.7, 900, 80, 2048, 3, 70}, 2),
        module("p100", "NVIDIA P100 SXM2 16 GB", {16, 10.6, 732, 56, 2048, 3, 60}, 1),
        card("t4", "NVIDIA T4", {16, 8.1, 320, 40, 1024, 3, 75}),
        board("rtx5090", "NVIDIA GeForce RTX 5090", {32, 104.8, 1792, 170, 1536, 5, 120, 104.8}),
        board("rtx4090", "NVIDIA GeForce RTX 4090", {24, 82.6, 1008, 128, 1536, 4, 89, 82.6}),
        board("rtx3090", "NVIDIA GeForce RTX 3090", {24, 35.6, 936, 82, 1536, 4, 86, 35.6}),
        card("k20", "NVIDIA Tesla K20", {5, 3.52, 208, 13, 2048, 2, 35}),
        cores("cpu4", "4 cores of a server", 4, 16),
        cores("cpu16", "16 cores of a server", 16, 64),
        cores("cpu64", "64 cores of a server", 64, 256)};
}

} // namespace weft
