// SPDX-License-Identifier: Apache-2.0
#include "remote/jobs/job_files.h"

#include "base/files/files.h"
#include "remote/plain_names.h"
#include <weft/error.h>

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longestPart = 255;
constexpr std::size_t deepest = 32;

[[noreturn]] void throwBadName(std::string_view name) {
    throw Error(ErrorCode::usage, Where{.file = std::string(name)},
                "cannot be the name of a job's file",
                "use a path below the job's folder, with printable characters");
}

/// Checks a path component. Users choose the names of data, so only names that leave the folder or
/// control a terminal are refused.
void requirePart(std::string_view part, std::string_view name) {
    const bool isPlain = !part.empty() && part != "." && part != ".." &&
                         part.size() <= longestPart && part.find('\0') == std::string_view::npos &&
                         printable(part) == part;
    if (!isPlain) {
        throwBadName(name);
    }
}

[[noreturn]] void throwInTheWay(const fs::path& path) {
    throw Error(ErrorCode::file, Where{.file = path.string()},
                "exists, but is not a folder or a file of Weft", "move it away, and try again");
}

} // namespace

void requireRunName(std::string_view name) {
    if (!isRunName(name)) {
        throw Error(
            ErrorCode::usage, Where{.file = std::string(name.substr(0, 120))},
            "cannot be the name of a run on the host",
            "use at most 120 letters, digits, '.', '_' and '-', and no '.' at the beginning");
    }
}

fs::path makePrivateFolder(const fs::path& parent, std::string_view name) {
    fs::path folder = parent / name;
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        throwFileError(folder, "create the folder", errno);
    }
    std::error_code ignored;
    if (!fs::is_directory(fs::symlink_status(folder, ignored))) {
        throwInTheWay(folder);
    }
    return folder;
}

fs::path jobFilePath(const fs::path& folder, std::string_view name) {
    static constexpr std::array ours{"job.json", "end.json",   "output.txt",
                                     "code",     ".code.part", "submitting"};
    if (std::ranges::find(ours, name) != ours.end() ||
        std::ranges::count(name, '/') > static_cast<std::ptrdiff_t>(deepest)) {
        throwBadName(name);
    }
    fs::path place = folder;
    std::string_view rest = name;
    for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
         slash = rest.find('/')) {
        requirePart(rest.substr(0, slash), name);
        place = makePrivateFolder(place, rest.substr(0, slash));
        rest.remove_prefix(slash + 1);
    }
    requirePart(rest, name);
    place /= rest;
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(place, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        throwInTheWay(place);
    }
    return place;
}

} // namespace weft
