// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the elements of a value lie in memory. "" is plain row-major of the logical dims; otherwise a
// tag in the blocking notation: letters give the order of the logical dims (a, b, c, ...) from
// outermost to innermost, an upper-case letter is a blocked dim, and the inner blocks follow:
// "acdb" is channels-last, "aBcd16b" blocks channels by sixteen. A "~" behind a mere order of the
// dims says that numbers of f32 are kept as halves: the first 16 bits of each, rounded to the
// nearest, to even between two (bf16).

#include <weft/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft {

struct Format {
    std::string tag = {};

    [[nodiscard]] bool isPlain() const { return tag.empty(); }
    [[nodiscard]] bool isHalved() const { return tag.ends_with('~'); }
    bool operator==(const Format&) const = default;
};

/// Order of the dims and the inner blocks {dim, size}, innermost last.
struct FormatLayout {
    std::vector<int> order;
    std::vector<std::pair<int, std::int64_t>> blocks;
};
/// Throws Error{bug} when the tag does not describe `rank` dims.
[[nodiscard]] FormatLayout layoutOf(const Format& format, std::size_t rank);
/// The same order with its numbers kept as halves: of plain row-major "ab~" and so on.
[[nodiscard]] Format halved(const Format& format, std::size_t rank);
/// The same order with its numbers as they are; what is no other order then is plain.
[[nodiscard]] Format widened(const Format& format);
/// An f32 as a half.
[[nodiscard]] std::uint16_t halfOf(float number);
[[nodiscard]] float numberOf(std::uint16_t half);

/// Elements held, padding of blocks included.
[[nodiscard]] std::int64_t elementsIn(const Format& format, const Shape& shape);
[[nodiscard]] Bytes bytesIn(const Format& format, DType dtype, const Shape& shape);
/// True when the format is a mere order of the dims, so that boxes stay boxes.
[[nodiscard]] bool isOrder(const Format& format);
/// Steps in elements from one index to the next, per logical dim; only of a mere order.
[[nodiscard]] std::vector<std::int64_t> stridesOf(const Format& format, const Shape& shape);

/// Copies elements of so many bytes from plain row-major into the format, or back. Padding becomes
/// zero. Halves are made of numbers of f32, and become such.
void intoFormat(const Format& format, const Shape& shape, std::size_t elementSize,
                const void* plain, void* formatted);
void outOfFormat(const Format& format, const Shape& shape, std::size_t elementSize,
                 const void* formatted, void* plain);

} // namespace weft
