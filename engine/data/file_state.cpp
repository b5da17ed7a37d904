// SPDX-License-Identifier: Apache-2.0
#include "data/file_state.h"

#include <sys/stat.h>

namespace weft {

FileState fileStateOf(const std::filesystem::path& path) {
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) {
        return {};
    }
    return {.device = status.st_dev,
            .number = status.st_ino,
            .size = status.st_size,
            .changed = status.st_ctim};
}

} // namespace weft
