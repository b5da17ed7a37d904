// SPDX-License-Identifier: Apache-2.0
#pragma once
// A backend "planted" beside the reference, with the reference's kernels and a mistake planted in
// one of them, and a world in whose communicator sums of several devices are changed. Where this is
// linked, both stand in the place of the engine's list of backends and of the world that a process
// joins.

#include "device/kernel.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace weft::test {

struct Planted {
    std::string op = {}; ///< whose kernel is changed; empty: none
    /// Changes what that kernel has computed.
    std::function<void(const KernelRequest&, const KernelArguments&)> change = {};
    /// Changes a tensor that an all-reduce of devices of any backend has summed.
    std::function<void(std::span<float>)> changeSum = {};
};

/// While it lives, kernels of devices "planted:0", "planted:1" and so on are changed so, and sums
/// of all devices.
class Planting {
public:
    explicit Planting(Planted planted);
    ~Planting();
    Planting(const Planting&) = delete;
    Planting& operator=(const Planting&) = delete;
};

/// A result of f32 that a kernel has computed.
[[nodiscard]] std::span<float> resultOf(const KernelRequest& request,
                                        const KernelArguments& arguments, std::size_t output = 0);

} // namespace weft::test
