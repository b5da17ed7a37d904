// SPDX-License-Identifier: Apache-2.0
#include "data/films/pictures.h"

#include "data/offered_files.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace weft {

namespace {

using std::string_view_literals::operator""sv;

/// The first bytes of a file format.
struct Beginning {
    std::string_view format;
    std::string_view bytes;
    std::size_t offset = 0;
};

constexpr auto beginnings = std::to_array<Beginning>({
    {"PNG", "\x89PNG\r\n\x1A\n"},
    {"PNM", "P2"},
    {"PNM", "P3"},
    {"PNM", "P5"},
    {"PNM", "P6"},
    {"JPEG", "\xFF\xD8\xFF"},
    {"TIFF", "II*\0"sv},
    {"TIFF", "MM\0*"sv},
    {"TIFF", "II+\0"sv},
    {"TIFF", "MM\0+"sv},
    {"PBM", "P1"},
    {"PBM", "P4"},
    {"PAM", "P7"},
    {"BMP", "BM"},
    {"WebP", "WEBP", 8},
    {"HEIF", "ftyphei", 4},
    {"HEIF", "ftypmif1", 4},
    {"AVIF", "ftypavif", 4},
    {"film", "GIF8"},
    {"film", "RIFF"},
    {"film", "ftyp", 4},
    {"film", "\x1A\x45\xDF\xA3"},
});

/// The package that provides an optional format.
struct Package {
    std::string_view format;
    std::string_view package;
};
constexpr std::array<Package, 2> packages{
    {{"JPEG", "libjpeg62-turbo-dev"}, {"TIFF", "libtiff-dev"}}};

constexpr std::array<std::string_view, 6> pictureEndings{".png", ".pgm", ".ppm",
                                                         ".pnm", ".jpg", ".jpeg"};
constexpr std::array<std::string_view, 2> pageEndings{".tif", ".tiff"};
constexpr std::array<std::string_view, 14> filmEndings{".gif",  ".apng", ".mp4", ".avi", ".mkv",
                                                       ".webm", ".mov",  ".m4v", ".mpg", ".mpeg",
                                                       ".wmv",  ".flv",  ".ogv", ".mng"};
/// Picture formats, still or moving, that Weft cannot read.
constexpr std::array<std::string_view, 3> unreadEndings{".webp", ".heic", ".avif"};

const PictureFormatList& builtFormats() {
    static const PictureFormatList list = [] {
        PictureFormatList made;
        films::fill(made);
        return made;
    }();
    return list;
}

constexpr const char* saveAs = "save it as PNG, PGM, PPM, JPEG or TIFF";

const PictureFormat& formatOf(const PictureFile& file) {
    const std::string head = file.head(16);
    const auto* const known = std::ranges::find_if(beginnings, [&](const Beginning& each) {
        return head.size() >= each.offset &&
               std::string_view(head).substr(each.offset).starts_with(each.bytes);
    });
    if (known == beginnings.end()) {
        file.fail(head.empty() ? "is empty" : "is not in a known picture format",
                  fmt::format("use one of {}", fmt::join(pictureFormats(), ", ")));
    }
    if (known->format == "film") {
        refuseFilm(file.path());
    }
    const auto& built = builtFormats();
    const auto format = std::ranges::find(built, known->format, &PictureFormat::name);
    if (format != built.end()) {
        return *format;
    }
    const auto* const missing = std::ranges::find(packages, known->format, &Package::format);
    if (missing == packages.end()) {
        file.fail(fmt::format("has an unsupported format: {}", known->format), saveAs);
    }
    file.fail(fmt::format("is in the format {}, which this build of Weft does not support",
                          known->format),
              fmt::format("install {} and build Weft again, or save it as PNG", missing->package));
}

} // namespace

PictureEnding pictureEnding(std::string_view name) {
    const auto has = [&](std::string_view ending) { return endsWith(name, ending); };
    return std::ranges::any_of(pictureEndings, has)  ? PictureEnding::picture
           : std::ranges::any_of(pageEndings, has)   ? PictureEnding::pages
           : std::ranges::any_of(filmEndings, has)   ? PictureEnding::film
           : std::ranges::any_of(unreadEndings, has) ? PictureEnding::unread
                                                     : PictureEnding::none;
}

void refuseFilm(const std::filesystem::path& path) {
    throw Error(ErrorCode::format, {.file = path.string()},
                "is a movie or an animation in one file, which is not supported",
                fmt::format("extract its frames as pictures into a folder, as with: ffmpeg -i {} "
                            "frames/%06d.png",
                            path.filename().string()));
}

void refuseUnreadable(const std::filesystem::path& path) {
    const PictureEnding ending = pictureEnding(path.filename().string());
    if (ending == PictureEnding::film) {
        refuseFilm(path);
    }
    if (ending == PictureEnding::unread) {
        throw Error(ErrorCode::format, {.file = path.string()}, "has an unsupported format",
                    saveAs);
    }
}

std::vector<PictureAt> pagesOf(const std::filesystem::path& path) {
    const PictureFile file(path);
    const PictureFormat& format = formatOf(file);
    if (format.pages == nullptr) {
        return {{path, 0}};
    }
    std::vector<PictureAt> pages;
    for (const std::uint64_t page : format.pages(file)) {
        pages.push_back({path, page});
    }
    return pages;
}

PictureForm formOf(const PictureAt& picture) {
    const PictureFile file(picture.path);
    return formatOf(file).form(file, picture.page);
}

Still readPicture(const PictureAt& picture, double background) {
    const PictureFile file(picture.path);
    Still still = formatOf(file).read(file, picture.page);
    if (still.hasAlpha) {
        blendAlpha(still, background);
    }
    return still;
}

std::vector<std::string_view> pictureFormats() {
    std::vector<std::string_view> names;
    for (const PictureFormat& format : builtFormats()) {
        names.push_back(format.name);
    }
    return names;
}

void ensurePlausibleSize(const PictureFile& file, const PictureForm& form, std::int64_t bytes) {
    constexpr std::int64_t mostPixels = std::int64_t{64} << 20U;
    // The best compression ratio of one byte.
    constexpr std::int64_t mostPacked = 2048;
    const bool isSome = form.rows > 0 && form.columns > 0;
    if (!isSome || form.rows > mostPixels || form.columns > mostPixels / form.rows) {
        file.fail(fmt::format("claims {} x {} pixels", form.columns, form.rows),
                  isSome ? "cut it into pictures of no more than 64 million pixels" : "");
    }
    if (form.rows * form.columns * form.channels * bytes > mostPacked * file.size()) {
        file.fail(
            fmt::format("claims {} x {} pixels in {} bytes", form.columns, form.rows, file.size()));
    }
}

void blendAlpha(Still& picture, double background) {
    const auto channels = static_cast<std::size_t>(picture.form.channels);
    const std::uint32_t most = picture.most;
    const auto behind = static_cast<std::uint32_t>(std::lround(background * most));
    const std::size_t pixels = picture.samples.size() / (channels + 1);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        const std::uint16_t* from = picture.samples.data() + pixel * (channels + 1);
        std::uint16_t* to = picture.samples.data() + pixel * channels;
        const std::uint32_t alpha = from[channels];
        for (std::size_t channel = 0; channel < channels; ++channel) {
            const std::uint32_t blended = from[channel] * alpha + behind * (most - alpha);
            to[channel] = static_cast<std::uint16_t>((blended + most / 2) / most);
        }
    }
    picture.hasAlpha = false;
    picture.samples.resize(pixels * channels);
}

} // namespace weft
