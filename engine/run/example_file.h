// SPDX-License-Identifier: Apache-2.0
#pragma once
// Examples for an input layer out of a file: .npy, IDX (also packed) or pictures, a folder or a
// list of them. What is not of the layer's shape is Error{format} naming both.

#include "data/arrays/array.h"
#include "data/source_kind.h"
#include <weft/design.h>

#include <cstddef>
#include <filesystem>
#include <string>

namespace weft {

/// What an input layer takes.
struct ExampleForm {
    std::string layer;
    DType dtype = DType::f32;
    Shape shape;           ///< of one example
    std::size_t place = 0; ///< among the inputs that a training has
};

/// Whether by its name it is a picture, a list of them or a folder.
[[nodiscard]] bool arePictures(const std::filesystem::path& file);

/// The frames of films, as the design's source has its own: a source with the same fields, or
/// nullptr where that is none of frames. Any folder, list or picture is such a film.
[[nodiscard]] SourcePointer openFrames(const std::filesystem::path& file, const ExampleForm& form,
                                       const DataSettings& settings, const SourceList& kinds);

/// [examples, ...], of type f32 or, for layers of integers, i64. Bytes for a layer of floating
/// numbers are pictures: brought to 0..1 and normalised as the design's data settings say.
[[nodiscard]] Array readExamples(const std::filesystem::path& file, const ExampleForm& form,
                                 const DataSettings& settings, const SourceList& kinds);

} // namespace weft
