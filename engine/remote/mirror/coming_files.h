// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files of a mirrored run that arrive in pieces and appear only when complete: a design, a
// checkpoint. Until then they grow under ".coming". A new connection or process continues a file
// after its last byte if the host still has the same version.

#include "remote/mirror/mirrored_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class ComingFiles {
public:
    /// Finds the pieces that arrived before. `ending` separates the files of a process that fetches
    /// files besides the process that updates the mirror; such a process starts from nothing.
    explicit ComingFiles(std::filesystem::path folder, std::string ending = {});

    /// Adds a piece; with its last piece a file appears in the folder. Throws Error{format} for a
    /// piece that does not continue its file, and Error{file} if writing fails; then the file is
    /// unchanged.
    void take(const FilePart& part); ///< adds a piece
    /// Returns what has arrived of incomplete files.
    [[nodiscard]] std::vector<HeldFile> held() const; ///< incomplete files
    [[nodiscard]] std::optional<HeldFile> held(const std::string& path) const;

private:
    void findIncomplete();                ///< fills versions_
    void forget(const std::string& path); ///< removes what has arrived of the file
    [[nodiscard]] std::filesystem::path partialPathOf(const std::string& path,
                                                      std::uint64_t version) const;

    std::filesystem::path folder_; ///< folder of the mirror
    std::string suffix_;
    std::map<std::string, std::uint64_t> versions_; ///< versions of incomplete files by path
};

/// Writes a piece into the file at `place`. Throws like `ComingFiles::take`.
void writePart(const FilePart& part, const std::filesystem::path& place); ///< appends it

} // namespace weft
