// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files that are whole or not there: written beside, synced, renamed. Whatever fails is Error{file}
// that names the path and what to do; the file that was there before is untouched.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace weft {

/// Throws Error{file} for the system's error `number`: "run/design.weft: cannot write: no space
/// left: free some ...".
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
    int release();

private:
    int descriptor_ = -1;
};

/// A stream whose file appears under its name at `commit()`, or not at all. What a killed process
/// left beside goes when the name is next written.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Syncs the file, renames it and syncs its folder.
    void commit();

private:
    void openBeside();

    std::filesystem::path path_;
    std::filesystem::path beside_;
    FileHandle file_;
    std::uint64_t size_ = 0;
};

void writeFileWhole(const std::filesystem::path& path, std::span<const std::byte> bytes);
void writeFileWhole(const std::filesystem::path& path, std::string_view text);

/// All of a regular file; more than `limit` bytes is Error{format}, anything but a file
/// Error{file}.
[[nodiscard]] std::string readFile(const std::filesystem::path& path, std::size_t limit);

/// Makes the folder and those above it that are missing.
void makeFolder(const std::filesystem::path& path);

/// What a crash of the machine may still forget: the entries of the folder.
void syncFolder(const std::filesystem::path& path);

} // namespace weft
