// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which files make which film.

#include "data/films/pictures.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace weft {

using Film = std::vector<PictureAt>;

/// Numbers in names are compared as numbers: frame2 comes before frame10.
[[nodiscard]] bool isBefore(std::string_view a, std::string_view b);

/// Lists the movies of the given paths. The images of a folder are one movie, and those of each
/// subfolder another. In a list file (.txt), each block of lines is a movie. A multi-page image is
/// a movie of its own; other images named together are one movie.
[[nodiscard]] std::vector<Film> filmsOf(const std::vector<std::filesystem::path>& paths);

} // namespace weft
