// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures of every format that this build reads, told apart by their first bytes.

#include "data/films/picture.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace weft {

/// One frame of a film.
struct PictureAt {
    std::filesystem::path path;
    std::uint64_t page = 0; ///< where it begins in a file of many; 0: the first
    bool operator==(const PictureAt&) const = default;
};

enum class PictureEnding : std::uint8_t { none, picture, pages, film, unread };
/// What a file is by its name: a picture, one that may have many pages, a film or an animation in
/// one file, something of a format for pictures that is not read, or none of these.
[[nodiscard]] PictureEnding pictureEnding(std::string_view name);

/// Error{format} that says how to come by its frames.
[[noreturn]] void refuseFilm(const std::filesystem::path& path);
/// Likewise where its name says that it is a film in one file, or that it is not read.
void refuseUnread(const std::filesystem::path& path);

[[nodiscard]] std::vector<PictureAt> pagesOf(const std::filesystem::path& path);
[[nodiscard]] PictureForm formOf(const PictureAt& picture);
[[nodiscard]] Still readPicture(const PictureAt& picture);
/// The formats of this build by name.
[[nodiscard]] std::vector<std::string_view> pictureFormats();

} // namespace weft
