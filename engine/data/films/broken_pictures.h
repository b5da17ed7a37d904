// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds pictures that cannot be decoded, by decoding them. The answers are kept for the process, as
// long as size and time of a file do not change.

#include "data/films/pictures.h"

#include <cstddef>
#include <string>
#include <vector>

namespace weft {

struct BrokenPicture {
    std::size_t at = 0;  ///< index of the picture in the given list
    std::string problem; ///< "cannot be read (...)"
};

/// In the order of the list. Decodes on several threads.
[[nodiscard]] std::vector<BrokenPicture> findBrokenPictures(const std::vector<PictureAt>& pictures);

} // namespace weft
