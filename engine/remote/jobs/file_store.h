// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files that hosts receive for the jobs of a runs folder. Each is stored once, under the hash of
// its content (`fileHash`). It arrives in pieces, also over several connections, and becomes
// available when its hash is right. Several processes may receive the same file at once. Not
// thread-safe.

#include "base/hash.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace weft {

/// Returns the name under which a file is stored: 32 digits.
[[nodiscard]] std::string fileHash(const std::filesystem::path& file);

struct StoredBytes {
    std::uint64_t bytes = 0; ///< bytes received; the next piece begins after them
    bool isWhole = false;    ///< complete and with the right hash
    bool operator==(const StoredBytes&) const = default;
};

class FileStore {
public:
    explicit FileStore(std::filesystem::path runs);

    /// Returns what is stored. Asking for a file protects it from prune().
    [[nodiscard]] StoredBytes held(const std::string& hash) const; ///< what has arrived
    /// Stores bytes at the offset of a file of `total` bytes. If all bytes are there but the file
    /// is not whole yet, each call hashes a part of them: call again without bytes. Throws
    /// Error{usage} if a gap would remain, and Error{format} if the content does not match the
    /// hash; then the file is removed and may be sent again.
    StoredBytes put(const std::string& hash, std::uint64_t offset, std::string_view bytes,
                    std::uint64_t total);
    /// Returns the path of a complete file. Throws Error{usage} if it is not complete.
    [[nodiscard]] std::filesystem::path completeFile(const std::string& hash) const;
    /// Makes a complete file available read-only at that path, which must not exist.
    void linkFile(const std::string& hash, const std::filesystem::path& file) const; ///< read-only
    /// Removes files that no job uses and that nobody has asked for in that time.
    void prune(std::chrono::hours unused) const;

private:
    /// How much of an incomplete file has been hashed.
    struct PartialHash {
        Hash128Stream stream = {}; ///< hash so far
        std::uint64_t bytes = 0;   ///< bytes hashed so far
    };

    bool hashUpTo(const std::string& hash, int file, std::uint64_t until); ///< true: done
    void publish(int file, const std::string& hash) const; ///< makes a complete file available

    std::filesystem::path runs_;                            ///< the runs folder
    std::map<std::string, PartialHash> partialHashes_ = {}; ///< by the hash of the whole file
};

} // namespace weft
