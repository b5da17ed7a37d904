// SPDX-License-Identifier: Apache-2.0
#pragma once
// A decoded picture, and the interface of a picture format. Each format is one file in formats/
// that defines `void <format>(PictureFormatList&)`; formats whose library is missing are not built.
// Reading is thread-safe.

#include "data/films/picture_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct PictureForm { ///< size of a picture, and its number of channels
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t channels = 1; ///< 1: grey, 3: red, green and blue
    bool operator==(const PictureForm&) const = default;
};

struct Still { ///< a decoded picture
    PictureForm form;
    bool hasAlpha = false;                   ///< the last sample of a pixel is its opacity
    std::uint16_t most = 255;                ///< sample value of white
    std::vector<std::uint16_t> samples = {}; ///< row-major, channels interleaved
};

/// Invalid files throw Error{format} with the file's name.
struct PictureFormat {
    std::string_view name; ///< "PNG"
    /// Returns the offsets of the pages; nullptr: files have one page. Page 0 is the first.
    std::vector<std::uint64_t> (*pages)(const PictureFile& file) = nullptr;
    PictureForm (*form)(const PictureFile& file, std::uint64_t page) = nullptr;
    Still (*read)(const PictureFile& file, std::uint64_t page) = nullptr;
};

using PictureFormatList = std::vector<PictureFormat>;

/// Refuses picture sizes that the file cannot hold, before memory is allocated. `bytes`: per
/// sample.
void ensurePlausibleSize(const PictureFile& file, const PictureForm& form, std::int64_t bytes);

/// Blends each pixel with a grey background, 1 for white, by its alpha, and removes the alpha.
void blendAlpha(Still& picture, double background);

} // namespace weft

namespace weft::films {
void fill(PictureFormatList& list); ///< adds the formats of this build
} // namespace weft::films
