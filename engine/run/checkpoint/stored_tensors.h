// SPDX-License-Identifier: Apache-2.0
#pragma once
// The names under which files of tensors hold the slots of a graph. Most slots have a tensor of
// their own. Slots that PyTorch concatenates in one tensor (the projections of attention) are also
// concatenated in checkpoints, so that both load by the same names.

#include "data/arrays/safetensors.h"
#include "graph/graph.h"

#include <vector>

namespace weft {

struct StoredTensor {
    TensorHeading heading;
    std::vector<SlotId> slots; ///< concatenated along the first dim
};

/// Returns the tensors that hold all slots, in the order of the slots.
[[nodiscard]] std::vector<StoredTensor> storedTensors(const Graph& graph);

struct StoredPart {
    const TensorEntry* entry = nullptr; ///< nullptr: the file does not hold the slot
    std::int64_t from = 0;              ///< byte offset of the slot in the tensor
};

/// Finds a slot in a file under its own name or in the concatenated tensor, either followed by
/// `suffix`. Throws Error{format} if the tensor has another shape or type.
[[nodiscard]] StoredPart storedPart(const SafetensorsReader& file, const Graph& graph, SlotId slot,
                                    const std::filesystem::path& path,
                                    const std::string& suffix = {});

/// Result of loading a file of weights into a design.
struct LoadedWeights {
    std::vector<std::string> missing;  ///< slots that keep their initial contents
    std::vector<std::string> leftOver; ///< tensors of the file that the design does not have
    std::vector<std::string> loaded;   ///< slots
    std::int64_t elementsStored = 0;   ///< batch elements in the file; 0: no difference
    std::int64_t elements = 0;         ///< batch elements here
    std::vector<std::string> copiedToSeveralSets = {}; ///< slots filled from one set
};

/// Returns text such as "10 elements of the batch, and there are 4: the last are left out".
[[nodiscard]] std::string describeElementCounts(std::int64_t stored, std::int64_t here);

/// Describes the result in words. Empty if file and design match exactly.
[[nodiscard]] std::string textOf(const LoadedWeights& weights, const std::filesystem::path& path);

} // namespace weft
