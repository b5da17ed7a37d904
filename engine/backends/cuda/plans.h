// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions as a library plans them that knows these chips better than we do. Written twice, as
// seam.h is: by cuDNN (cudnn_plans.cpp), and by a stand-in (tests/support/sim). A plan computes the
// same bits each time.

#include "backends/cuda/product.h"
#include "device/kernel.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft::cuda {

/// What becomes of a sum, in this order; only y has an ending.
struct PlannedEnding {
    bool hasBias = false, hasAddend = false, hasRelu = false;

    bool operator==(const PlannedEnding&) const = default;
};

/// One set of filters. In bf16 all of it are halves (halves.h), and nothing follows the sums.
struct PlannedConvolution {
    Convolution of; ///< plain if it is exact, else channels-last
    ConvolutionPass pass = ConvolutionPass::forward;
    PlannedEnding ending = {};
    Precision precision = Precision::exact;
};

/// True for layers that read pictures, or hardly more: engines that use tensor cores copy x with
/// more channels into their workspace, or do without tensor cores.
[[nodiscard]] constexpr bool hasFewChannels(const Convolution& c) {
    constexpr int few = 8;
    return c.groups * c.inputs <= few;
}

class Plan {
public:
    virtual ~Plan() = default;
    /// The name of the library's engine, with the values of its knobs. No other plan of this
    /// convolution has that name, with the same version of the library and on the same chip.
    [[nodiscard]] virtual const std::string& engine() const = 0;
    [[nodiscard]] virtual std::int64_t workspace() const = 0; ///< in bytes
    [[nodiscard]] virtual bool usesTensorCores() const = 0;
    /// Operands as launchConvolution takes them, all on multiples of `planAlignment`.
    virtual void run(const void* first, const void* second, const Ending& ending, void* result,
                     void* workspace, StreamHandle stream) = 0;
};
constexpr std::uintptr_t planAlignment = 16;

namespace plans {

/// False: this build knows no such library; nothing is ever planned.
[[nodiscard]] bool areBuiltIn();

/// Version of the library; empty, with the reason in `why`, if it is not available.
struct Library {
    std::string version = {};
    std::string why = {};
};
[[nodiscard]] Library library();

/// The first of all that makeAll() offers. None: there is none, or no library. For the chip that
/// this thread uses, or for one that is not there, whose properties are given in the library's own
/// form. `engine`: the plan of that name, and no other.
[[nodiscard]] std::unique_ptr<Plan> make(const PlannedConvolution& convolution,
                                         std::int64_t workspace, const std::string& properties = {},
                                         const std::string& engine = {});

/// All that the library offers and that need no more bytes of workspace than these, from fast to
/// slow as the library expects. Its engine 0, which computes every convolution slowly, is the last;
/// where less than f32 is asked for and channels are few, what uses tensor cores comes first.
[[nodiscard]] std::vector<std::unique_ptr<Plan>> makeAll(const PlannedConvolution& convolution,
                                                         std::int64_t workspace,
                                                         const std::string& properties = {});

} // namespace plans

} // namespace weft::cuda
