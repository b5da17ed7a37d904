// SPDX-License-Identifier: Apache-2.0
#pragma once
// Atomic file writes: to a temporary file that is synced and renamed. Failures throw Error{file}
// with the path and a remedy, and leave the previous file unchanged.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace weft {

/// Throws Error{file} for errno `number`: "run/design.weft: cannot write: no space left: free some
/// ...".
[[noreturn]] void throwFileError(const std::filesystem::path& path, std::string_view action,
                                 int number);

/// A file descriptor that closes itself.
class FileHandle {
public:
    FileHandle() = default;
    explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
    FileHandle(FileHandle&& other) noexcept : descriptor_(other.release()) {}
    FileHandle& operator=(FileHandle&& other) noexcept;
    ~FileHandle();

    [[nodiscard]] int get() const { return descriptor_; }
    [[nodiscard]] bool isOpen() const { return descriptor_ >= 0; }
    int release(); ///< gives up ownership

private:
    int descriptor_ = -1;
};

/// Writes a file that appears under its name at `commit()`, or not at all. The next writer of the
/// name removes temporary files of killed processes.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    [[nodiscard]] std::uint64_t size() const { return size_; } ///< bytes written so far
    /// Syncs the file, renames it and syncs its folder.
    void commit(); ///< makes the file appear under its name

private:
    void openTemporaryFile(); ///< creates the temporary file

    std::filesystem::path path_;
    std::filesystem::path temporaryPath_; ///< temporary file
    FileHandle file_;                     ///< the temporary file
    std::uint64_t size_ = 0;              ///< bytes written
};

void writeFileWhole(const std::filesystem::path& path, std::span<const std::byte> bytes);
void writeFileWhole(const std::filesystem::path& path, std::string_view text); ///< atomic

/// Reads a whole regular file. Throws Error{format} if it exceeds `limit` bytes, and Error{file} if
/// it is not a regular file.
[[nodiscard]] std::string readFile(const std::filesystem::path& path, std::size_t limit);

void makeFolder(const std::filesystem::path& path); ///< creates the folder and its missing parents

/// Syncs the entries of the folder, so that they survive a crash of the machine.
void syncFolder(const std::filesystem::path& path); ///< fsync of the folder's entries

} // namespace weft
