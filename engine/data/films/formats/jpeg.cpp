// SPDX-License-Identifier: Apache-2.0
// Reads JPEG, grey, colour and CMYK, baseline and progressive, turned as its EXIF data say.
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
#include <string_view>
#include <utility>

namespace weft::films {

namespace {

/// Bounds the work of small files with many useless scans.
constexpr int mostScans = 500;

using std::string_view_literals::operator""sv;

/// Returns the EXIF orientation, 1 to 8, in the content of a marker; 1: upright, or unknown.
int orientationIn(std::string_view exif) {
    constexpr std::size_t entryBytes = 12;
    if (!exif.starts_with("Exif\0\0"sv)) {
        return 1;
    }
    exif.remove_prefix(6);
    const bool isLittle = exif.starts_with("II*\0"sv);
    if (!isLittle && !exif.starts_with("MM\0*"sv)) {
        return 1;
    }
    const auto number = [&](std::size_t at, std::size_t bytes) {
        std::size_t value = 0;
        for (std::size_t k = 0; k < bytes; ++k) {
            const std::size_t from = at + (isLittle ? bytes - 1 - k : k);
            value =
                value * 256 + (from < exif.size() ? static_cast<unsigned char>(exif[from]) : 0U);
        }
        return value;
    };
    constexpr std::size_t orientation = 0x0112;
    const std::size_t first = number(4, 4);
    const std::size_t entries = number(first, 2);
    for (std::size_t k = 0; k < entries; ++k) {
        const std::size_t entry = first + 2 + k * entryBytes;
        if (entry + entryBytes > exif.size()) {
            break;
        }
        if (number(entry, 2) == orientation) {
            const std::size_t value = number(entry + 8, 2);
            return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
        }
    }
    return 1;
}

/// From the fifth orientation on, rows and columns are exchanged.
PictureForm turnedForm(PictureForm form, int orientation) {
    if (orientation > 4) {
        std::swap(form.rows, form.columns);
    }
    return form;
}

/// Returns the picture turned upright, as its EXIF orientation says.
Still turned(const Still& picture, int orientation) {
    if (orientation == 1) {
        return picture;
    }
    const bool isUpsideDown =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const bool isMirrored = orientation == 2 || orientation == 3 || orientation > 6;
    Still made{.form = turnedForm(picture.form, orientation), .samples = {}};
    made.samples.reserve(picture.samples.size());
    for (std::int64_t row = 0; row < made.form.rows; ++row) {
        for (std::int64_t column = 0; column < made.form.columns; ++column) {
            std::int64_t fromRow = orientation > 4 ? column : row;
            std::int64_t fromColumn = orientation > 4 ? row : column;
            fromRow = isUpsideDown ? picture.form.rows - 1 - fromRow : fromRow;
            fromColumn = isMirrored ? picture.form.columns - 1 - fromColumn : fromColumn;
            const auto pixel =
                picture.samples.begin() +
                (fromRow * picture.form.columns + fromColumn) * picture.form.channels;
            made.samples.insert(made.samples.end(), pixel, pixel + picture.form.channels);
        }
    }
    return made;
}

/// Converts four inks to red, green and blue. Adobe's programs store what is left of white.
std::vector<std::uint16_t> withoutInks(const std::vector<JSAMPLE>& inks, bool isInverted) {
    constexpr unsigned white = 255;
    std::vector<std::uint16_t> colours;
    colours.reserve(inks.size() / 4 * 3);
    for (std::size_t pixel = 0; pixel + 4 <= inks.size(); pixel += 4) {
        const unsigned black = isInverted ? inks[pixel + 3] : white - inks[pixel + 3];
        for (std::size_t k = 0; k < 3; ++k) {
            const unsigned left = isInverted ? inks[pixel + k] : white - inks[pixel + k];
            colours.push_back(static_cast<std::uint16_t>((left * black + white / 2) / white));
        }
    }
    return colours;
}

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

    /// Returns the size of the picture after turning it upright.
    PictureForm form() {
        const PictureForm stored = storedForm(); // also reads the markers with the EXIF data
        return turnedForm(stored, orientation());
    }

    Still read() {
        Still picture{.form = storedForm()};
        const auto samples = static_cast<std::size_t>(info_.num_components);
        const auto row = static_cast<std::size_t>(picture.form.columns) * samples;
        std::vector<JSAMPLE> bytes(static_cast<std::size_t>(picture.form.rows) * row);
        if (!areRead(bytes.data(), row)) {
            fail();
        }
        if (samples == 4) {
            picture.samples = withoutInks(bytes, info_.saw_Adobe_marker != FALSE);
        } else {
            picture.samples.assign(bytes.begin(), bytes.end());
        }
        return turned(picture, orientation());
    }

private:
    PictureForm storedForm() {
        if (!begins()) {
            fail();
        }
        PictureForm form{.rows = info_.image_height,
                         .columns = info_.image_width,
                         .channels = info_.num_components};
        if (form.channels != 1 && form.channels != 3 && form.channels != 4) {
            file_.fail(fmt::format("is a JPEG with {} color components", form.channels),
                       "save it in grayscale or RGB");
        }
        ensurePlausibleSize(file_, form, 1);
        form.channels = std::min<std::int64_t>(form.channels, 3);
        return form;
    }

    [[nodiscard]] int orientation() const {
        for (auto* marker = info_.marker_list; marker != nullptr; marker = marker->next) {
            const std::string_view content(reinterpret_cast<const char*>(marker->data),
                                           marker->data_length);
            if (const int found = orientationIn(content); found != 1) {
                return found;
            }
        }
        return 1;
    }

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
        jpeg_save_markers(&info_, JPEG_APP0 + 1, 0xFFFF); // the marker with EXIF data
        jpeg_read_header(&info_, TRUE);
        return true;
    }

    bool areRead(JSAMPLE* bytes, std::size_t row) {
        if (setjmp(back_) != 0) {
            return false;
        }
        info_.out_color_space = info_.num_components == 1   ? JCS_GRAYSCALE
                                : info_.num_components == 3 ? JCS_RGB
                                                            : JCS_CMYK;
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
