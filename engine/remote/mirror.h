// SPDX-License-Identifier: Apache-2.0
#pragma once
// The copy of a run that grows here: a folder that every reader of runs takes for one. It takes
// pieces of files from a host that it does not trust, and lets nothing out of its folder. One
// process makes it grow; any number read.

#include "base/files.h"
#include "events/mirror_word.h"
#include "remote/coming_files.h"
#include "remote/mirrored_file.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace weft {

class Mirror {
public:
    /// Makes the folder where there is none, and cuts off what a kill left half written. Nothing
    /// where another process makes it grow.
    [[nodiscard]] static std::optional<Mirror> open(const std::filesystem::path& folder,
                                                    std::string_view host, std::string_view run);
    /// The line counts as lost from here on.
    ~Mirror();
    Mirror(Mirror&&) noexcept = default;
    Mirror& operator=(Mirror&&) = delete;

    /// What it has, the pieces of files among it that do not show yet.
    [[nodiscard]] std::vector<HeldFile> held() const;
    [[nodiscard]] const ComingFiles& coming() const { return coming_; }
    /// Error{format} for a piece that no run has or that does not go on where the copy ends;
    /// Error{file} where it can't be written: the copy is as it was.
    void take(const FilePart& part);

    /// A piece of a file that was asked for, into a copy that another process makes grow.
    static void takeAsked(const std::filesystem::path& folder, ComingFiles& coming,
                          const FilePart& part);

    /// The folder goes, where nothing has come.
    void removeIfEmpty() const;

    [[nodiscard]] const MirrorWord& word() const { return word_; }
    void say(MirrorWord word);

private:
    Mirror(std::filesystem::path folder, FileHandle lock);
    void cutTornEnds() const;

    std::filesystem::path folder_;
    FileHandle lock_;
    ComingFiles coming_;
    MirrorWord word_ = {};
};

} // namespace weft
