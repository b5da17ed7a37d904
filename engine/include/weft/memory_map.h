// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory of a device over one training step: every buffer with offset, size, lifetime, purpose
// and layer. Blocks that live at the same time do not overlap.

#include <weft/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class BlockKind : std::uint8_t {
    weights, ///< parameters
    state,   ///< optimizer state, statistics, layer state
    gradients,
    activations, ///< includes the fed batch
    buffers      ///< kernel workspaces, reordered copies, results of collectives
};
inline constexpr std::size_t blockKinds = 5;
[[nodiscard]] std::string_view nameOf(BlockKind kind);

struct MemoryBlock {
    std::int64_t offset = 0; ///< in the device's memory; persistent blocks come first
    Bytes bytes = {};
    std::uint32_t first = 0; ///< step that writes it
    std::uint32_t last = 0;  ///< step that reads it last; persistent blocks live through all steps
    BlockKind kind = BlockKind::buffers;
    Origin origin = {};     ///< layer that the block belongs to
    std::string layer = {}; ///< as shown to the user; empty: not of one layer
    std::string name = {};  ///< "fc6.weight", "conv1: conv2d"
    bool operator==(const MemoryBlock&) const = default;
};

/// One step of the device's program, in order, with its predicted time.
struct MemoryStep {
    std::string name;       ///< "conv1: conv2d"
    Nanoseconds begin = {}; ///< predicted time
    Nanoseconds end = {};   ///< predicted time
    bool operator==(const MemoryStep&) const = default;
};

struct MemoryMap {
    std::vector<MemoryStep> steps;   ///< steps of the program in order of execution
    std::vector<MemoryBlock> blocks; ///< by the step that writes them, then by offset
    Bytes kept = {};                 ///< persistent bytes from offset 0: weights and state
    Bytes size = {};            ///< bytes up to the end of the last block: what a run allocates
    Bytes peak = {};            ///< the most bytes that live at once
    std::uint32_t peakStep = 0; ///< index of the step at the peak
    Bytes available = {};       ///< memory of the device; 0: unknown
    bool operator==(const MemoryMap&) const = default;

    /// Returns the first block that ends beyond `available`, or nullptr if all fit.
    [[nodiscard]] const MemoryBlock* overflow() const; ///< first block beyond `available`
    /// Returns the bytes that live in a step, by kind.
    [[nodiscard]] std::array<Bytes, blockKinds> heldAt(std::uint32_t step) const;
};

} // namespace weft
