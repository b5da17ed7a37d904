// SPDX-License-Identifier: Apache-2.0
#pragma once
// Element types of numbers in files (any width and byte order), and their conversion to a dtype. A
// value that the dtype cannot represent (too large, or a fraction for an integer) is an error.

#include <weft/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft {

enum class ElementKind : std::uint8_t { floating, bfloat16, integer, unsignedInteger, boolean };

/// The type of an element in a file.
struct ElementType {
    ElementKind kind = ElementKind::floating;
    std::size_t bytes = 4; ///< size of one element
    bool isBigEndian = false;
    bool operator==(const ElementType&) const = default;
};

[[nodiscard]] bool isFloating(ElementType type);
/// "big-endian 16-bit integer"
[[nodiscard]] std::string toString(ElementType type);
/// Returns the element type of a dtype in memory and in the files that Weft writes.
[[nodiscard]] ElementType elementTypeOf(DType dtype); ///< that Weft writes for the dtype
/// Returns the dtype that holds all values of the file's type: u8 for booleans, i32 for small
/// integers.
[[nodiscard]] DType dtypeFor(ElementType type); ///< that holds all values of the type

/// Converts elements from `raw` to `converted`, which has space for as many; `raw` may be
/// byte-swapped in place. Returns the number of converted elements, which is smaller if the next
/// one does not fit into `to`.
[[nodiscard]] std::size_t convertElements(ElementType from, std::span<std::byte> raw, DType to,
                                          std::span<std::byte> converted);

} // namespace weft
