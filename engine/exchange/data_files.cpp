// SPDX-License-Identifier: Apache-2.0
// Finds the data files that a design needs on another machine. Verifies the list by opening the
// design in a folder that holds nothing else.
#include "data/open.h"
#include <weft/error.h>
#include <weft/exchange.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <system_error>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// A temporary folder of symbolic links. The destructor removes it.
class FolderOfLinks {
public:
    FolderOfLinks() {
        std::string name = (fs::temp_directory_path() / "weft-files-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw Error(ErrorCode::file, Where{.file = name},
                        std::string("cannot create the folder: ") + std::strerror(errno),
                        "set TMPDIR to a folder in which files can be created");
        }
        path_ = name;
    }
    ~FolderOfLinks() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    FolderOfLinks(const FolderOfLinks&) = delete;
    FolderOfLinks& operator=(const FolderOfLinks&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }
    void add(const DataFile& file) const {
        fs::create_directories((path_ / file.name).parent_path());
        fs::create_symlink(file.path, path_ / file.name);
    }

private:
    fs::path path_;
};

bool isBelow(const fs::path& path, const fs::path& folder) {
    const fs::path from = path.lexically_relative(folder);
    return !from.empty() && *from.begin() != "..";
}

[[noreturn]] void throwStays(const fs::path& path) {
    throw Error(
        ErrorCode::usage, Where{.file = path.string()},
        "is outside the folder of the design, so that its path on the host is unknown",
        "use a path below the folder of the design, or give the folder of the data on the host");
}

DataFile dataFileAt(const fs::path& path, const std::vector<fs::path>& folders) {
    const auto folder =
        std::ranges::find_if(folders, [&](const fs::path& each) { return isBelow(path, each); });
    if (folder == folders.end()) {
        throwStays(path);
    }
    return {.name = path.lexically_relative(*folder).string(),
            .path = path,
            .bytes = {static_cast<std::int64_t>(fs::file_size(path))}};
}

} // namespace

std::vector<DataFile> dataFilesOf(const Design& design, const std::vector<fs::path>& folders) {
    std::vector<fs::path> whole;
    std::ranges::transform(folders, std::back_inserter(whole), [](const fs::path& folder) {
        return (fs::absolute(folder) / "").lexically_normal();
    });
    const SourceList kinds = sourceKinds();
    DataFolders from;
    if (!whole.empty()) {
        from = {whole.front(), {std::next(whole.begin()), whole.end()}};
    }
    std::vector<DataFile> files;
    for (const fs::path& path : filesRead(design.data, from, kinds)) {
        files.push_back(dataFileAt(path, whole));
    }
    const FolderOfLinks alone;
    std::ranges::for_each(files, [&](const DataFile& file) { alone.add(file); });
    for (const fs::path& path : filesRead(design.data, {alone.path(), {}}, kinds)) {
        if (!isBelow(path, alone.path())) {
            throwStays(path);
        }
    }
    return files;
}

} // namespace weft
