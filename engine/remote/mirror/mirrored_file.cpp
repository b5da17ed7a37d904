// SPDX-License-Identifier: Apache-2.0
#include "remote/mirror/mirrored_file.h"

#include "base/hash.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace weft {

namespace {

constexpr std::string_view logEnding = ".weftlog";

/// Parses digits only.
template <class Number>
std::optional<Number> numberIn(std::string_view text) {
    Number number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isAll = fault == std::errc() && end == text.data() + text.size() && number >= 0;
    return isAll && !text.empty() ? std::optional(number) : std::nullopt;
}

/// Returns the text between `before` and `after`.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
    if (text.size() < before.size() + after.size() || !text.starts_with(before) ||
        !text.ends_with(after)) {
        return std::nullopt;
    }
    return text.substr(before.size(), text.size() - before.size() - after.size());
}

std::optional<MirroredFile> grown(std::string_view path) {
    const std::size_t cut = path.find('/');
    if (cut == std::string_view::npos) {
        const auto rank = between(path, "events.", logEnding);
        const auto number = rank ? numberIn<int>(*rank) : std::nullopt;
        return number ? std::optional(MirroredFile{FileGrowth::frames, *number}) : std::nullopt;
    }
    const auto rank = between(path.substr(0, cut), "spans.", "");
    const auto segment = between(path.substr(cut + 1), "", logEnding);
    const auto of = rank ? numberIn<int>(*rank) : std::nullopt;
    const auto number = segment ? numberIn<std::uint32_t>(*segment) : std::nullopt;
    return of && number && *number > 0
               ? std::optional(MirroredFile{FileGrowth::segment, *of, *number})
               : std::nullopt;
}

/// True for a path of plain names below one of the folders whose files are sent on request.
bool isAskedFor(std::string_view path) {
    constexpr std::array folders{"checkpoints/", "tensors/", "series/"};
    if (std::ranges::none_of(folders,
                             [&](std::string_view one) { return path.starts_with(one); })) {
        return false;
    }
    while (!path.empty()) {
        const std::string_view name = path.substr(0, path.find('/'));
        const bool isPlain = !name.empty() && name.size() < 256 && name.front() != '.' &&
                             std::ranges::all_of(name, [](char c) {
                                 return static_cast<unsigned char>(c) >= ' ' && c != 0x7f;
                             });
        if (!isPlain || name.size() + 1 == path.size()) {
            return false;
        }
        path.remove_prefix(std::min(path.size(), name.size() + 1));
    }
    return true;
}

} // namespace

std::optional<MirroredFile> mirroredFile(std::string_view path) {
    constexpr std::array wholes{"design.weft", "begin.json", "machine.json", "selection.json",
                                "figures.json"};
    constexpr std::array lines{"metrics.jsonl", "log.txt"};
    if (path.size() > 4096) {
        return std::nullopt;
    }
    const auto isNumbered = [path](std::string_view before, std::string_view after) {
        const auto number = between(path, before, after);
        return number && numberIn<int>(*number);
    };
    if (std::ranges::find(wholes, path) != wholes.end() || isNumbered("selection.", ".json") ||
        isNumbered("design.", ".weft")) {
        return MirroredFile{FileGrowth::whole};
    }
    if (std::ranges::find(lines, path) != lines.end()) {
        return MirroredFile{FileGrowth::lines};
    }
    if (const auto found = grown(path)) {
        return found;
    }
    return isAskedFor(path) ? std::optional(MirroredFile{FileGrowth::asked}) : std::nullopt;
}

std::uint64_t tailHash(const FileHandle& file, std::uint64_t end) {
    std::array<std::byte, 4096> tail{};
    const std::uint64_t size = std::min<std::uint64_t>(end, tail.size());
    const ssize_t got = ::pread(file.get(), tail.data(), size, static_cast<off_t>(end - size));
    return got == static_cast<ssize_t>(size) ? hash64(std::span(tail).first(size), end) : 0;
}

} // namespace weft
