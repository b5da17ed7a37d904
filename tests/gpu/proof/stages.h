// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stages of proving a device that is present; each runs in a process of its own.

#include "device/backend.h"
#include "report.h"

#include <string>

namespace weft::proof {

struct Proved {
    const Backend* backend = nullptr;
    const KernelList* host = nullptr; ///< kernels for ops without a kernel in the backend
    std::string device;               ///< "cuda:0"
    int repeats = 1000;               ///< repetitions of intermittent cases
    bool isSmall = false; ///< small samples alone: under a tool that slows everything down
    std::string ops =
        {}; ///< "conv2d,bias": kernels of those alone whose names begin so; empty: all
    bool hasTimes = true; ///< false: it stands in for a device, and its times mean nothing
};

/// Memory, copies and events.
void proveDevice(const Proved& on, Report& report);
/// Every kernel of the backend on every sample of its op, and in place, against the reference in
/// double; twice, and the bits are equal.
void proveKernels(const Proved& on, Report& report);
/// Products as the libraries and our own tile compute them: every precision, pass and ending, on
/// odd and on large sizes, with the way that was taken and its rate.
void proveProducts(const Proved& on, Report& report);
/// Marks order streams, copies and calls of the host; and ops that the host computes in between.
void proveStreams(const Proved& on, Report& report);
/// Every layer's training step by the engine's own programs, on two streams, against the reference.
void proveLayers(const Proved& on, Report& report);
/// Two streams compute beside each other.
void proveSideBySide(const Proved& on, Report& report);
/// Fails in ways that the parent process must detect and survive.
void breakOnPurpose(const Proved& on, Report& report);

} // namespace weft::proof
