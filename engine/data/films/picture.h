// SPDX-License-Identifier: Apache-2.0
#pragma once
// a picture as its file has it (a still), and what a format must offer. One file per format in
// formats/, which defines `void <format>(PictureFormatList&)`; those whose library a build lacks
// are not in the list. Any number of threads may read pictures at once.

#include "data/films/picture_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct PictureForm {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t channels = 1; ///< 1: grey, 3: red, green and blue
    bool operator==(const PictureForm&) const = default;
};

struct Still {
    PictureForm form;
    std::uint16_t most = 255;                ///< what white is
    std::vector<std::uint16_t> samples = {}; ///< row by row, pixel by pixel, channel by channel
};

/// A file whose bytes are wrong is Error{format} that names it.
struct PictureFormat {
    std::string_view name; ///< "PNG"
    /// Where the pages begin; nullptr: there is but one. A page 0 is the first.
    std::vector<std::uint64_t> (*pages)(const PictureFile& file) = nullptr;
    PictureForm (*form)(const PictureFile& file, std::uint64_t page) = nullptr;
    Still (*read)(const PictureFile& file, std::uint64_t page) = nullptr;
};

using PictureFormatList = std::vector<PictureFormat>;

/// Refuses what no file of its size can hold, before memory is taken for it. `bytes`: of a sample.
void ensureModest(const PictureFile& file, const PictureForm& form, std::int64_t bytes);

/// Alpha at the end of each pixel goes, and what it covers is black.
void dropAlpha(Still& picture);

} // namespace weft

namespace weft::films {
void fill(PictureFormatList& list);
} // namespace weft::films
