// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads and writes NumPy's .npy files: numbers and booleans of any width and byte order, in C or
// Fortran order. Arrays in memory are row-major in native byte order.

#include "data/arrays/array.h"
#include "data/arrays/elements.h"
#include "data/file_bytes.h"

#include <filesystem>
#include <optional>
#include <span>

namespace weft {

/// The header of a .npy file, checked against the file's size.
struct NpyHeader {
    ElementType type;
    bool fortranOrder = false;
    Shape shape;
    std::int64_t dataOffset = 0; ///< offset of the elements in the file, in bytes
    bool operator==(const NpyHeader&) const = default;
};

[[nodiscard]] NpyHeader readNpyHeader(const FileBytes& file);

/// Reads the whole array as the dtype that matches the file, or as `as`.
[[nodiscard]] Array readNpy(const FileBytes& file, std::optional<DType> as = {});
[[nodiscard]] Array readNpy(const std::filesystem::path& path, std::optional<DType> as = {});

/// Writes atomically. bf16, which NumPy lacks, is widened to f32.
void writeNpy(const std::filesystem::path& path, DType dtype, const Shape& shape,
              std::span<const std::byte> bytes);

} // namespace weft
