// SPDX-License-Identifier: Apache-2.0
#pragma once
// Groups picture files into films.

#include "data/films/pictures.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace weft {

using Film = std::vector<PictureAt>; ///< its frames in order

/// Natural order: frame2 comes before frame10.
[[nodiscard]] bool isBeforeNaturally(std::string_view a, std::string_view b);

/// Lists the films of the given paths. The pictures of a folder are one film, and those of each
/// subfolder another. In a list file (.txt), each block of lines is a film. A file of several pages
/// is a film of its own; other pictures named together are one film. Adds subfolders, and a path
/// of a list where there is no file, to `looked`, if given.
[[nodiscard]] std::vector<Film> filmsOf(const std::vector<std::filesystem::path>& paths,
                                        std::vector<std::filesystem::path>* looked = nullptr);

} // namespace weft
