// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads pictures of every format in this build, recognised by their first bytes.

#include "data/films/picture.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace weft {

/// One frame of a film.
struct PictureAt {
    std::filesystem::path path;
    std::uint64_t page = 0; ///< offset of the page in the file; 0: the first
    bool operator==(const PictureAt&) const = default;
};

enum class PictureEnding : std::uint8_t { none, picture, pages, film, unread }; ///< by file name
/// Classifies a file by its name: a picture, a format with several pages, a film or animation, a
/// picture format that Weft cannot read, or none of these.
[[nodiscard]] PictureEnding pictureEnding(std::string_view name);

/// Throws Error{format} that explains how to extract the film's frames.
[[noreturn]] void refuseFilm(const std::filesystem::path& path);
/// Throws Error{format} if the name is that of a film or of a format that Weft cannot read.
void refuseUnreadable(const std::filesystem::path& path);

[[nodiscard]] std::vector<PictureAt>
pagesOf(const std::filesystem::path& path);                 ///< pages of a file
[[nodiscard]] PictureForm formOf(const PictureAt& picture); ///< its size, from the file's header
/// Pixels that are not opaque are blended with the background, from 0 (black) to 1 (white).
[[nodiscard]] Still readPicture(const PictureAt& picture, double background = 0);
[[nodiscard]] std::vector<std::string_view> pictureFormats(); ///< names of those in this build

} // namespace weft
