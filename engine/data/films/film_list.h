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

/// Of a folder: its pictures are a film, those of each folder in it another. Of a list (.txt): each
/// run of lines without an empty one between is. A picture of many pages is a film of its own
/// wherever it stands; other pictures that are named together are one film.
[[nodiscard]] std::vector<Film> filmsOf(const std::vector<std::filesystem::path>& paths);

} // namespace weft
