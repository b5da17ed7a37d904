// SPDX-License-Identifier: Apache-2.0
#include "base/process/environment.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>

namespace weft {

std::string fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

std::string hostName() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
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

std::vector<std::string>
environmentWith(const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        all.emplace_back(*entry);
    }
    for (const auto& [name, value] : added) {
        const std::string begin = name + "=";
        std::erase_if(all, [&](const std::string& entry) { return entry.starts_with(begin); });
        all.push_back(begin + value);
    }
    return all;
}

} // namespace weft
