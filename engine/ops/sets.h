// SPDX-License-Identifier: Apache-2.0
#pragma once
// Weights with several sets: one per batch element, per position, or per both. The dims of the sets
// come before those of one set: [batch, positions..., ...], without the dims that share a set.

#include "graph/op.h"
#include "graph/set_sharing.h"
#include "graph/signature.h"

#include <string>
#include <vector>

namespace weft::ops {

struct Sets : SetSharing {
    using SetSharing::SetSharing;

    /// Returns the leading dims of the sets, for a map whose features are dim `dim`.
    [[nodiscard]] Shape lead(const Shape& map, std::size_t dim) const; ///< dims of the sets
    /// Returns the letters of these leading dims.
    [[nodiscard]] std::vector<std::string> lead(const std::vector<std::string>& letters,
                                                std::size_t dim) const;
};

[[nodiscard]] AttributeSpec perElementAttribute();
[[nodiscard]] AttributeSpec perPositionAttribute();
/// Returns the attribute for the number of dims before those of one set.
[[nodiscard]] AttributeSpec setDimsAttribute();

/// Returns [lead..., own...].
[[nodiscard]] Shape joinedDims(Shape lead, const Shape& own);
/// Returns the last `count` dims, or all if there are fewer.
[[nodiscard]] Shape lastDims(const Shape& shape, std::size_t count);

/// True if the operand's dims begin with `lead`; refuses otherwise.
bool hasLead(ShapeInference& inference, std::size_t input, const Shape& lead, std::size_t ownDims);

/// Returns the attributes of a sample with such sets.
[[nodiscard]] Attributes withSets(Attributes attributes, bool perElement, bool perPosition);

} // namespace weft::ops
