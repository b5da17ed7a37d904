// SPDX-License-Identifier: Apache-2.0
// Reads JPEG, grey and colour, baseline and progressive.
#include "data/films/picture.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>

// libjpeg's header uses size_t and FILE without including their headers.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <csetjmp>

namespace weft::films {

namespace {

/// Bounds the work of small files with many useless scans.
constexpr int mostScans = 500;

/// libjpeg reports errors by longjmp into these functions, so their locals must not have
/// destructors.
class JpegDecoder {
public:
    explicit JpegDecoder(const PictureFile& file) : file_(file) {
        info_.err = jpeg_std_error(&errors_);
        info_.client_data = this;
        errors_.error_exit = onError;
        errors_.emit_message = onMessage;
        progress_.progress_monitor = onProgress;
        if (!isMade()) {
            fail();
        }
    }
    JpegDecoder(const JpegDecoder&) = delete;
    JpegDecoder& operator=(const JpegDecoder&) = delete;
    ~JpegDecoder() { jpeg_destroy_decompress(&info_); }

    PictureForm form() {
        if (!begins()) {
            fail();
        }
        if (info_.num_components != 1 && info_.num_components != 3) {
            file_.fail(fmt::format("is a JPEG with {} color components", info_.num_components),
                       "save it in grayscale or RGB");
        }
        PictureForm form{.rows = info_.image_height,
                         .columns = info_.image_width,
                         .channels = info_.num_components};
        ensureModest(file_, form, 1);
        return form;
    }

    Still read() {
        Still picture{.form = form()};
        std::vector<JSAMPLE> bytes(static_cast<std::size_t>(
            picture.form.rows * picture.form.columns * picture.form.channels));
        const auto row = static_cast<std::size_t>(picture.form.columns * picture.form.channels);
        if (!areRead(bytes.data(), row)) {
            fail();
        }
        picture.samples.assign(bytes.begin(), bytes.end());
        return picture;
    }

private:
    [[noreturn]] void fail() const {
        file_.fail(fmt::format("cannot be read ({})", message_.data()));
    }

    bool isMade() {
        if (setjmp(back_) != 0) {
            return false;
        }
        jpeg_create_decompress(&info_);
        info_.progress = &progress_;
        return true;
    }

    bool begins() {
        if (setjmp(back_) != 0) {
            return false;
        }
        jpeg_stdio_src(&info_, file_.stream());
        jpeg_read_header(&info_, TRUE);
        return true;
    }

    bool areRead(JSAMPLE* bytes, std::size_t row) {
        if (setjmp(back_) != 0) {
            return false;
        }
        info_.out_color_space = info_.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_start_decompress(&info_);
        while (info_.output_scanline < info_.output_height) {
            JSAMPROW to = bytes + info_.output_scanline * row;
            jpeg_read_scanlines(&info_, &to, 1);
        }
        return true;
    }

    static JpegDecoder& of(j_common_ptr info) {
        return *static_cast<JpegDecoder*>(info->client_data);
    }
    [[noreturn]] static void onError(j_common_ptr info) {
        info->err->format_message(info, of(info).message_.data());
        std::longjmp(of(info).back_, 1);
    }
    /// Rejects damage that libjpeg repairs by inventing pixels.
    static void onMessage(j_common_ptr info, int level) {
        constexpr std::array<int, 4> invented{JWRN_JPEG_EOF, JWRN_HIT_MARKER, JWRN_HUFF_BAD_CODE,
                                              JWRN_MUST_RESYNC};
        if (level < 0 && std::ranges::find(invented, info->err->msg_code) != invented.end()) {
            onError(info);
        }
    }
    static void onProgress(j_common_ptr info) {
        if (info->is_decompressor != FALSE &&
            reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > mostScans) {
            std::snprintf(of(info).message_.data(), of(info).message_.size(), "more than %d scans",
                          mostScans);
            std::longjmp(of(info).back_, 1);
        }
    }

    const PictureFile& file_;
    jpeg_decompress_struct info_ = {};
    jpeg_error_mgr errors_ = {};
    jpeg_progress_mgr progress_ = {};
    std::jmp_buf back_ = {};
    std::array<char, JMSG_LENGTH_MAX> message_ = {};
};

PictureForm formOfJpeg(const PictureFile& file, std::uint64_t) { return JpegDecoder(file).form(); }
Still readJpeg(const PictureFile& file, std::uint64_t) { return JpegDecoder(file).read(); }

} // namespace

void jpeg(PictureFormatList& list) {
    list.push_back({.name = "JPEG", .form = formOfJpeg, .read = readJpeg});
}

} // namespace weft::films
