// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the folder of a run has beyond what a copy of it holds, piece by piece, from the beginning
// and on as it grows; what is urgent first: what the run says, then its spans. A log goes as far as
// its last whole frame or line, so that a copy never has what the run may still cut off; what a
// copy has of a frame, as its line broke, goes on behind its last byte. Belongs to one thread.

#include "events/frame.h"
#include "remote/mirrored_file.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weft {

class RunStream {
public:
    /// `job`: where the design lies as long as the run has not begun.
    RunStream(std::filesystem::path run, std::filesystem::path job, std::vector<HeldFile> held,
              bool withSpans);
    ~RunStream();
    RunStream(RunStream&&) noexcept;
    RunStream& operator=(RunStream&&) = delete;

    /// The next piece, of at most a MiB; nothing while the copy has all there is. Error{file} where
    /// the folder can't be read.
    [[nodiscard]] std::optional<FilePart> next();
    /// Next piece of the run's own log; spans and requested files can wait.
    [[nodiscard]] std::optional<FilePart> nextUrgent();
    /// Next piece of a requested file. A file that has disappeared meanwhile is reported as gone.
    [[nodiscard]] std::optional<FilePart> nextAsked();
    /// On a slow line spans that lie far behind are left out.
    void leavesOutOld(bool does) { leavesOutOld_ = does; }

    /// Adds a file that comes when it is asked for, from where `held` ends, if that is a piece of
    /// it. Error{file} where there is none.
    void ask(const std::string& path, const std::optional<HeldFile>& held = {});

private:
    /// A file as far as it was sent.
    struct Sent {
        FileHandle plain = {};
        std::unique_ptr<FrameFile> frames = {}; ///< in its place, where it holds some
        std::uint64_t inode = 0;                ///< 0: it was never there
        std::uint64_t bytes = 0;
        std::uint64_t ready = 0; ///< to be sent: whole frames or lines reach so far
        bool isAnew = false;     ///< to be told with the next piece
        bool replaces = false;   ///< with its last piece the copy shows it
        std::uint64_t version = 0;

        [[nodiscard]] const FileHandle& file() const { return frames ? frames->file() : plain; }
    };

    /// Next piece of the growing files directly in the folder.
    std::optional<FilePart> nextOf(FileGrowth growth, const std::vector<std::string>& names);
    std::optional<FilePart> nextSpans();
    std::optional<FilePart> nextOfSpans(int rank);
    std::optional<FilePart> pieceOf(const std::string& path, FileGrowth growth, bool mayGrow);
    /// False: it is not there.
    bool open(const std::string& path, FileGrowth growth, Sent& sent, bool mayGrow);
    /// Goes on behind the pieces that the copy has of this version of the file.
    void goOnWithComing(const std::string& path, Sent& sent, std::uint64_t size) const;
    void findReady(FileGrowth growth, Sent& sent) const;
    FilePart take(const std::string& path, Sent& sent) const;

    [[nodiscard]] std::filesystem::path placeOf(const std::string& path) const;

    std::filesystem::path run_;
    std::filesystem::path job_;
    std::map<std::string, HeldFile> held_;
    std::map<std::string, HeldFile> coming_ = {}; ///< pieces of files that do not show yet
    bool withSpans_;
    bool leavesOutOld_ = false;
    std::deque<std::string> asked_ = {};
    std::map<std::string, Sent> sent_ = {};
    std::map<int, std::set<std::uint32_t>> segments_ = {}; ///< that the copy holds, by rank
};

} // namespace weft
