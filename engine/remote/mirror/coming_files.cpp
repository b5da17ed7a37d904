// SPDX-License-Identifier: Apache-2.0
#include "remote/mirror/coming_files.h"

#include "base/files/files.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr const char* comingFolder = ".coming";

[[noreturn]] void throwStrange(const fs::path& place) {
    Where where;
    where.file = place.string();
    throw Error(ErrorCode::format, std::move(where),
                "a received piece does not start where the local copy ends",
                "request the file again: the copy then starts from the beginning");
}

/// Returns the path as the name of a single file: "checkpoints%2Fstep-1.safetensors".
std::string flat(std::string_view path) {
    std::string name;
    for (const char c : path) {
        name += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
    }
    return name;
}

std::string unflat(std::string name) {
    for (const auto& [word, packet] : {std::pair{"%2F", '/'}, std::pair{"%25", '%'}}) {
        for (std::size_t found = name.find(word); found != std::string::npos;
             found = name.find(word, found + 1)) {
            name.replace(found, 3, 1, packet);
        }
    }
    return name;
}

/// Parses a name under ".coming" of the process that updates the mirror: the path, '.', 16 digits.
std::optional<std::pair<std::string, std::uint64_t>> comingFrom(const std::string& name) {
    constexpr std::size_t digits = 16;
    if (name.size() < digits + 2 || name[name.size() - digits - 1] != '.') {
        return std::nullopt;
    }
    std::uint64_t version = 0;
    const char* const end = name.data() + name.size();
    const auto [last, fault] = std::from_chars(end - digits, end, version, 16);
    return fault == std::errc() && last == end && version != 0
               ? std::optional(std::pair(unflat(name.substr(0, name.size() - digits - 1)), version))
               : std::nullopt;
}

/// Writes all of the bytes, or leaves the file unchanged.
void append(const fs::path& path, const FileHandle& file, std::uint64_t offset,
            std::string_view bytes) {
    std::size_t written = 0;
    while (written < bytes.size()) {
        const ssize_t count = ::pwrite(file.get(), bytes.data() + written, bytes.size() - written,
                                       static_cast<off_t>(offset + written));
        if (count < 0 && errno != EINTR) {
            const int number = errno;
            static_cast<void>(::ftruncate(file.get(), static_cast<off_t>(offset)));
            throwFileError(path, "write", number);
        }
        written += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
}

} // namespace

void writePart(const FilePart& part, const fs::path& place) {
    makeFolder(place.parent_path());
    const int anew = part.isRestarted ? O_TRUNC : 0;
    const FileHandle file(
        ::open(place.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | anew, 0666));
    struct stat facts {};
    if (!file.isOpen() || ::fstat(file.get(), &facts) != 0) {
        throwFileError(place, "write", errno);
    }
    if (static_cast<std::uint64_t>(facts.st_size) != part.offset) {
        throwStrange(place);
    }
    append(place, file, part.offset, part.bytes);
}

ComingFiles::ComingFiles(fs::path folder, std::string ending)
    : folder_(std::move(folder)), suffix_(std::move(ending)) {
    suffix_.empty() ? findIncomplete() : void();
}

void ComingFiles::findIncomplete() {
    std::error_code ignored;
    std::vector<fs::path> others;
    for (const auto& entry : fs::directory_iterator(folder_ / comingFolder, ignored)) {
        const auto known = comingFrom(entry.path().filename().string());
        const bool isOne = known && entry.is_regular_file(ignored) &&
                           versions_.try_emplace(known->first, known->second).second;
        isOne ? void() : others.push_back(entry.path());
    }
    for (const fs::path& other : others) {
        fs::remove(other, ignored);
    }
}

void ComingFiles::forget(const std::string& path) {
    if (const auto known = versions_.find(path); known != versions_.end()) {
        std::error_code ignored;
        fs::remove(partialPathOf(path, known->second), ignored);
        versions_.erase(known);
    }
}

fs::path ComingFiles::partialPathOf(const std::string& path, std::uint64_t version) const {
    return folder_ / comingFolder / fmt::format("{}.{:016x}{}", flat(path), version, suffix_);
}

void ComingFiles::take(const FilePart& part) {
    const fs::path place = partialPathOf(part.path, part.version);
    if (part.isRestarted) {
        forget(part.path);
        versions_[part.path] = part.version;
    }
    const auto known = versions_.find(part.path);
    if (known == versions_.end() || known->second != part.version) {
        throwStrange(place);
    }
    writePart(part, place);
    if (part.isWhole) {
        versions_.erase(known);
        const fs::path shown = folder_ / part.path;
        makeFolder(shown.parent_path());
        fs::rename(place, shown);
    }
}

std::vector<HeldFile> ComingFiles::held() const {
    std::vector<HeldFile> held;
    for (const auto& [path, version] : versions_) {
        std::error_code gone;
        const std::uint64_t bytes = fs::file_size(partialPathOf(path, version), gone);
        if (!gone && version != 0) {
            held.push_back({.path = path, .bytes = bytes, .version = version});
        }
    }
    return held;
}

std::optional<HeldFile> ComingFiles::held(const std::string& path) const {
    const std::vector<HeldFile> all = held();
    const auto found = std::ranges::find(all, path, &HeldFile::path);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

} // namespace weft
