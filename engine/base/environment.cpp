// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace weft {

std::string fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

std::filesystem::path programInPath(std::string_view name) {
    const std::string path = fromEnvironment("PATH");
    std::istringstream folders(path.empty() ? "/usr/bin:/bin" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::filesystem::path program = std::filesystem::path(folder) / name;
        std::error_code error;
        if (std::filesystem::is_regular_file(program, error) &&
            ::access(program.c_str(), X_OK) == 0) {
            return program;
        }
    }
    return {};
}

} // namespace weft
