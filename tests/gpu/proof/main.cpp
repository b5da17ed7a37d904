// SPDX-License-Identifier: Apache-2.0
// usage: weft-gpu-prove DEVICE STAGE [--seconds S] [--log FILE] [--after CASE] [--repeats N]
//                       [--small yes] [--ops conv2d,bias]
// Proves one stage of a device, cuda:0, case by case. --seconds: no case begins later. --after:
// goes on behind a case that ended the process before. --ops: kernels of ops alone whose names
// begin so. Exit code 1: something failed; 3: the device did, and what comes after wants a new
// process.
#include "backends/backends.h"
#include "stages.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace {

using namespace weft;
using namespace weft::proof;

struct Stage {
    std::string_view name;
    void (*prove)(const Proved&, Report&);
};
constexpr Stage stages[] = {{"device", proveDevice},     {"kernels", proveKernels},
                            {"products", proveProducts}, {"streams", proveStreams},
                            {"layers", proveLayers},     {"streams", proveSideBySide},
                            {"planted", breakOnPurpose}};

constexpr int fine = 0, failed = 1, wronglyCalled = 2, deviceLost = 3;

struct Call {
    Proved on;
    ReportRequest report;
};

Call readCall(int argc, char** argv) {
    Call call{.on = {.device = argv[1]}, .report = {.stage = argv[2]}};
    for (int k = 3; k + 1 < argc; k += 2) {
        const std::string_view name = argv[k];
        const std::string value = argv[k + 1];
        if (name == "--seconds") {
            call.report.seconds = std::stod(value);
        } else if (name == "--log") {
            call.report.log = value;
        } else if (name == "--after") {
            call.report.after = value;
        } else if (name == "--repeats") {
            call.on.repeats = std::stoi(value);
        } else if (name == "--small") {
            call.on.isSmall = value == "yes";
        } else if (name == "--ops") {
            call.on.ops = value;
        } else {
            throw Error(ErrorCode::usage, {}, fmt::format("no option {}", name),
                        "see the beginning of tests/gpu/proof/main.cpp");
        }
    }
    return call;
}

int prove(Call call) {
    BackendList backends;
    backends::fill(backends);
    call.on.backend = backends.find(backendOf(call.on.device));
    call.on.host = &backends.find("reference")->kernels;
    call.on.hasTimes = backendOf(call.on.device) != "sim";
    const auto* const stage =
        std::ranges::find(stages, std::string_view(call.report.stage), &Stage::name);
    if (call.on.backend == nullptr || stage == std::end(stages)) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("no device {} or no stage {}", call.on.device, call.report.stage),
                    "see the beginning of tests/gpu/proof/main.cpp");
    }
    Report report(call.report);
    try {
        stage->prove(call.on, report);
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return deviceLost;
    }
    report.close();
    return report.hasFailed() ? failed : fine;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3 || argc % 2 == 0) {
        fmt::print(stderr, "usage: weft-gpu-prove DEVICE STAGE [--name value]...\n");
        return wronglyCalled;
    }
    try {
        return prove(readCall(argc, argv));
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return wronglyCalled;
    }
}
