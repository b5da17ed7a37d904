// SPDX-License-Identifier: Apache-2.0
#include "remote/install/engine_files.h"

#include "base/process/this_program.h"
#include "remote/query_program.h"
#include <weft/error.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// True for libraries that belong to the host's driver, which must match it rather than the
/// program.
bool isOfADriver(std::string_view name) {
    return name.starts_with("libcuda.so") || name.starts_with("libnvidia-");
}

bool isProgram(const fs::path& file) {
    std::array<char, 4> begin{};
    std::ifstream in(file, std::ios::binary);
    return in.read(begin.data(), begin.size()) && std::string_view(begin.data(), begin.size()) ==
                                                      "\x7f"
                                                      "ELF";
}

void add(std::vector<EngineFile>& files, std::string_view name, const fs::path& path) {
    if (!isOfADriver(name) && std::ranges::count(files, name, &EngineFile::name) == 0) {
        files.push_back({std::string(name), path});
    }
}

/// Adds the other parts of the C library. Libraries of the host that are opened later (a driver's)
/// need them, and the host's own parts may not fit this C library.
void addCompanions(std::vector<EngineFile>& files) {
    const auto c = std::ranges::find(files, "libc.so.6", &EngineFile::name);
    if (c == files.end()) {
        return;
    }
    const fs::path folder = c->path.parent_path();
    for (const char* const name :
         {"libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1", "libresolv.so.2"}) {
        std::error_code ignored;
        if (fs::exists(folder / name, ignored)) {
            add(files, name, folder / name);
        }
    }
}

} // namespace

std::vector<EngineFile> librariesIn(const std::string& list) {
    std::vector<EngineFile> files;
    std::istringstream lines(list);
    for (std::string line; std::getline(lines, line);) {
        // Lines such as "libz.so.1 => /lib/libz.so.1 (0x7f...)", "/lib64/ld-linux-x86-64.so.2
        // (0x7f...)", and "linux-vdso.so.1 (0x7f...)", which is not a file.
        line.erase(0, line.find_first_not_of(" \t"));
        line.erase(std::min(line.rfind(" ("), line.size()));
        const std::size_t arrow = line.find(" => ");
        const fs::path asked = line.substr(0, arrow);
        const fs::path path = arrow == std::string::npos ? asked : fs::path(line.substr(arrow + 4));
        if (path == "not found") {
            throw Error(ErrorCode::file, Where{.file = asked.string()},
                        "a shared library of weft was not found",
                        "install the library, or build Weft again");
        }
        const std::string name = asked.filename().string();
        if (path.is_absolute()) {
            add(files, asked.is_absolute() && name.starts_with("ld") ? carriedLoader : name, path);
        }
    }
    addCompanions(files);
    return files;
}

std::vector<EngineFile> engineFiles(const fs::path& program) {
    fs::path file = program;
    std::vector<std::string> words;
    if (program.empty()) {
        file = fs::read_symlink("/proc/self/exe");
        if (isCarried()) {
            words = {file.string(), "--library-path", file.parent_path().string()};
            file.replace_filename(carriedProgram);
        }
    }
    if (!isProgram(file)) {
        throw Error(ErrorCode::usage, Where{.file = file.string()},
                    "is not a program whose shared libraries can be listed",
                    "name the weft program to copy");
    }
    words.push_back(file.string());
    // With this variable the loader lists what it would load and runs nothing of the program.
    const ProgramAnswer said =
        answerOf({.words = words, .environment = {{"LD_TRACE_LOADED_OBJECTS", "1"}}});
    std::vector<EngineFile> files =
        said.isFine() ? librariesIn(said.said) : std::vector<EngineFile>{};
    if (std::ranges::count(files, carriedLoader, &EngineFile::name) == 0) {
        throw Error(ErrorCode::usage, Where{.file = file.string()},
                    "the loader does not list its libraries: " + said.complaint(),
                    "run ldd on the program to see the cause");
    }
    files.insert(files.begin(), {std::string(carriedProgram), file});
    return files;
}

} // namespace weft
