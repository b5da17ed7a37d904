// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/npz.h"

#include "data/arrays/npy.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zip.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace weft {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".npy";
constexpr std::size_t headBytes = std::size_t{1} << 17U;
constexpr std::int64_t mostArrays = 4096;

/// An open archive.
class Archive {
public:
    explicit Archive(const fs::path& path) : path_(path) {
        static_cast<void>(FileBytes(path)); // throws unless it is a regular file
        int error = 0;
        archive_.reset(zip_open(path.c_str(), ZIP_RDONLY, &error));
        if (!archive_) {
            zip_error_t reason;
            zip_error_init_with_code(&reason, error);
            const std::string text = zip_error_strerror(&reason);
            zip_error_fini(&reason);
            fail(fmt::format("is no .npz archive ({})", text));
        }
        if (zip_get_num_entries(archive_.get(), 0) > mostArrays) {
            fail(fmt::format("has more than {} parts", mostArrays));
        }
    }

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
        for (zip_int64_t k = 0; k < count; ++k) {
            const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(k), 0);
            if (name != nullptr && std::string_view(name).ends_with(ending)) {
                names.emplace_back(name, std::string_view(name).size() - ending.size());
            }
        }
        return names;
    }

    FileBytes read(const std::string& name, bool isHead) const {
        const std::string member = name + std::string(ending);
        zip_stat_t status;
        zip_stat_init(&status);
        if (zip_stat(archive_.get(), member.c_str(), 0, &status) != 0) {
            throw Error(ErrorCode::format, {.file = path_.string()},
                        fmt::format("has no array {}", name),
                        fmt::format("name one of {}", fmt::join(names(), ", ")));
        }
        if ((status.valid & ZIP_STAT_SIZE) == 0 || status.size > mostBytes) {
            fail(fmt::format("does not say how large {} is", name));
        }
        const auto size = static_cast<std::size_t>(status.size);
        const fs::path inner = path_ / member;
        FileBytes begin(inner, unpacked(member, std::min(size, headBytes)),
                        static_cast<std::int64_t>(size));
        // Compares the size that the archive declares with what the array needs.
        static_cast<void>(readNpyHeader(begin));
        if (isHead || size <= headBytes) {
            return begin;
        }
        return {inner, unpacked(member, size), static_cast<std::int64_t>(size)};
    }

private:
    static constexpr zip_uint64_t mostBytes = zip_uint64_t{1} << 40U;

    struct Closing {
        void operator()(zip_t* archive) const { zip_discard(archive); }
        void operator()(zip_file_t* file) const { static_cast<void>(zip_fclose(file)); }
    };

    /// In pieces, so that memory grows only as far as there are data.
    [[nodiscard]] std::vector<std::byte> unpacked(const std::string& member,
                                                  std::size_t size) const {
        constexpr std::size_t piece = std::size_t{1} << 20U;
        const std::unique_ptr<zip_file_t, Closing> file(
            zip_fopen(archive_.get(), member.c_str(), 0));
        if (!file) {
            fail(fmt::format("cannot be unpacked ({})", zip_strerror(archive_.get())));
        }
        std::vector<std::byte> bytes;
        while (bytes.size() < size) {
            const std::size_t before = bytes.size();
            bytes.resize(std::min(size, before + piece));
            const zip_int64_t got =
                zip_fread(file.get(), bytes.data() + before, bytes.size() - before);
            if (got <= 0) {
                fail(fmt::format("is damaged: {} cannot be unpacked", member));
            }
            bytes.resize(before + static_cast<std::size_t>(got));
        }
        return bytes;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorCode::format, {.file = path_.string()}, what,
                    "save the arrays again with numpy.savez, or download the file again");
    }

    fs::path path_;
    std::unique_ptr<zip_t, Closing> archive_;
};

} // namespace

std::vector<std::string> npzNames(const std::filesystem::path& path) {
    return Archive(path).names();
}

FileBytes npzArray(const std::filesystem::path& path, const std::string& name, bool isHead) {
    return Archive(path).read(name, isHead);
}

} // namespace weft
