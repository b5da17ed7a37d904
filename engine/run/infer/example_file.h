// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads examples for an input layer from a file: .npy, IDX (also compressed) or pictures, a folder
// or a list of them. Throws Error{format} if the shape differs from the layer's, naming both.

#include "data/arrays/array.h"
#include "data/source_kind.h"
#include <weft/design.h>

#include <cstddef>
#include <filesystem>
#include <string>

namespace weft {

/// The form of the examples that an input layer takes.
struct ExampleForm {
    std::string layer; ///< name of the input layer
    DType dtype = DType::f32;
    Shape shape;           ///< shape of one example
    std::size_t place = 0; ///< index among the inputs that a training has
};

/// True if the file's name says that it is a picture, a list of pictures or a folder.
[[nodiscard]] bool arePictures(const std::filesystem::path& file);

/// Opens pictures or a table as the design's source reads its own, or returns nullptr if that
/// source reads none. For a source of films, any folder, list or picture counts as a film.
[[nodiscard]] SourcePointer openAsSource(const std::filesystem::path& file, const ExampleForm& form,
                                         const DataSettings& settings, const SourceList& kinds);

/// Returns [examples, ...], f32 or, for integer inputs, i64. Bytes for a floating-point input are
/// pictures: they are scaled to 0..1 and normalised as the design's data settings say.
[[nodiscard]] Array readExamples(const std::filesystem::path& file, const ExampleForm& form,
                                 const DataSettings& settings, const SourceList& kinds);

} // namespace weft
