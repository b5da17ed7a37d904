// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files that come over a line for the jobs of a runs folder, each once: known by the hash of what
// they hold (`fileHash`), begun in pieces that may come after a break, there once the hash is
// right. Several processes may take the same file at once. Belongs to one thread.

#include "base/hash.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace weft {

/// The name under which a file is stored: 32 digits.
[[nodiscard]] std::string fileHash(const std::filesystem::path& file);

struct StoredBytes {
    std::uint64_t bytes = 0; ///< that lie there: the next piece begins behind them
    bool isWhole = false;    ///< and are what they should be
    bool operator==(const StoredBytes&) const = default;
};

class FileStore {
public:
    explicit FileStore(std::filesystem::path runs);

    /// What asks for a file keeps it from being pruned.
    [[nodiscard]] StoredBytes held(const std::string& hash) const;
    /// The bytes at the offset, of so many in all. Where all lie there and it is not whole yet,
    /// they are still being looked through, a piece with each call: ask again, without any.
    /// Error{usage} where there would be a gap; Error{format} where the file is not the one that
    /// its hash says: it is gone then, and may be sent anew.
    StoredBytes put(const std::string& hash, std::uint64_t offset, std::string_view bytes,
                    std::uint64_t total);
    /// Where a whole one lies. Error{usage} while it has not come.
    [[nodiscard]] std::filesystem::path whole(const std::string& hash) const;
    /// A whole one under that name, which must be free, for reading.
    void place(const std::string& hash, const std::filesystem::path& file) const;
    /// Those go that no job has and nobody asked for that long.
    void prune(std::chrono::hours unused) const;

private:
    /// How far the bytes of a file that comes were looked through.
    struct Looked {
        Hash128Stream stream = {};
        std::uint64_t bytes = 0;
    };

    bool lookThrough(const std::string& hash, int file, std::uint64_t until);
    void keep(int file, const std::string& hash) const;

    std::filesystem::path runs_;
    std::map<std::string, Looked> looked_ = {};
};

} // namespace weft
