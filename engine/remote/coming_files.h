// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files of a copy that come in pieces and show once they are whole: a design, a checkpoint. Until
// then they grow under ".coming". Over the next line, and for the next process, a file goes on with
// the byte after its last, if the host still has the same version of it.

#include "remote/mirrored_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class ComingFiles {
public:
    /// Finds what has come before. `ending` keeps files of a process apart that brings some beside
    /// the one that makes the copy grow; it begins anew.
    explicit ComingFiles(std::filesystem::path folder, std::string ending = {});

    /// With its last piece a file shows in the folder. Error{format} for a piece that does not go
    /// on where its file ends; Error{file} where it can't be written: the file is as it was.
    void take(const FilePart& part);
    /// What has come of files that do not show yet.
    [[nodiscard]] std::vector<HeldFile> held() const;
    [[nodiscard]] std::optional<HeldFile> held(const std::string& path) const;

private:
    void find();
    void forget(const std::string& path);
    [[nodiscard]] std::filesystem::path placeOf(const std::string& path,
                                                std::uint64_t version) const;

    std::filesystem::path folder_;
    std::string ending_;
    std::map<std::string, std::uint64_t> versions_; ///< of what comes, by path
};

/// Writes a piece into the file at `place`. Errors as of `ComingFiles::take`.
void writePart(const FilePart& part, const std::filesystem::path& place);

} // namespace weft
