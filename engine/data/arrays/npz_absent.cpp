// SPDX-License-Identifier: Apache-2.0
// Replaces npz.cpp in builds without libzip: every call throws an error that says so.
#include "data/arrays/npz.h"
#include <weft/error.h>

namespace weft {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
    throw Error(ErrorCode::format, {.file = path.string()},
                "is a .npz archive, which this build of Weft does not support",
                "install libzip-dev and build Weft again, or save each array as .npy");
}

} // namespace

std::vector<std::string> npzNames(const std::filesystem::path& path) { refuse(path); }

FileBytes npzArray(const std::filesystem::path& path, const std::string& /*name*/,
                   bool /*isHead*/) {
    refuse(path);
}

} // namespace weft
