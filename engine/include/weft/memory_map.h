// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a device holds over one training step: every buffer with its place, its size and its life,
// what it is for and which layer made it. Blocks that live at one moment share no byte.

#include <weft/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class BlockKind : std::uint8_t {
    weights,
    state, ///< the optimizer's, statistics, what layers keep from step to step
    gradients,
    activations, ///< what is fed, too
    buffers      ///< scratch of kernels, reordered copies, what collectives bring
};
inline constexpr std::size_t blockKinds = 5;
[[nodiscard]] std::string_view nameOf(BlockKind kind);

struct MemoryBlock {
    std::int64_t offset = 0; ///< in the device's memory: what is kept comes first
    Bytes bytes = {};
    std::uint32_t first = 0; ///< step that makes it
    std::uint32_t last = 0;  ///< that reads it last; what is kept lives from the first to the last
    BlockKind kind = BlockKind::buffers;
    Origin origin = {};
    std::string layer = {}; ///< as the user reads it; empty: the step's own
    std::string name = {};  ///< "fc6.weight", "conv1: conv2d"
    bool operator==(const MemoryBlock&) const = default;
};

/// One step of the device's program, in its order, when it is predicted to run.
struct MemoryStep {
    std::string name; ///< "conv1: conv2d"
    Nanoseconds begin = {};
    Nanoseconds end = {};
    bool operator==(const MemoryStep&) const = default;
};

struct MemoryMap {
    std::vector<MemoryStep> steps;
    std::vector<MemoryBlock> blocks; ///< by the step that makes them, then by place
    Bytes kept = {};                 ///< from 0 on: weights and state
    Bytes size = {};                 ///< up to where the last block ends: what a run is given
    Bytes peak = {};                 ///< most that lives at once
    std::uint32_t peakStep = 0;
    Bytes available = {}; ///< 0: not known
    bool operator==(const MemoryMap&) const = default;

    /// The first block made that ends beyond what there is; nullptr: all fits.
    [[nodiscard]] const MemoryBlock* overflow() const;
    /// What lives in a step, by kind.
    [[nodiscard]] std::array<Bytes, blockKinds> heldAt(std::uint32_t step) const;
};

} // namespace weft
