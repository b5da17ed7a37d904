// SPDX-License-Identifier: Apache-2.0
#include "remote/install/source_files.h"

#include <weft/error.h>

#include <sys/stat.h>

#include <algorithm>
#include <array>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// Parts of the source that are sent. The window and the tests are left out, except for the
/// CMakeLists.txt that notice their absence.
constexpr std::array<const char*, 9> parts{
    "CMakeLists.txt", "CMakePresets.json",    "LICENSES",         "app", "engine", "packaging",
    "projects",       "tests/CMakeLists.txt", "ui/CMakeLists.txt"};

void add(std::vector<SourceFile>& files, const fs::path& root, const fs::path& file) {
    struct stat facts {};
    if (::lstat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) {
        files.push_back({.name = file.lexically_relative(root).generic_string(),
                         .path = file,
                         .isExecutable = (facts.st_mode & S_IXUSR) != 0,
                         .changed = facts.st_mtime});
    }
}

} // namespace

std::vector<SourceFile> sourceFiles(const fs::path& program) {
    const fs::path root = program.parent_path().parent_path() / "share/weft/source";
    std::vector<SourceFile> files;
    for (const char* const part : parts) {
        const fs::path path = root / part;
        std::error_code fault;
        if (!fs::is_directory(path, fault)) {
            add(files, root, path);
            continue;
        }
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
            add(files, root, entry.path());
        }
    }
    if (files.empty() || files.front().name != "CMakeLists.txt") {
        throw Error(ErrorCode::file, Where{.file = root.string()},
                    "the sources of Weft were not found",
                    "install Weft with cmake --install, or run it from its build folder");
    }
    std::ranges::sort(files, {}, &SourceFile::name);
    return files;
}

} // namespace weft
