// SPDX-License-Identifier: Apache-2.0
#pragma once
// Returns piece by piece what a run's folder has beyond its mirror, from the beginning and as the
// run grows. Metrics and messages come first, then spans. A log is sent up to its last complete
// frame or line, so that the mirror never has what the run may still cut off; a frame that a broken
// connection interrupted continues after its last byte. Not thread-safe.

#include "events/frame.h"
#include "remote/mirror/mirrored_file.h"

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
    /// `job` contains the design as long as the run has not begun.
    RunStream(std::filesystem::path run, std::filesystem::path job, std::vector<HeldFile> held,
              bool withSpans);
    ~RunStream();
    RunStream(RunStream&&) noexcept;
    RunStream& operator=(RunStream&&) = delete;

    /// Returns the next piece, at most 1 MiB, or none if the mirror has everything. Throws
    /// Error{file} if the folder cannot be read.
    [[nodiscard]] std::optional<FilePart> next(); ///< none: the mirror has everything
    /// Next piece of the run's own log; spans and requested files can wait.
    [[nodiscard]] std::optional<FilePart> nextUrgent(); ///< without spans and requested files
    /// Next piece of a requested file. A file that has disappeared meanwhile is reported as gone.
    [[nodiscard]] std::optional<FilePart> nextAsked(); ///< next piece of a requested file
    /// Leaves out old spans, for a slow connection.
    void skipOldSpans(bool does) { skipsOldSpans_ = does; }

    /// Requests a file, from the end of `held` if that is a prefix of the file. Throws Error{file}
    /// if there is no such file.
    void ask(const std::string& path, const std::optional<HeldFile>& held = {});

private:
    /// A file and how far it was sent.
    struct Sent {
        FileHandle plain = {};                  ///< the open file, if it has no frames
        std::unique_ptr<FrameFile> frames = {}; ///< used instead of `plain` if the file has frames
        std::uint64_t inode = 0;                ///< 0: it never existed
        std::uint64_t bytes = 0;                ///< bytes that are sent
        std::uint64_t ready = 0;   ///< end of the complete frames or lines, which may be sent
        bool isRestarted = false;  ///< announced with the next piece
        bool replaces = false;     ///< becomes visible in the mirror with its last piece
        std::uint64_t version = 0; ///< announced with each piece; 0: unused

        [[nodiscard]] const FileHandle& file() const { return frames ? frames->file() : plain; }
    };

    /// Next piece of the growing files directly in the folder.
    std::optional<FilePart> nextOf(FileGrowth growth, const std::vector<std::string>& names);
    std::optional<FilePart> nextSpans();           ///< next piece of any rank's segments
    std::optional<FilePart> nextOfSpans(int rank); ///< next piece of one rank's segments
    std::optional<FilePart> pieceOf(const std::string& path, FileGrowth growth, bool mayGrow);
    /// Returns false if the file does not exist.
    bool open(const std::string& path, FileGrowth growth, Sent& sent, bool mayGrow);
    /// Continues after the pieces that the mirror has of this version of the file.
    void continuePieces(const std::string& path, Sent& sent, std::uint64_t size) const;
    void findReady(FileGrowth growth, Sent& sent) const;      ///< sets sent.ready
    FilePart take(const std::string& path, Sent& sent) const; ///< reads the next piece

    [[nodiscard]] std::filesystem::path filePathOf(const std::string& path) const;

    std::filesystem::path run_;                   ///< the run's folder
    std::filesystem::path job_;                   ///< folder with the design until the run begins
    std::map<std::string, HeldFile> held_;        ///< what the mirror had at the start, by path
    std::map<std::string, HeldFile> coming_ = {}; ///< pieces of incomplete files
    bool withSpans_;                              ///< also send spans
    bool skipsOldSpans_ = false;                  ///< for a slow connection
    std::deque<std::string> asked_ = {};          ///< paths of requested files, in order
    std::map<std::string, Sent> sent_ = {};       ///< by path
    /// Segments that the mirror has, keyed by rank.
    std::map<int, std::set<std::uint32_t>> segments_ = {}; ///< segments that the mirror has
};

} // namespace weft
