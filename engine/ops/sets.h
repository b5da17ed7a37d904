// SPDX-License-Identifier: Apache-2.0
#pragma once
// Weights of which there is more than one set: one for each element of the batch, for each
// position, or for each of both. Sets stand before the dims of one: [batch, positions..., ...],
// those that there are.

#include "graph/op.h"
#include "graph/set_sharing.h"
#include "graph/signature.h"

#include <string>
#include <vector>

namespace weft::ops {

struct Sets : SetSharing {
    using SetSharing::SetSharing;

    /// The dims that sets have before their own, for a map whose features are dim `dim`.
    [[nodiscard]] Shape lead(const Shape& map, std::size_t dim) const;
    /// The same of its letters.
    [[nodiscard]] std::vector<std::string> lead(const std::vector<std::string>& letters,
                                                std::size_t dim) const;
};

[[nodiscard]] AttributeSpec perElementAttribute();
[[nodiscard]] AttributeSpec perPositionAttribute();
/// How many dims stand before those of one set.
[[nodiscard]] AttributeSpec setDimsAttribute();

/// [lead..., own...]
[[nodiscard]] Shape joinedDims(Shape lead, const Shape& own);
/// The last `count` dims; fewer where there are fewer.
[[nodiscard]] Shape lastDims(const Shape& shape, std::size_t count);

/// True when the operand's dims begin with those; refuses otherwise.
bool hasLead(Inference& inference, std::size_t input, const Shape& lead, std::size_t ownDims);

/// Attributes of a sample.
[[nodiscard]] Attributes withSets(Attributes attributes, bool perElement, bool perPosition);

} // namespace weft::ops
