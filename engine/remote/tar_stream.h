// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files as one packed stream, as `tar xzf -` takes it apart: read while they go, with nothing
// written here.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace weft {

class TarStream {
public:
    using Sink = std::function<void(std::string_view bytes)>;
    using HasGone = std::function<void(std::size_t bytes)>;

    explicit TarStream(Sink sink);
    ~TarStream();
    TarStream(const TarStream&) = delete;
    TarStream& operator=(const TarStream&) = delete;

    struct Member {
        std::string name; ///< with folders, which need not be there; at most 99 bytes
        bool isExecutable = false;
        std::int64_t changed = 0; ///< seconds of Unix time
    };
    void addText(const Member& member, std::string_view text);
    /// `hasGone` hears how much of it has been read further. Error{file} where it can't be.
    void addFile(const Member& member, const std::filesystem::path& file, const HasGone& hasGone);
    /// Once; until then the stream isn't whole.
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
