// SPDX-License-Identifier: Apache-2.0
#include "data/films/film_list.h"
#include "engine/data/raises.h"

#include <tiffio.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace weft {

using test::errorOf;
using Numbers16 = std::vector<std::uint16_t>;

class TestTiff : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;

    struct Page {
        std::uint32_t rows = 1;
        std::uint32_t columns = 1;
        int samples = 1; ///< per pixel
        int bits = 8;
        int colours = PHOTOMETRIC_MINISBLACK;
        int packing = COMPRESSION_NONE;
        int planes = PLANARCONFIG_CONTIG;
        int alpha = -1; ///< its sort
        bool isTiled = false;
        bool isThumbnail = false;
        int sort = SAMPLEFORMAT_UINT;
    };

    [[nodiscard]] std::filesystem::path file() const {
        return dir_.filePath("film.tif").toStdString();
    }

    static std::uint16_t numberAt(const Page& page, std::uint32_t row, std::uint32_t column,
                                  int sample, int number) {
        const auto value = static_cast<unsigned>(number) * 50 + row * 7 + column * 3 +
                           static_cast<unsigned>(sample) * 20;
        return static_cast<std::uint16_t>(page.bits == 8 ? value & 0xFFU : value * 200);
    }

    static std::vector<unsigned char> bytesOf(const Page& page, const Numbers16& numbers) {
        std::vector<unsigned char> bytes;
        for (const std::uint16_t number : numbers) {
            if (page.bits == 8) {
                bytes.push_back(static_cast<unsigned char>(number));
            } else {
                const auto* raw = reinterpret_cast<const unsigned char*>(&number);
                bytes.insert(bytes.end(), raw, raw + sizeof(number));
            }
        }
        return bytes;
    }

    static void writePage(TIFF* tiff, const Page& page, int number) {
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, page.columns);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, page.rows);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, page.samples);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, page.bits);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, page.colours);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, page.planes);
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, page.packing);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, page.sort);
        if (page.alpha >= 0) {
            const std::uint16_t sorts[1] = {static_cast<std::uint16_t>(page.alpha)};
            TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, sorts);
        }
        if (page.isThumbnail) {
            TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
        }
        const bool isApart = page.planes == PLANARCONFIG_SEPARATE;
        const int together = isApart ? 1 : page.samples;
        const auto numbersOf = [&](std::uint32_t row, std::uint32_t from, std::uint32_t count,
                                   int plane) {
            Numbers16 numbers;
            for (std::uint32_t column = from; column < from + count; ++column) {
                for (int k = 0; k < together; ++k) {
                    numbers.push_back(numberAt(page, row, column, isApart ? plane : k, number));
                }
            }
            return bytesOf(page, numbers);
        };
        if (page.isTiled) {
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
        } else {
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2);
        }
        for (int plane = 0; plane < (isApart ? page.samples : 1); ++plane) {
            for (std::uint32_t row = 0; !page.isTiled && row < page.rows; ++row) {
                auto bytes = numbersOf(row, 0, page.columns, plane);
                TIFFWriteScanline(tiff, bytes.data(), row, static_cast<std::uint16_t>(plane));
            }
            for (std::uint32_t y = 0; page.isTiled && y < page.rows; y += 16) {
                for (std::uint32_t x = 0; x < page.columns; x += 16) {
                    std::vector<unsigned char> tile;
                    for (std::uint32_t row = y; row < y + 16; ++row) {
                        const auto bytes = numbersOf(row, x, 16, plane);
                        tile.insert(tile.end(), bytes.begin(), bytes.end());
                    }
                    TIFFWriteTile(tiff, tile.data(), x, y, 0, static_cast<std::uint16_t>(plane));
                }
            }
        }
        TIFFWriteDirectory(tiff);
    }

    void write(const std::vector<Page>& pages, const char* mode = "w") const {
        TIFF* tiff = TIFFOpen(file().c_str(), mode);
        for (std::size_t k = 0; k < pages.size(); ++k) {
            writePage(tiff, pages[k], static_cast<int>(k));
        }
        TIFFClose(tiff);
    }

    static Numbers16 expected(const Page& page, int number, int channels) {
        Numbers16 samples;
        for (std::uint32_t row = 0; row < page.rows; ++row) {
            for (std::uint32_t column = 0; column < page.columns; ++column) {
                for (int k = 0; k < channels; ++k) {
                    samples.push_back(numberAt(page, row, column, k, number));
                }
            }
        }
        return samples;
    }

private Q_SLOTS:
    void readsEveryLayout_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("packing");
        QTest::addColumn<bool>("isApart");
        QTest::addColumn<bool>("isTiled");
        for (const int bits : {8, 16}) {
            for (const int packing : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                      COMPRESSION_PACKBITS}) {
                for (const bool isApart : {false, true}) {
                    for (const bool isTiled : {false, true}) {
                        QTest::addRow("%d bits, packing %d%s%s", bits, packing,
                                      isApart ? ", apart" : "", isTiled ? ", tiled" : "")
                            << bits << packing << isApart << isTiled;
                    }
                }
            }
        }
    }
    void readsEveryLayout() {
        QFETCH(int, bits);
        QFETCH(int, packing);
        QFETCH(bool, isApart);
        QFETCH(bool, isTiled);
        Page page{.rows = 21,
                  .columns = 19,
                  .samples = 3,
                  .bits = bits,
                  .colours = PHOTOMETRIC_RGB,
                  .packing = packing,
                  .planes = isApart ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG,
                  .isTiled = isTiled};
        Page grey = page;
        grey.samples = 1;
        grey.colours = PHOTOMETRIC_MINISBLACK;
        // Alpha that is there already, and is left out.
        Page covered = page;
        covered.samples = 4;
        covered.alpha = EXTRASAMPLE_ASSOCALPHA;
        write({page, grey, covered}, bits == 8 ? "wb" : "w8");
        const std::vector<PictureAt> pages = pagesOf(file());
        QCOMPARE(pages.size(), std::size_t{3});
        const Still colour = readPicture(pages[0]);
        QCOMPARE(colour.form, (PictureForm{21, 19, 3}));
        QCOMPARE(int(colour.most), bits == 8 ? 255 : 65535);
        QCOMPARE(colour.samples, expected(page, 0, 3));
        QCOMPARE(readPicture(pages[1]).samples, expected(grey, 1, 1));
        QCOMPARE(readPicture(pages[2]).samples, expected(covered, 2, 3));
        QCOMPARE(formOf(pages[1]), (PictureForm{21, 19, 1}));
    }

    void putsBlackBehindWhatIsTransparent() {
        const Page page{.samples = 2, .alpha = EXTRASAMPLE_UNASSALPHA};
        write({page, page});
        const Still picture = readPicture(pagesOf(file())[1]);
        QCOMPARE(picture.samples, (Numbers16{(50 * 70 + 127) / 255}));
    }

    void turnsNegatives() {
        write({{.columns = 2, .colours = PHOTOMETRIC_MINISWHITE}});
        QCOMPARE(readPicture({file()}).samples, (Numbers16{255, 252}));
    }

    void leavesOutThumbnails() {
        write({{}, {.isThumbnail = true}, {}});
        QCOMPARE(pagesOf(file()).size(), std::size_t{2});
    }

    void isAFilmOfItsPages() {
        write({{}, {}, {}});
        const std::vector<Film> films = filmsOf({file(), file()});
        QCOMPARE(films.size(), std::size_t{2});
        QCOMPARE(films[1].size(), std::size_t{3});
        QCOMPARE(readPicture(films[1][2]).samples, (Numbers16{100}));
    }

    void saysWhatItDoesNotRead_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("sort");
        QTest::addColumn<int>("colours");
        QTest::newRow("one bit") << 1 << int(SAMPLEFORMAT_UINT) << int(PHOTOMETRIC_MINISBLACK);
        QTest::newRow("32 bits") << 32 << int(SAMPLEFORMAT_IEEEFP) << int(PHOTOMETRIC_MINISBLACK);
        QTest::newRow("signs") << 16 << int(SAMPLEFORMAT_INT) << int(PHOTOMETRIC_MINISBLACK);
        QTest::newRow("Lab") << 8 << int(SAMPLEFORMAT_UINT) << int(PHOTOMETRIC_CIELAB);
    }
    void saysWhatItDoesNotRead() {
        QFETCH(int, bits);
        QFETCH(int, sort);
        QFETCH(int, colours);
        TIFF* tiff = TIFFOpen(file().c_str(), "w");
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 1);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, sort);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, colours);
        float pixel = 0;
        TIFFWriteScanline(tiff, &pixel, 0, 0);
        TIFFClose(tiff);
        const auto error = errorOf([&] { (void)readPicture({file()}); });
        QVERIFY(error && error->problem().find("not supported") != std::string::npos);
        QCOMPARE(error->where().file, file().string());
    }

    void bearsEveryPrefixAndFlippedByte() {
        write({{.rows = 3, .columns = 4, .packing = COMPRESSION_LZW}, {.rows = 2, .columns = 2}});
        const std::string whole = test::readBytes(file());
        const auto tryAll = [&](const std::string& bytes) {
            std::filesystem::remove(file());
            test::writeBytes(file(), bytes);
            const auto error = errorOf([&] {
                for (const PictureAt& page : pagesOf(file())) {
                    (void)readPicture(page);
                }
            });
            return !error ||
                   (error->code() == ErrorCode::format && error->where().file == file().string());
        };
        for (std::size_t at = 0; at < whole.size(); ++at) {
            QVERIFY(tryAll(whole.substr(0, at)));
            for (const int pattern : {0xFF, 0x01, 0x80}) {
                std::string flipped = whole;
                flipped[at] = static_cast<char>(flipped[at] ^ pattern);
                QVERIFY2(tryAll(flipped), qPrintable(QString::number(at)));
            }
        }
    }

    void saysThatPagesGoRoundInACircle() {
        write({{}, {}});
        std::string bytes = test::readBytes(file());
        const PictureAt second = pagesOf(file())[1];
        // The last page's link to the next, behind its entries of 12 bytes.
        std::uint16_t entries = 0;
        std::memcpy(&entries, bytes.data() + second.page, sizeof(entries));
        const std::size_t link = second.page + 2 + std::size_t{12} * entries;
        const auto target = static_cast<std::uint32_t>(second.page);
        std::memcpy(bytes.data() + link, &target, sizeof(target));
        test::writeBytes(file(), bytes);
        const auto error = errorOf([&] { (void)pagesOf(file()); });
        QVERIFY(error && error->code() == ErrorCode::format);
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestTiff() { return std::make_unique<weft::TestTiff>(); }
#include "tst_tiff.moc"
