// SPDX-License-Identifier: Apache-2.0
#pragma once
// Packs files to one stream for `tar xzf -`. Files are read while they are sent; nothing is written
// here.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace weft {

class TarStream {
public:
    using Sink = std::function<void(std::string_view bytes)>; ///< receives the compressed bytes
    using HasGone = std::function<void(std::size_t bytes)>;   ///< called with the bytes read

    explicit TarStream(Sink sink);
    ~TarStream();
    TarStream(const TarStream&) = delete;
    TarStream& operator=(const TarStream&) = delete;

    struct Member {
        std::string name; ///< may contain folders that do not exist; at most 99 bytes
        bool isExecutable = false;
        std::int64_t changed = 0; ///< seconds of Unix time
    };
    void addText(const Member& member, std::string_view text); ///< a small file with this text
    /// Calls `hasGone` with the number of bytes read since the last call. Throws Error{file} if the
    /// file cannot be read.
    void addFile(const Member& member, const std::filesystem::path& file, const HasGone& hasGone);
    /// Completes the stream. Call once.
    void finish(); ///< call once

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
