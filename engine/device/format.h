// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory format of a value. "" is plain row-major order. Otherwise a tag in blocking notation:
// letters name the logical dims (a, b, c, ...) from outermost to innermost, upper-case letters are
// blocked dims, and the inner blocks follow: "acdb" is channels-last, "aBcd16b" blocks channels by
// 16. A "~" after an unblocked order means that f32 values are stored as bf16 (round to nearest
// even).

#include <weft/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft {

struct Format {           ///< memory format of a value
    std::string tag = {}; ///< "": row-major; "acdb": channels-last; "aBcd16b": blocked; "ab~": bf16

    [[nodiscard]] bool isPlain() const { return tag.empty(); }
    [[nodiscard]] bool isHalved() const { return tag.ends_with('~'); } ///< f32 values lie as bf16
    bool operator==(const Format&) const = default;
};

/// Order of the dims, and the inner blocks as {dim, size}, innermost last.
struct FormatLayout {
    std::vector<int> order;                           ///< dims, outermost first
    std::vector<std::pair<int, std::int64_t>> blocks; ///< {dim, size}, innermost last
};
/// Throws Error{bug} if the tag does not describe `rank` dims.
[[nodiscard]] FormatLayout layoutOf(const Format& format, std::size_t rank);
/// Returns the same order stored as bf16; for plain row-major "ab~" and so on.
[[nodiscard]] Format halved(const Format& format, std::size_t rank); ///< same order, stored as bf16
[[nodiscard]] Format widened(const Format& format);                  ///< same order, stored as f32
[[nodiscard]] std::uint16_t halfOf(float number); ///< rounds an f32 to the bits of a bf16
[[nodiscard]] float numberOf(std::uint16_t bf16); ///< the f32 of a bf16's bits

[[nodiscard]] std::int64_t elementsIn(const Format& format, const Shape& shape); ///< with padding
[[nodiscard]] Bytes bytesIn(const Format& format, DType dtype, const Shape& shape);
/// True if the format only permutes the dims, so that boxes stay boxes.
[[nodiscard]] bool isOrder(const Format& format); ///< it permutes dims without blocks
/// Strides in elements per logical dim, for permuted formats only.
[[nodiscard]] std::vector<std::int64_t> stridesOf(const Format& format, const Shape& shape);

/// Converts elements of this size from plain row-major to the format, or back. Padding becomes
/// zero. f32 is converted to and from bf16.
void intoFormat(const Format& format, const Shape& shape, std::size_t elementSize,
                const void* plain, void* formatted);
void outOfFormat(const Format& format, const Shape& shape, std::size_t elementSize,
                 const void* formatted, void* plain);

} // namespace weft
