// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/png.h"

#include "base/files.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <png.h>

#include <cstring>
#include <span>
#include <vector>

namespace weft {

namespace {

constexpr std::int64_t mostPixels = std::int64_t{64} << 20;
constexpr std::size_t mostBytes = std::size_t{512} << 20U;

/// Frees what libpng holds for a picture.
struct Image {
    Image() { image.version = PNG_IMAGE_VERSION; }
    ~Image() { png_image_free(&image); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    png_image image{};
};

[[noreturn]] void failPng(const std::filesystem::path& path, const std::string& what) {
    throw Error(ErrorCode::format, Where{.file = path.string()}, what,
                "give a picture that other programs open, saved as PNG");
}

/// Between one pixel after another and one channel after another.
void turn(const std::byte* from, std::byte* to, std::size_t pixels, std::size_t channels,
          bool toPlanes) {
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::size_t channel = 0; channel < channels; ++channel) {
            const std::size_t plane = channel * pixels + pixel;
            const std::size_t mixed = pixel * channels + channel;
            to[toPlanes ? plane : mixed] = from[toPlanes ? mixed : plane];
        }
    }
}

} // namespace

Array readPng(const std::filesystem::path& path, std::int64_t channels) {
    ensure(channels == 1 || channels == 3, "a picture is read in grey or in three colours");
    const std::string file = readFile(path, mostBytes);
    Image png;
    if (png_image_begin_read_from_memory(&png.image, file.data(), file.size()) == 0) {
        failPng(path, fmt::format("is no PNG picture ({})", png.image.message));
    }
    const auto pixels = std::int64_t{png.image.width} * png.image.height;
    if (pixels == 0 || pixels > mostPixels) {
        failPng(path, fmt::format("claims {} x {} pixels", png.image.width, png.image.height));
    }
    png.image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    std::vector<std::byte> mixed(static_cast<std::size_t>(pixels * channels));
    // Where it is transparent one looks through to black.
    const png_color background{0, 0, 0};
    if (png_image_finish_read(&png.image, &background, mixed.data(), 0, nullptr) == 0) {
        failPng(path, fmt::format("cannot be read ({})", png.image.message));
    }
    Array picture{.dtype = DType::u8,
                  .shape = {channels, png.image.height, png.image.width},
                  .bytes = std::vector<std::byte>(mixed.size())};
    turn(mixed.data(), picture.bytes.data(), static_cast<std::size_t>(pixels),
         static_cast<std::size_t>(channels), true);
    return picture;
}

void writePng(const std::filesystem::path& path, const Array& picture) {
    ensure(picture.dtype == DType::u8 && picture.shape.size() == 3 &&
               (picture.shape[0] == 1 || picture.shape[0] == 3),
           "a picture is bytes [channels, rows, columns] in grey or three colours");
    const auto channels = static_cast<std::size_t>(picture.shape[0]);
    std::vector<std::byte> mixed(picture.bytes.size());
    turn(picture.bytes.data(), mixed.data(), mixed.size() / channels, channels, false);
    Image png;
    png.image.height = static_cast<png_uint_32>(picture.shape[1]);
    png.image.width = static_cast<png_uint_32>(picture.shape[2]);
    png.image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
    std::vector<std::byte> file(size);
    const bool isWritten =
        png_image_write_to_memory(&png.image, file.data(), &size, 0, mixed.data(), 0, nullptr) != 0;
    ensure(isWritten, "libpng writes a picture of bytes");
    writeFileWhole(path, std::span(file).first(size));
}

} // namespace weft
