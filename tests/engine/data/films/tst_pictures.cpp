// SPDX-License-Identifier: Apache-2.0
// PGM, PPM and PNG, which every build reads, and what is refused by its first bytes.
#include "data/films/pictures.h"
#include "engine/data/raises.h"

#include <png.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <memory>

namespace weft {

using test::errorOf;
using test::writeBytes;
using Numbers16 = std::vector<std::uint16_t>;

class TestPictures : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;

    [[nodiscard]] std::filesystem::path file() const {
        return dir_.filePath("picture").toStdString();
    }
    [[nodiscard]] Still read(const std::string& bytes) const {
        std::filesystem::remove(file());
        writeBytes(file(), bytes);
        Still picture = readPicture({file()});
        ensure(picture.form == formOf({file()}), "a picture is as it says");
        return picture;
    }
    /// Returns the error of reading these bytes.
    [[nodiscard]] QString wrongWith(const std::string& bytes) const {
        const auto error = errorOf([&] { (void)read(bytes); });
        return !error                                   ? QString("nothing")
               : error->code() != ErrorCode::format     ? QString("another sort")
               : error->where().file != file().string() ? QString("another file")
               : error->remedy().empty()                ? QString("no remedy")
                                                        : error->what();
    }

    /// Rows of one byte a sample, or two in the order of PNG.
    void writePng(int type, int depth, int columns, const std::vector<std::string>& rows,
                  bool isInterlaced = false, bool hasHole = false) const {
        png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
        png_infop info = png_create_info_struct(png);
        std::FILE* out = std::fopen(file().c_str(), "wb");
        png_init_io(png, out);
        png_set_IHDR(png, info, static_cast<png_uint_32>(columns),
                     static_cast<png_uint_32>(rows.size()), depth, type,
                     isInterlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, 0, 0);
        if (type == PNG_COLOR_TYPE_PALETTE) {
            const png_color colours[2] = {{10, 20, 30}, {200, 210, 220}};
            png_set_PLTE(png, info, colours, 2);
            const png_byte alpha[2] = {255, 51};
            hasHole ? png_set_tRNS(png, info, alpha, 2, nullptr) : void();
        }
        png_write_info(png, info);
        isInterlaced ? static_cast<void>(png_set_interlace_handling(png)) : void();
        for (int pass = 0; pass < (isInterlaced ? 7 : 1); ++pass) {
            for (const std::string& row : rows) {
                png_write_row(png, reinterpret_cast<png_const_bytep>(row.data()));
            }
        }
        png_write_end(png, info);
        png_destroy_write_struct(&png, &info);
        std::fclose(out);
    }

private Q_SLOTS:
    void readsNumbersOfTextAndOfBytes_data() {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("most");
        QTest::addColumn<Numbers16>("samples");
        QTest::newRow("P2") << std::string("P2\n# made\n2 2 # two\n9\n0 1\n 9\t8") << 1 << 9
                            << Numbers16{0, 1, 9, 8};
        QTest::newRow("P3") << std::string("P3 1 1 255\n1 2 3\n") << 3 << 255 << Numbers16{1, 2, 3};
        QTest::newRow("P5") << std::string("P5 2 1 255\n\x0A#") << 1 << 255 << Numbers16{10, 35};
        QTest::newRow("P5 of two bytes") << std::string("P5\n1 2\n1000\n\x03\xE8\x00\x07", 16) << 1
                                         << 1000 << Numbers16{1000, 7};
        QTest::newRow("P6") << std::string("P6#\n2\n1 255\nabcdef") << 3 << 255
                            << Numbers16{97, 98, 99, 100, 101, 102};
    }
    void readsNumbersOfTextAndOfBytes() {
        QFETCH(std::string, bytes);
        QFETCH(int, channels);
        QFETCH(int, most);
        QFETCH(Numbers16, samples);
        const Still picture = read(bytes);
        QCOMPARE(picture.form.channels, std::int64_t{channels});
        QCOMPARE(int(picture.most), most);
        QCOMPARE(picture.samples, samples);
    }

    void saysWhatIsWrongWithNumbers_data() {
        QTest::addColumn<std::string>("bytes");
        QTest::newRow("cut off") << std::string("P5 2 2 255\nabc");
        QTest::newRow("text cut off") << std::string("P2 2 2 255\n1 2 3");
        QTest::newRow("no white") << std::string("P2 1 1 0\n0");
        QTest::newRow("too white") << std::string("P2 1 1 65536\n0");
        QTest::newRow("above white") << std::string("P2 1 1 7\n8");
        QTest::newRow("a byte above white") << std::string("P5 1 1 7\n8");
        QTest::newRow("no pixels") << std::string("P5 0 4 255\n");
        QTest::newRow("huge") << std::string("P5 1073741824 1073741824 255\nabc");
        QTest::newRow("beyond numbers") << std::string("P5 99999999999999999999999 1 255\nabc");
        QTest::newRow("negative") << std::string("P5 -1 1 255\nabc");
        QTest::newRow("words") << std::string("P2 two 1 255\n1");
        QTest::newRow("no end of a remark") << std::string("P2 # and so on");
        QTest::newRow("only its name") << std::string("P5");
    }
    void saysWhatIsWrongWithNumbers() {
        QFETCH(std::string, bytes);
        QVERIFY2(wrongWith(bytes).contains("picture"), qPrintable(wrongWith(bytes)));
    }

    void readsEveryPng() {
        writePng(PNG_COLOR_TYPE_GRAY, 8, 2, {"ab", "cd"});
        QCOMPARE(readPicture({file()}).samples, (Numbers16{97, 98, 99, 100}));
        writePng(PNG_COLOR_TYPE_GRAY, 16, 2, {std::string("\x01\x02\xFF\x00", 4)});
        Still picture = readPicture({file()});
        QCOMPARE(picture.samples, (Numbers16{0x0102, 0xFF00}));
        QCOMPARE(int(picture.most), 65535);
        writePng(PNG_COLOR_TYPE_GRAY, 1, 3, {"\xA0"});
        QCOMPARE(readPicture({file()}).samples, (Numbers16{255, 0, 255}));
        writePng(PNG_COLOR_TYPE_RGB, 8, 1, {"abc", "def"}, true);
        picture = readPicture({file()});
        QCOMPARE(picture.form, (PictureForm{2, 1, 3}));
        QCOMPARE(picture.samples, (Numbers16{97, 98, 99, 100, 101, 102}));
        writePng(PNG_COLOR_TYPE_PALETTE, 8, 2, {std::string("\0\1", 2)});
        QCOMPARE(readPicture({file()}).samples, (Numbers16{10, 20, 30, 200, 210, 220}));
    }

    void putsBlackBehindWhatIsTransparent() {
        writePng(PNG_COLOR_TYPE_GRAY_ALPHA, 8, 2, {std::string("\xC8\xFF\xC8\x33", 4)});
        Still picture = readPicture({file()});
        QCOMPARE(picture.form.channels, std::int64_t{1});
        QCOMPARE(picture.samples, (Numbers16{200, 40}));
        writePng(PNG_COLOR_TYPE_RGB_ALPHA, 16, 1,
                 {std::string("\xFF\xFF\x80\x00\x00\x00\x80\x00", 8)});
        picture = readPicture({file()});
        QCOMPARE(picture.samples, (Numbers16{0x8000, 0x4000, 0}));
        writePng(PNG_COLOR_TYPE_PALETTE, 8, 2, {std::string("\0\1", 2)}, false, true);
        QCOMPARE(readPicture({file()}).samples, (Numbers16{10, 20, 30, 40, 42, 44}));
    }

    void saysWhatIsWrongWithPng() {
        writePng(PNG_COLOR_TYPE_GRAY, 8, 2, {"ab", "cd"});
        const std::string whole = test::readBytes(file());
        QVERIFY(wrongWith(whole.substr(0, whole.size() - 20)).contains("cannot be read"));
        std::string huge = whole;
        huge[17] = 0x0F; // a million columns
        QVERIFY(wrongWith(huge) != "nothing");
        // Between the header and the pixels, as an animation has it.
        std::string animated = whole;
        animated.insert(33, std::string("\0\0\0\x8"
                                        "acTL\0\0\0\1\0\0\0\0\xB4\x2D\xE9\xA0",
                                        20));
        const QString wrong = wrongWith(animated);
        QVERIFY2(wrong.contains("animated"), qPrintable(wrong));
    }

    void tellsFilesByTheirFirstBytes_data() {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << std::string() << "is empty";
        QTest::newRow("text") << std::string("no picture") << "not in a known picture format";
        QTest::newRow("gif") << std::string("GIF89a......") << "ffmpeg";
        QTest::newRow("webp") << std::string("RIFF....WEBP") << "has an unsupported format: WebP";
        QTest::newRow("avi") << std::string("RIFF....AVI ") << "ffmpeg";
        QTest::newRow("heic") << std::string("\0\0\0 ftypheic", 12) << "HEIF";
        QTest::newRow("mp4") << std::string("\0\0\0 ftypisom", 12) << "ffmpeg";
        QTest::newRow("mkv") << std::string("\x1A\x45\xDF\xA3....") << "ffmpeg";
        QTest::newRow("bitmap") << std::string("P4 8 1\n.") << "PBM";
    }
    void tellsFilesByTheirFirstBytes() {
        QFETCH(std::string, bytes);
        QFETCH(QString, says);
        QVERIFY2(wrongWith(bytes).contains(says), qPrintable(wrongWith(bytes)));
    }

    void namesThePackageOfAFormatThatIsNotBuilt_data() {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<QString>("package");
        QTest::newRow("JPEG") << std::string("\xFF\xD8\xFF\xE0") << "libjpeg62-turbo-dev";
        QTest::newRow("TIFF") << std::string("II*\0\0\0\0\0", 8) << "libtiff-dev";
    }
    void namesThePackageOfAFormatThatIsNotBuilt() {
        QFETCH(std::string, bytes);
        QFETCH(QString, package);
        const bool isBuilt = std::ranges::count(pictureFormats(), QTest::currentDataTag()) > 0;
        QVERIFY2(wrongWith(bytes).contains(isBuilt ? "cannot be read" : package),
                 qPrintable(wrongWith(bytes)));
    }

    void refusesWhatIsNoFile() {
        QCOMPARE(errorOf([&] { (void)formOf({dir_.path().toStdString()}); })->code(),
                 ErrorCode::file);
        QCOMPARE(errorOf([&] { (void)formOf({file().string() + "x"}); })->code(), ErrorCode::file);
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestPictures() { return std::make_unique<weft::TestPictures>(); }
#include "tst_pictures.moc"
