// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mirror of a remote run: a local folder that all readers of runs treat as a run. It accepts
// pieces of files from an untrusted host and writes only within its folder. One process updates it;
// any number may read.

#include "base/files/files.h"
#include "events/mirror_status.h"
#include "remote/mirror/coming_files.h"
#include "remote/mirror/mirrored_file.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace weft {

class Mirror {
public:
    /// Opens the mirror and creates its folder if necessary; truncates frames and lines that a
    /// killed process left unfinished. None if another process updates the mirror.
    [[nodiscard]] static std::optional<Mirror> open(const std::filesystem::path& folder,
                                                    std::string_view host, std::string_view run);
    /// Marks the mirror as disconnected.
    ~Mirror();
    Mirror(Mirror&&) noexcept = default;
    Mirror& operator=(Mirror&&) = delete;

    /// Returns what the mirror has, including incomplete files.
    [[nodiscard]] std::vector<HeldFile> held() const; ///< also incomplete files
    [[nodiscard]] const ComingFiles& coming() const { return coming_; }
    /// Adds a piece. Throws Error{format} for a piece that no run has or that does not continue the
    /// mirror's file, and Error{file} if writing fails; then the mirror is unchanged.
    void take(const FilePart& part); ///< adds a piece

    /// Adds a piece of a requested file to a mirror that another process updates.
    static void takeRequested(const std::filesystem::path& folder, ComingFiles& coming,
                              const FilePart& part);

    /// Removes the folder if nothing has arrived.
    void removeIfEmpty() const; ///< if nothing has arrived

    [[nodiscard]] const MirrorStatus& status() const { return status_; }
    void setStatus(MirrorStatus status); ///< and writes mirror.json

private:
    Mirror(std::filesystem::path folder, FileHandle lock);
    void cutTornEnds() const; ///< unfinished frames and lines

    std::filesystem::path folder_;
    FileHandle lock_;    ///< held by the process that updates the mirror
    ComingFiles coming_; ///< incomplete files
    MirrorStatus status_ = {};
};

} // namespace weft
