// SPDX-License-Identifier: Apache-2.0
// Reads PNG of every depth and colour type without applying gamma.
#include "data/films/picture.h"

#include <fmt/format.h>
#include <png.h>

#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>

namespace weft::films {

namespace {

/// libpng reports errors by longjmp into these functions, so their locals must not have
/// destructors.
class PngDecoder {
public:
    explicit PngDecoder(const PictureFile& file) : file_(file) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
        info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
        if (info_ == nullptr) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            file.fail("needs more memory than is free", "close other programs");
        }
    }
    PngDecoder(const PngDecoder&) = delete;
    PngDecoder& operator=(const PngDecoder&) = delete;
    ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }

    PictureForm form() {
        if (!begins()) {
            fail();
        }
        if (isAnimated_) {
            file_.fail("is an animated PNG, which is not supported",
                       "extract its frames as pictures, as with ffmpeg");
        }
        PictureForm form{.rows = png_get_image_height(png_, info_),
                         .columns = png_get_image_width(png_, info_),
                         .channels = isColoured() ? 3 : 1};
        ensurePlausibleSize(file_, form, 1);
        return form;
    }

    Still read() {
        Still picture{.form = form()};
        if (!isReadyForRows()) {
            fail();
        }
        const bool isWide = png_get_bit_depth(png_, info_) == 16;
        picture.most = isWide ? 65535 : 255;
        const std::size_t rowBytes = png_get_rowbytes(png_, info_);
        std::vector<png_byte> bytes(rowBytes * static_cast<std::size_t>(picture.form.rows));
        if (!areRead(bytes.data(), rowBytes, static_cast<std::size_t>(picture.form.rows))) {
            fail();
        }
        picture.samples.resize(bytes.size() / (isWide ? 2 : 1));
        if (isWide) {
            std::memcpy(picture.samples.data(), bytes.data(), bytes.size());
        } else {
            std::copy(bytes.begin(), bytes.end(), picture.samples.begin());
        }
        picture.hasAlpha = png_get_channels(png_, info_) > picture.form.channels;
        return picture;
    }

private:
    [[noreturn]] void fail() const {
        file_.fail(fmt::format("cannot be read ({})", message_.data()));
    }

    [[nodiscard]] bool isColoured() const {
        return (png_get_color_type(png_, info_) & PNG_COLOR_MASK_COLOR) != 0;
    }

    bool begins() {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        png_init_io(png_, file_.stream());
        // Keeps the animation chunk, which libpng would discard.
        constexpr std::array<png_byte, 5> animation{'a', 'c', 'T', 'L', 0};
        png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_ALWAYS, animation.data(), 1);
        png_read_info(png_, info_);
        png_unknown_chunkp unknown = nullptr;
        isAnimated_ = png_get_unknown_chunks(png_, info_, &unknown) > 0;
        return true;
    }

    bool isReadyForRows() {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        png_set_expand(png_);
        if constexpr (std::endian::native == std::endian::little) {
            png_set_swap(png_);
        }
        passes_ = png_set_interlace_handling(png_);
        png_read_update_info(png_, info_);
        return true;
    }

    bool areRead(png_bytep bytes, std::size_t rowBytes, std::size_t rows) {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        for (int pass = 0; pass < passes_; ++pass) {
            for (std::size_t row = 0; row < rows; ++row) {
                png_read_row(png_, bytes + row * rowBytes, nullptr);
            }
        }
        return true;
    }

    static void onError(png_structp png, png_const_charp message) {
        auto& self = *static_cast<PngDecoder*>(png_get_error_ptr(png));
        std::strncpy(self.message_.data(), message, self.message_.size() - 1);
        png_longjmp(png, 1);
    }
    static void onWarning(png_structp, png_const_charp) {}

    const PictureFile& file_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    int passes_ = 1;
    bool isAnimated_ = false;
    std::array<char, 200> message_ = {};
};

PictureForm formOfPng(const PictureFile& file, std::uint64_t) { return PngDecoder(file).form(); }
Still readPngPicture(const PictureFile& file, std::uint64_t) { return PngDecoder(file).read(); }

} // namespace

void png(PictureFormatList& list) {
    list.push_back({.name = "PNG", .form = formOfPng, .read = readPngPicture});
}

} // namespace weft::films
