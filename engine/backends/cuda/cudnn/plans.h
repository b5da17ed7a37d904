// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions planned by a library. Implemented twice, like seam.h: by cuDNN (cudnn_plans.cpp) and
// by a fake for tests (tests/support/sim). Plans are deterministic.

#include "backends/cuda/products/product.h"
#include "device/kernel.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft::cuda {

/// Ops fused after the sum, in this order; only for y.
struct PlannedEnding {
    bool hasBias = false, hasAddend = false, hasRelu = false;

    bool operator==(const PlannedEnding&) const = default;
};

/// A convolution with one set of filters. In bf16 all operands are bf16 (bf16.h), and nothing is
/// fused.
struct PlannedConvolution {
    Convolution of; ///< its geometry: plain if exact, else channels-last
    ConvolutionPass pass = ConvolutionPass::forward;
    PlannedEnding ending = {};
    Precision precision = Precision::exact;
};

/// True for layers that read pictures or few more channels: tensor core engines copy x with padded
/// channels to their workspace, or are not used.
[[nodiscard]] constexpr bool hasFewChannels(const Convolution& c) {
    constexpr int few = 8;
    return c.groups * c.inputs <= few;
}

class Plan {
public:
    virtual ~Plan() = default;
    /// Name of the library's engine with its knob values; unique per convolution, library version
    /// and GPU.
    [[nodiscard]] virtual const std::string& engine() const = 0;
    [[nodiscard]] virtual std::int64_t workspace() const = 0; ///< in bytes
    [[nodiscard]] virtual bool usesTensorCores() const = 0;
    /// Operands as for launchConvolution, all aligned to `planAlignment`.
    virtual void run(const void* first, const void* second, const Ending& ending, void* result,
                     void* workspace, StreamHandle stream) = 0;
};
constexpr std::uintptr_t planAlignment = 16;

namespace plans {

/// False: this build has no such library, and there are no plans.
[[nodiscard]] bool isLibraryBuiltIn(); ///< false: there are no plans

/// Version of the library; empty, with the reason in `why`, if it is not available.
struct Library {
    std::string version = {};
    std::string why = {}; ///< why it cannot be used; empty: it can
};
[[nodiscard]] Library library(); ///< its version, or why it cannot be used

/// Returns the first plan of makeAll(), or none. For the thread's current GPU, or for an absent GPU
/// whose properties are given in the library's format. `engine`: only the plan of that name.
[[nodiscard]] std::unique_ptr<Plan> make(const PlannedConvolution& convolution,
                                         std::int64_t workspace, const std::string& properties = {},
                                         const std::string& engine = {});

/// Returns all plans within the workspace, fastest first by the library's estimate. Its slow engine
/// 0, which supports every convolution, is last; if rounding is allowed and channels are few, plans
/// with tensor cores come first.
[[nodiscard]] std::vector<std::unique_ptr<Plan>> makeAll(const PlannedConvolution& convolution,
                                                         std::int64_t workspace,
                                                         const std::string& properties = {});

} // namespace plans

} // namespace weft::cuda
