// SPDX-License-Identifier: Apache-2.0
#pragma once
// How numbers stand in files (any width, either byte order) and their conversion to a dtype. A
// value that the dtype cannot hold (too large, or a fraction where integers are asked) is refused,
// never bent.

#include <weft/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft {

enum class ElementKind : std::uint8_t { floating, brainFloat, integer, natural, boolean };

/// The type of an element in a file.
struct ElementType {
    ElementKind kind = ElementKind::floating;
    std::size_t bytes = 4;
    bool bigEndian = false;
    bool operator==(const ElementType&) const = default;
};

[[nodiscard]] bool isFloating(ElementType type);
/// "big-endian 16-bit integer"
[[nodiscard]] std::string toString(ElementType type);
/// How a dtype stands in memory and in the files we write.
[[nodiscard]] ElementType elementTypeOf(DType dtype);
/// The dtype that holds all values of the file's type: u8 for booleans, i32 for the small integers.
[[nodiscard]] DType dtypeFor(ElementType type);

/// Converts elements one by one from `raw` to `converted`, which has room for as many. `raw` may be
/// byte-swapped in place. Returns how many were converted: fewer than there are when the next does
/// not fit into `to`.
[[nodiscard]] std::size_t convertElements(ElementType from, std::span<std::byte> raw, DType to,
                                          std::span<std::byte> converted);

} // namespace weft
