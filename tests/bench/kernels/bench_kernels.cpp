// SPDX-License-Identifier: Apache-2.0
// usage: bench_kernels [--threads N] [--backend cpu|reference] [--seconds S] [--only TEXT]
//                      [--all yes]
// Times the kernel that a backend would choose first (or all that serve), on the shapes of
// rows.cpp, and prints one JSON line for each. Maps are offered channels-last, as they lie between
// convolutions.

#include "backends/backends.h"
#include "ops/ops.h"
#include "rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace weft::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
    int threads = 1;
    std::string backend = "cpu";
    double seconds = 0.3;
    std::string only;
    bool isExhaustive = false;
};

Settings settingsOf(int argc, char** argv) {
    Settings settings;
    for (int k = 1; k + 1 < argc; k += 2) {
        const std::string_view name = argv[k];
        const std::string value = argv[k + 1];
        if (name == "--threads") {
            settings.threads = std::stoi(value);
        } else if (name == "--backend") {
            settings.backend = value;
        } else if (name == "--seconds") {
            settings.seconds = std::stod(value);
        } else if (name == "--only") {
            settings.only = value;
        } else if (name == "--all") {
            settings.isExhaustive = value == "yes";
        }
    }
    return settings;
}

TensorPart partOf(const TensorType& type, bool isOffered) {
    TensorPart part{type.dtype, type.shape, Shape(type.shape.size(), 0), type.shape};
    part.format.tag = isOffered && type.shape.size() == 4 ? "acdb" : "";
    return part;
}

/// Weights are the second operand of a convolution and of its input's gradient: they stay plain.
KernelRequest requestOf(const Row& row, const Op& op, int threads) {
    Signature signature{completed(row.attributes, op.attributes), {}, {}};
    KernelRequest request;
    request.op = row.op;
    request.attributes = signature.attributes;
    request.cores = threads;
    for (std::size_t k = 0; k < row.inputs.size(); ++k) {
        const bool isInteger =
            op.inputs[std::min(k, op.inputs.size() - 1)].type == OperandType::integer;
        const TensorType type{isInteger ? row.integers : DType::f32, row.inputs[k]};
        signature.inputs.push_back(type);
        request.inputs.push_back(partOf(type, row.isMap[k]));
    }
    signature.outputs.assign(op.outputs.size(), {DType::f32, {}});
    ShapeInference inference(signature);
    op.shape(inference);
    if (inference.isRefused()) {
        throw std::runtime_error(row.op + ": " + inference.reason());
    }
    for (const TensorType& type : signature.outputs) {
        request.outputs.push_back(partOf(type, false));
        request.outputs.back().format = {};
    }
    return request;
}

void fill(const TensorPart& part, void* address, std::int64_t integersBelow) {
    std::uint32_t state = 12345;
    for (std::int64_t k = 0; k < part.elements(); ++k) {
        state = state * 1664525U + 1013904223U;
        const auto top = static_cast<std::int64_t>(state >> 16U);
        if (part.dtype == DType::f32) {
            static_cast<float*>(address)[k] = static_cast<float>(top) / 65536.0F + 0.1F;
        } else if (part.dtype == DType::i32) {
            static_cast<std::int32_t*>(address)[k] = static_cast<std::int32_t>(top % integersBelow);
        } else {
            static_cast<std::int64_t*>(address)[k] = top % integersBelow;
        }
    }
}

struct Timing {
    double median = 0;
    double fastest = 0;
    std::size_t count = 0;
};

template <class Work>
Timing timeOf(double seconds, const Work& work) {
    work();
    std::vector<double> times;
    const auto start = Clock::now();
    double spent = 0;
    while (times.size() < 5 || spent < seconds) {
        const auto from = Clock::now();
        work();
        const auto to = Clock::now();
        times.push_back(std::chrono::duration<double>(to - from).count());
        spent = std::chrono::duration<double>(to - start).count();
    }
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times.front(), times.size()};
}

std::string shapesOf(const KernelRequest& request) {
    std::string text;
    for (const TensorPart& part : request.inputs) {
        text += (text.empty() ? "" : " ") + toString(part.shape);
    }
    return text;
}

/// Operands, results and scratch of one kernel, in memory of the device.
struct Communicator {
    std::vector<std::unique_ptr<Arena>> arenas;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
    void* scratch = nullptr;
    Bytes moved = {};

    Communicator(const KernelRequest& request, Bytes scratchSize, Device& device, const Row& row) {
        const auto communicator = [&](const TensorPart& part) {
            const Bytes size{part.elements() * static_cast<std::int64_t>(byteSize(part.dtype))};
            moved += size;
            arenas.push_back(device.allocate(size));
            return arenas.back()->address();
        };
        for (const TensorPart& part : request.inputs) {
            void* const address = communicator(part);
            fill(part, address, row.integersBelow);
            inputs.push_back(address);
        }
        for (const TensorPart& part : request.outputs) {
            outputs.push_back(communicator(part));
        }
        arenas.push_back(device.allocate(scratchSize));
        scratch = arenas.back()->address();
    }
};

Flops flopsOf(const KernelRequest& request, const Op& op) {
    Signature signature{request.attributes, {}, {}};
    for (const TensorPart& part : request.inputs) {
        signature.inputs.push_back({part.dtype, part.shape});
    }
    for (const TensorPart& part : request.outputs) {
        signature.outputs.push_back({part.dtype, part.shape});
    }
    return op.cost(signature);
}

void print(const Row& row, const KernelRequest& request, const Op& op, const KernelChoice& choice,
           const Communicator& communicator, const Timing& timing, const DeviceSheet& sheet) {
    fmt::print("{{\"bench\": \"kernel\", \"row\": \"{}\", \"op\": \"{}\", \"shapes\": \"{}\", "
               "\"backend\": \"{}\", \"implementation\": \"{}\", \"threads\": {}, "
               "\"repetitions\": {}, \"ms\": {:.4f}, \"ms_min\": {:.4f}, \"gflops\": {:.1f}, "
               "\"gb_per_s\": {:.1f}, \"scratch_mb\": {:.2f}, \"machine\": \"{}\"}}\n",
               row.name, row.op, shapesOf(request), sheet.backend, choice.implementation,
               request.cores, timing.count, timing.median * 1e3, timing.fastest * 1e3,
               static_cast<double>(flopsOf(request, op).count) / timing.median * 1e-9,
               static_cast<double>(communicator.moved.count) / timing.median * 1e-9,
               static_cast<double>(choice.scratch.count) * 1e-6, sheet.model);
    std::fflush(stdout);
}

void run(const Row& row, const OpList& ops, const KernelList& kernels, Device& device,
         Stream& stream, const Settings& settings) {
    const Op& op = ops.at(row.op);
    const KernelRequest request = requestOf(row, op, settings.threads);
    for (const KernelMaker& maker : kernels.of(row.op)) {
        const ChoiceOrRefusal choice = maker.choose(request);
        if (!choice) {
            continue;
        }
        const std::unique_ptr<Kernel> kernel = choice->make();
        const Communicator communicator(request, choice->scratch, device, row);
        const Timing timing = timeOf(settings.seconds, [&] {
            kernel->run({communicator.inputs, communicator.outputs, communicator.scratch, &stream});
            stream.finish();
        });
        print(row, request, op, *choice, communicator, timing, device.sheet());
        if (!settings.isExhaustive) {
            return;
        }
    }
}

int main(int argc, char** argv) {
    const Settings settings = settingsOf(argc, argv);
    BackendList backends;
    backends::fill(backends);
    OpList ops;
    ops::fill(ops);
    const Backend* backend = backends.find(settings.backend);
    if (backend == nullptr) {
        fmt::print(stderr, "no backend {} was built\n", settings.backend);
        return 2;
    }
    const auto device = backend->open(settings.backend + ":0", settings.threads);
    const auto stream = device->makeStream(0, settings.threads);
    for (const Row& row : rows()) {
        const bool isWanted = (row.name + " " + row.op).find(settings.only) != std::string::npos;
        if (isWanted && ops.find(row.op) != nullptr) {
            run(row, ops, backend->kernels, *device, *stream, settings);
        }
    }
    return 0;
}

} // namespace
} // namespace weft::bench

int main(int argc, char** argv) { return weft::bench::main(argc, argv); }
