// SPDX-License-Identifier: Apache-2.0
#pragma once
// Under which names the slots of a graph stand in a file of tensors. Most under their own; those
// that PyTorch keeps one behind the other in one tensor (the projections of an attention) likewise
// in a checkpoint, so that what is saved loads by the same names as what is taken over.

#include "data/arrays/safetensors.h"
#include "graph/graph.h"

#include <vector>

namespace weft {

struct StoredTensor {
    TensorHeading heading;
    std::vector<SlotId> slots; ///< one behind the other along the first dim
};

/// Every slot in one of them, in the order of the slots.
[[nodiscard]] std::vector<StoredTensor> storedTensors(const Graph& graph);

struct StoredPart {
    const TensorEntry* entry = nullptr; ///< none: the file does not hold the slot
    std::int64_t from = 0;              ///< byte of the tensor
};

/// Under its own name, or in the tensor that it is stored in; either with `suffix` behind it.
/// Error{format} where that is of another shape or type.
[[nodiscard]] StoredPart storedPart(const SafetensorsReader& file, const Graph& graph, SlotId slot,
                                    const std::filesystem::path& path,
                                    const std::string& suffix = {});

/// What a file of weights came to in a design.
struct LoadedWeights {
    std::vector<std::string> missing;  ///< slots that it does not hold: they begin as drawn
    std::vector<std::string> leftOver; ///< tensors of it that the design has not
    std::vector<std::string> loaded;   ///< slots
    /// Where each element of the batch has weights of its own and there are others here.
    std::int64_t elementsStored = 0;
    std::int64_t elements = 0;
    std::vector<std::string> oneForSeveral = {}; ///< slots of several sets, where it has one set
};

/// "10 elements of the batch, and there are 4: the last are left out"
[[nodiscard]] std::string textOfElements(std::int64_t stored, std::int64_t here);

/// In words; empty where all of the one is in the other.
[[nodiscard]] std::string textOf(const LoadedWeights& weights, const std::filesystem::path& path);

} // namespace weft
