// SPDX-License-Identifier: Apache-2.0
#pragma once
// How one value lies on a mesh: per mesh axis Split, Replicated or Partial. Cuts are explicit, so
// that two Splits are equal exactly if every device owns the same part. Boxes, which follow from
// placements, are the parts that each device holds.

#include <weft/types.h>

#include <string>
#include <vector>

namespace weft {

/// Devices in a named 1-D or 2-D arrangement, row-major: device k has the coordinates (k /
/// shape[1], k % shape[1]).
struct Mesh {
    std::vector<DeviceId> devices;
    std::vector<std::int64_t> shape; ///< devices per axis, one or two axes

    [[nodiscard]] std::size_t axes() const { return shape.size(); }
    /// Returns the coordinate of the member (its position in `devices`) along an axis.
    [[nodiscard]] std::int64_t coordinate(std::size_t member, std::size_t axis) const;
    bool operator==(const Mesh&) const = default;
};

struct Placement {
    enum class Kind : std::uint8_t { replicated, split, partialSum, partialMax };

    Kind kind = Kind::replicated;
    int dim = -1;           ///< for Split: the dim
    std::int64_t grain = 1; ///< for Split: parts are multiples of it
    /// For Split: the begin of each part, and the end: parts + 1 numbers. If an earlier axis splits
    /// the same dim, one such row per part of that axis, one after another, each subdividing its
    /// part.
    std::vector<std::int64_t> cuts = {}; ///< for Split: begin of each part, and the end

    [[nodiscard]] bool isSplit() const { return kind == Kind::split; }
    [[nodiscard]] bool isReplicated() const { return kind == Kind::replicated; }
    [[nodiscard]] bool isPartial() const {
        return kind == Kind::partialSum || kind == Kind::partialMax;
    }
    bool operator==(const Placement&) const = default;
};
using Placements = std::vector<Placement>; ///< one per mesh axis

/// Returns "S(0) R", "P" or "S(1/64)".
[[nodiscard]] std::string toString(const Placements& placements);

/// Returns balanced cuts of [begin, end) in multiples of the grain: parts differ by at most one
/// grain, the first ones are larger.
[[nodiscard]] std::vector<std::int64_t> balancedCuts(std::int64_t begin, std::int64_t end,
                                                     std::int64_t parts, std::int64_t grain = 1);

/// A part of a value: [begin, end) per dim.
struct Box {
    Shape begin; ///< first index, per dim
    Shape end;   ///< past the last index, per dim
    [[nodiscard]] Shape shape() const;
    [[nodiscard]] std::int64_t elements() const;
    [[nodiscard]] bool isEmpty() const { return elements() == 0; }
    bool operator==(const Box&) const = default;
};
[[nodiscard]] Box wholeBox(const Shape& shape);
/// Returns an empty box if they do not overlap.
[[nodiscard]] Box intersection(const Box& a, const Box& b);
/// Returns what the member of the mesh holds of a value of that shape.
[[nodiscard]] Box boxOf(const Shape& shape, const Mesh& mesh, const Placements& placements,
                        std::size_t member);

} // namespace weft
