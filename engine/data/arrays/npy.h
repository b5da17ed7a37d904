// SPDX-License-Identifier: Apache-2.0
#pragma once
// NumPy's .npy files: numbers and booleans of any width and byte order, in C or Fortran order. What
// is read is row-major in this machine's byte order.

#include "data/arrays/array.h"
#include "data/arrays/elements.h"
#include "data/file_bytes.h"

#include <filesystem>
#include <optional>
#include <span>

namespace weft {

/// What a .npy file says of itself, checked against its size.
struct NpyHeader {
    ElementType type;
    bool fortranOrder = false;
    Shape shape;
    std::int64_t dataOffset = 0;
    bool operator==(const NpyHeader&) const = default;
};

[[nodiscard]] NpyHeader readNpyHeader(const FileBytes& file);

/// The whole array, in the dtype that the file's own asks for or in the one given.
[[nodiscard]] Array readNpy(const std::filesystem::path& path, std::optional<DType> as = {});

/// Written beside, synced and renamed. bf16, which NumPy lacks, is widened to f32.
void writeNpy(const std::filesystem::path& path, DType dtype, const Shape& shape,
              std::span<const std::byte> bytes);

} // namespace weft
