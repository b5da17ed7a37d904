// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/png.h"

#include "base/files/output_file.h"
#include <weft/error.h>

#include <png.h>

#include <span>
#include <vector>

namespace weft {

namespace {

/// Frees libpng's memory for an image.
struct Image {
    Image() { image.version = PNG_IMAGE_VERSION; }
    ~Image() { png_image_free(&image); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    png_image image{};
};

} // namespace

void writePng(const std::filesystem::path& path, const Array& picture) {
    ensure(picture.dtype == DType::u8 && picture.shape.size() == 3 &&
               (picture.shape[0] == 1 || picture.shape[0] == 3),
           "a picture is bytes [channels, rows, columns] in grey or three colours");
    const auto channels = static_cast<std::size_t>(picture.shape[0]);
    std::vector<std::byte> mixed(picture.bytes.size());
    const std::size_t pixels = mixed.size() / channels;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::size_t channel = 0; channel < channels; ++channel) {
            mixed[pixel * channels + channel] = picture.bytes[channel * pixels + pixel];
        }
    }
    Image png;
    png.image.height = static_cast<png_uint_32>(picture.shape[1]);
    png.image.width = static_cast<png_uint_32>(picture.shape[2]);
    png.image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
    std::vector<std::byte> file(size);
    const bool isWritten =
        png_image_write_to_memory(&png.image, file.data(), &size, 0, mixed.data(), 0, nullptr) != 0;
    ensure(isWritten, "libpng writes a picture of bytes");
    OutputFile output(path);
    output.write(std::span(file).first(size));
    output.commit();
}

} // namespace weft
