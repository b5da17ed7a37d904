// SPDX-License-Identifier: Apache-2.0
// Reads TIFF files of many pages: 8 and 16 bits, grey and colour, in strips or tiles.
#include "data/films/picture.h"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace weft::films {

namespace {

struct TiffLayout {
    PictureForm form;
    std::uint16_t bits = 1;
    std::uint16_t samples = 1; ///< per pixel, including samples beyond the colours
    std::uint16_t extra = EXTRASAMPLE_UNSPECIFIED;
    bool isInverted = false;
    bool isApart = false; ///< planar: one channel after another
    bool isTiled = false;
};

class TiffDecoder {
public:
    explicit TiffDecoder(const PictureFile& file) : file_(file) {
        TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
        TIFFOpenOptionsSetErrorHandlerExtR(options, onError, this);
        TIFFOpenOptionsSetWarningHandlerExtR(options, onWarning, nullptr);
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, mostTaken());
        // Not memory-mapped, because truncation by another program would kill this one.
        tiff_ = TIFFClientOpenExt(file.path().c_str(), "rm", this, onRead, onWrite, onSeek, onClose,
                                  onSize, nullptr, nullptr, options);
        TIFFOpenOptionsFree(options);
        if (tiff_ == nullptr) {
            fail("cannot be read");
        }
    }
    TiffDecoder(const TiffDecoder&) = delete;
    TiffDecoder& operator=(const TiffDecoder&) = delete;
    ~TiffDecoder() { TIFFClose(tiff_); }

    std::vector<std::uint64_t> pages() {
        std::vector<std::uint64_t> pages;
        do {
            if (pages.size() == mostPages) {
                fail(fmt::format("has more than {} pages", mostPages));
            }
            std::uint32_t sort = 0;
            static_cast<void>(TIFFGetFieldDefaulted(tiff_, TIFFTAG_SUBFILETYPE, &sort));
            if ((sort & FILETYPE_REDUCEDIMAGE) == 0) {
                pages.push_back(TIFFCurrentDirOffset(tiff_));
            }
        } while (TIFFLastDirectory(tiff_) == 0 && goesOn());
        if (pages.empty()) {
            fail("has no pages");
        }
        return pages;
    }

    TiffLayout layout(std::uint64_t page) {
        if (page != 0 && TIFFSetSubDirectory(tiff_, page) == 0) {
            fail("lacks one of its pages");
        }
        TiffLayout layout;
        std::uint32_t columns = 0;
        std::uint32_t rows = 0;
        std::uint16_t colours = 0;
        static_cast<void>(TIFFGetField(tiff_, TIFFTAG_IMAGEWIDTH, &columns));
        static_cast<void>(TIFFGetField(tiff_, TIFFTAG_IMAGELENGTH, &rows));
        if (TIFFGetField(tiff_, TIFFTAG_PHOTOMETRIC, &colours) == 0) {
            fail("does not define its color interpretation");
        }
        layout.form = {.rows = rows, .columns = columns, .channels = 1};
        layout.bits = tag(TIFFTAG_BITSPERSAMPLE);
        layout.samples = tag(TIFFTAG_SAMPLESPERPIXEL);
        layout.isApart = tag(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && layout.samples > 1;
        layout.isTiled = TIFFIsTiled(tiff_) != 0;
        layout.isInverted = colours == PHOTOMETRIC_MINISWHITE;
        if (colours == PHOTOMETRIC_YCBCR && tag(TIFFTAG_COMPRESSION) == COMPRESSION_JPEG &&
            !layout.isApart) {
            static_cast<void>(TIFFSetField(tiff_, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB));
            colours = PHOTOMETRIC_RGB;
        }
        layout.form.channels = colours == PHOTOMETRIC_RGB ? 3 : 1;
        if (colours != PHOTOMETRIC_RGB && colours > PHOTOMETRIC_MINISBLACK) {
            refuse("with colors other than grayscale or RGB");
        }
        ensureRead(layout);
        return layout;
    }

    Still read(std::uint64_t page) {
        const TiffLayout l = layout(page);
        Still picture{.form = l.form,
                      .most = l.bits == 8 ? std::uint16_t{255} : std::uint16_t{65535}};
        picture.samples.resize(static_cast<std::size_t>(l.form.rows * l.form.columns) * kept(l));
        const std::uint16_t planes = l.isApart ? static_cast<std::uint16_t>(kept(l)) : 1;
        for (std::uint16_t plane = 0; plane < planes; ++plane) {
            l.isTiled ? readTiles(l, plane, picture) : readRows(l, plane, picture);
        }
        if (l.isInverted) {
            invert(picture, kept(l));
        }
        picture.hasAlpha = kept(l) > static_cast<std::size_t>(l.form.channels);
        return picture;
    }

private:
    static constexpr std::size_t mostPages = 1'000'000;

    [[nodiscard]] tmsize_t mostTaken() const {
        constexpr std::int64_t least = 1 << 20;
        return static_cast<tmsize_t>(std::max(least, 2048 * std::min(file_.size(), least)));
    }

    [[noreturn]] void fail(const std::string& what) const {
        file_.fail(message_[0] == '\0' ? what : fmt::format("{} ({})", what, message_.data()));
    }
    [[noreturn]] void refuse(const std::string& what) const {
        file_.fail("is a TIFF " + what + ", which is not supported",
                   "save it with 8 or 16 bits in grayscale or RGB");
    }

    [[nodiscard]] std::uint16_t tag(std::uint32_t name) const {
        std::uint16_t value = 0;
        static_cast<void>(TIFFGetFieldDefaulted(tiff_, name, &value));
        return value;
    }

    bool goesOn() {
        if (TIFFReadDirectory(tiff_) == 0) {
            fail("is damaged: its pages end too early");
        }
        return true;
    }

    /// Number of samples to keep: the colours, and alpha if it is not premultiplied.
    static std::size_t kept(const TiffLayout& layout) {
        const auto colours = static_cast<std::size_t>(layout.form.channels);
        return colours + (layout.extra == EXTRASAMPLE_UNASSALPHA ? 1 : 0);
    }

    void ensureRead(TiffLayout& layout) const {
        const std::uint16_t sort = tag(TIFFTAG_SAMPLEFORMAT);
        if (sort != SAMPLEFORMAT_UINT && sort != SAMPLEFORMAT_VOID) {
            refuse("with samples that are not unsigned integers");
        }
        constexpr std::array<int, 8> packings{
            COMPRESSION_NONE,    COMPRESSION_LZW,  COMPRESSION_PACKBITS, COMPRESSION_ADOBE_DEFLATE,
            COMPRESSION_DEFLATE, COMPRESSION_JPEG, COMPRESSION_ZSTD,     COMPRESSION_LZMA};
        if (std::ranges::find(packings, tag(TIFFTAG_COMPRESSION)) == packings.end()) {
            refuse(fmt::format("with compression method {}", tag(TIFFTAG_COMPRESSION)));
        }
        if (layout.bits != 8 && layout.bits != 16) {
            refuse(fmt::format("with {} bits", layout.bits));
        }
        if (layout.samples < layout.form.channels) {
            refuse(fmt::format("with {} samples per pixel", layout.samples));
        }
        std::uint16_t extras = 0;
        std::uint16_t* sorts = nullptr;
        static_cast<void>(TIFFGetFieldDefaulted(tiff_, TIFFTAG_EXTRASAMPLES, &extras, &sorts));
        if (layout.samples > layout.form.channels && extras > 0 && sorts != nullptr) {
            layout.extra = sorts[0];
        }
        PictureForm whole = layout.form;
        whole.channels = layout.samples;
        ensurePlausibleSize(file_, whole, layout.bits / 8);
    }

    /// Copies the kept samples of `count` pixels to the row, starting at that column.
    static void place(const TiffLayout& layout, std::uint16_t plane, const std::byte* from,
                      std::int64_t row, std::int64_t column, std::int64_t count, Still& picture) {
        const std::size_t all = layout.isApart ? 1 : layout.samples;
        const std::size_t keep = kept(layout);
        const std::size_t taken = layout.isApart ? 1 : keep;
        std::uint16_t* to = picture.samples.data() +
                            static_cast<std::size_t>(row * layout.form.columns + column) * keep +
                            plane;
        for (std::int64_t pixel = 0; pixel < count; ++pixel, to += keep) {
            for (std::size_t k = 0; k < taken; ++k) {
                const std::size_t at = static_cast<std::size_t>(pixel) * all + k;
                if (layout.bits == 8) {
                    to[k] = std::to_integer<std::uint16_t>(from[at]);
                } else {
                    std::memcpy(to + k, from + 2 * at, 2);
                }
            }
        }
    }

    void readRows(const TiffLayout& layout, std::uint16_t plane, Still& picture) {
        const std::int64_t perPixel = layout.isApart ? 1 : layout.samples;
        const std::int64_t bytes = layout.form.columns * perPixel * (layout.bits / 8);
        if (TIFFScanlineSize(tiff_) != bytes) {
            refuse("with an unsupported row layout");
        }
        std::vector<std::byte> row(static_cast<std::size_t>(bytes));
        for (std::int64_t at = 0; at < layout.form.rows; ++at) {
            if (TIFFReadScanline(tiff_, row.data(), static_cast<std::uint32_t>(at), plane) != 1) {
                fail("cannot be read");
            }
            place(layout, plane, row.data(), at, 0, layout.form.columns, picture);
        }
    }

    void readTiles(const TiffLayout& layout, std::uint16_t plane, Still& picture) {
        std::uint32_t width = 0;
        std::uint32_t height = 0;
        static_cast<void>(TIFFGetField(tiff_, TIFFTAG_TILEWIDTH, &width));
        static_cast<void>(TIFFGetField(tiff_, TIFFTAG_TILELENGTH, &height));
        const std::int64_t perPixel = layout.isApart ? 1 : layout.samples;
        const std::int64_t rowBytes = std::int64_t{width} * perPixel * (layout.bits / 8);
        if (width == 0 || height == 0 || width > layout.form.columns + 4096 ||
            height > layout.form.rows + 4096 || TIFFTileSize(tiff_) != rowBytes * height) {
            refuse("with unsupported tiles");
        }
        ensurePlausibleSize(file_, {.rows = height, .columns = width, .channels = perPixel},
                            layout.bits / 8);
        std::vector<std::byte> tile(static_cast<std::size_t>(rowBytes * height));
        for (std::int64_t y = 0; y < layout.form.rows; y += height) {
            for (std::int64_t x = 0; x < layout.form.columns; x += width) {
                if (TIFFReadTile(tiff_, tile.data(), static_cast<std::uint32_t>(x),
                                 static_cast<std::uint32_t>(y), 0, plane) < 0) {
                    fail("cannot be read");
                }
                const std::int64_t count = std::min<std::int64_t>(width, layout.form.columns - x);
                const std::int64_t rows = std::min<std::int64_t>(height, layout.form.rows - y);
                for (std::int64_t row = 0; row < rows; ++row) {
                    place(layout, plane, tile.data() + row * rowBytes, y + row, x, count, picture);
                }
            }
        }
    }

    /// Inverts pictures in which white is 0.
    static void invert(Still& picture, std::size_t perPixel) {
        for (std::size_t at = 0; at < picture.samples.size(); at += perPixel) {
            picture.samples[at] = static_cast<std::uint16_t>(picture.most - picture.samples[at]);
        }
    }

    static int onError(TIFF*, void* self, const char*, const char* format, va_list arguments) {
        auto& message = static_cast<TiffDecoder*>(self)->message_;
        std::vsnprintf(message.data(), message.size(), format, arguments);
        return 1;
    }
    static int onWarning(TIFF*, void*, const char*, const char*, va_list) { return 1; }
    static std::FILE* streamOf(thandle_t self) {
        return static_cast<TiffDecoder*>(self)->file_.stream();
    }
    static tmsize_t onRead(thandle_t self, void* bytes, tmsize_t size) {
        return static_cast<tmsize_t>(
            std::fread(bytes, 1, static_cast<std::size_t>(size), streamOf(self)));
    }
    static tmsize_t onWrite(thandle_t, void*, tmsize_t) { return 0; }
    static toff_t onSeek(thandle_t self, toff_t to, int from) {
        return fseeko(streamOf(self), static_cast<off_t>(to), from) != 0
                   ? static_cast<toff_t>(-1)
                   : static_cast<toff_t>(ftello(streamOf(self)));
    }
    static int onClose(thandle_t) { return 0; }
    static toff_t onSize(thandle_t self) {
        return static_cast<toff_t>(static_cast<TiffDecoder*>(self)->file_.size());
    }

    const PictureFile& file_;
    TIFF* tiff_ = nullptr;
    std::array<char, 200> message_ = {};
};

std::vector<std::uint64_t> pagesOfTiff(const PictureFile& file) {
    return TiffDecoder(file).pages();
}
PictureForm formOfTiff(const PictureFile& file, std::uint64_t page) {
    return TiffDecoder(file).layout(page).form;
}
Still readTiff(const PictureFile& file, std::uint64_t page) { return TiffDecoder(file).read(page); }

} // namespace

void tiff(PictureFormatList& list) {
    list.push_back({.name = "TIFF", .pages = pagesOfTiff, .form = formOfTiff, .read = readTiff});
}

} // namespace weft::films
