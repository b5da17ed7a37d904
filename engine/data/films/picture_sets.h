// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists pictures with what is to be learned of them: from a folder with a folder per class, or from
// a list file.

#include "data/films/pictures.h"
#include "data/tables/values.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

struct PictureSet {
    std::vector<PictureAt> pictures = {};
    std::vector<std::int32_t> labels = {}; ///< class of each picture; empty: there are no classes
    std::vector<float> numbers = {};       ///< numbers to learn: [pictures, targets]
    std::int64_t targets = 0;              ///< how many numbers each picture has

    /// Removes these pictures; `places` ascend.
    void remove(const std::vector<std::size_t>& places); ///< pictures with these ascending indices
};

/// Each folder in the folder is a class; `without`: paths that begin with folders that are none.
/// The pictures of a class are in its folder and in the folders there, in natural order. Links are
/// followed, but not to where the listing of the class has been, nor to a folder around it. Adds
/// the folders that were listed to `looked`, if given.
[[nodiscard]] PictureSet picturesByClass(const std::filesystem::path& folder, ClassWords& classes,
                                         const std::vector<std::string>& without = {},
                                         std::vector<std::filesystem::path>* looked = nullptr);

/// Each line has a path, relative to the list, and a label, numbers or nothing. Adds a path where
/// there is no file to `looked`, if given.
[[nodiscard]] PictureSet picturesInList(const std::filesystem::path& list, ClassWords& classes,
                                        bool areClasses,
                                        std::vector<std::filesystem::path>* looked = nullptr);

} // namespace weft
