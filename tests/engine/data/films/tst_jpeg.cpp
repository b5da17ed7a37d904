// SPDX-License-Identifier: Apache-2.0
#include "data/films/pictures.h"
#include "engine/data/raises.h"

#include <jpeglib.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace weft {

using test::errorOf;

class TestJpeg : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;

    [[nodiscard]] std::filesystem::path file() const {
        return dir_.filePath("picture.jpg").toStdString();
    }

    /// Columns of 16 x 16 pixels, each of one colour.
    void write(J_COLOR_SPACE space, const std::vector<std::vector<JSAMPLE>>& colours,
               bool isProgressive = false) const {
        jpeg_compress_struct info = {};
        jpeg_error_mgr errors = {};
        info.err = jpeg_std_error(&errors);
        jpeg_create_compress(&info);
        std::FILE* out = std::fopen(file().c_str(), "wb");
        jpeg_stdio_dest(&info, out);
        info.image_width = static_cast<JDIMENSION>(16 * colours.size());
        info.image_height = 16;
        info.input_components = static_cast<int>(colours.front().size());
        info.in_color_space = space;
        jpeg_set_defaults(&info);
        jpeg_set_quality(&info, 95, TRUE);
        isProgressive ? jpeg_simple_progression(&info) : void();
        jpeg_start_compress(&info, TRUE);
        std::vector<JSAMPLE> row;
        for (const auto& colour : colours) {
            for (int pixel = 0; pixel < 16; ++pixel) {
                row.insert(row.end(), colour.begin(), colour.end());
            }
        }
        for (int k = 0; k < 16; ++k) {
            JSAMPROW rows[1] = {row.data()};
            jpeg_write_scanlines(&info, rows, 1);
        }
        jpeg_finish_compress(&info);
        jpeg_destroy_compress(&info);
        std::fclose(out);
    }

    static bool isNear(const Still& picture, std::int64_t column,
                       const std::vector<JSAMPLE>& colour) {
        for (std::size_t k = 0; k < colour.size(); ++k) {
            const std::size_t at =
                static_cast<std::size_t>(8 * picture.form.columns + column) * colour.size() + k;
            if (std::abs(int(picture.samples[at]) - int(colour[k])) > 6) {
                return false;
            }
        }
        return true;
    }

private Q_SLOTS:
    void readsGreyAndColour() {
        for (const bool isProgressive : {false, true}) {
            write(JCS_RGB, {{250, 10, 20}, {20, 30, 200}}, isProgressive);
            Still picture = readPicture({file()});
            QCOMPARE(picture.form, (PictureForm{16, 32, 3}));
            QCOMPARE(picture.form, formOf({file()}));
            QVERIFY(isNear(picture, 3, {250, 10, 20}) && isNear(picture, 28, {20, 30, 200}));
            write(JCS_GRAYSCALE, {{250}, {20}}, isProgressive);
            picture = readPicture({file()});
            QCOMPARE(picture.form, (PictureForm{16, 32, 1}));
            QVERIFY(isNear(picture, 3, {250}) && isNear(picture, 28, {20}));
        }
    }

    void convertsFourInks() {
        // libjpeg writes Adobe's marker, so that the numbers are what is left of white.
        write(JCS_CMYK, {{255, 255, 255, 255}, {255, 0, 128, 200}});
        const Still picture = readPicture({file()});
        QCOMPARE(picture.form, (PictureForm{16, 32, 3}));
        QVERIFY(isNear(picture, 3, {255, 255, 255}) && isNear(picture, 28, {200, 0, 100}));
    }

    /// The dark column is seen where the orientation puts it.
    void turnsAsExifSays() {
        write(JCS_GRAYSCALE, {{20}, {250}, {250}});
        const std::string plain = test::readBytes(file());
        for (int orientation = 1; orientation <= 8; ++orientation) {
            for (const bool isLittle : {true, false}) {
                const auto two = [&](int value) {
                    const std::string bytes{static_cast<char>(value & 255),
                                            static_cast<char>(value >> 8)};
                    return isLittle ? bytes : std::string(bytes.rbegin(), bytes.rend());
                };
                const std::string none(2, '\0');
                const std::string eight = isLittle ? two(8) + none : none + two(8);
                const std::string one = isLittle ? two(1) + none : none + two(1);
                const std::string exif = std::string("Exif\0\0", 6) + (isLittle ? "II" : "MM") +
                                         two(42) + eight + two(1) + two(0x0112) + two(3) + one +
                                         two(orientation) + none + none + none;
                const std::size_t length = exif.size() + 2;
                std::filesystem::remove(file());
                test::writeBytes(file(),
                                 plain.substr(0, 2) + "\xff\xe1" + static_cast<char>(length >> 8) +
                                     static_cast<char>(length & 255) + exif + plain.substr(2));
                const Still seen = readPicture({file()});
                QCOMPARE(seen.form, formOf({file()}));
                const bool isUpright = orientation > 4;
                QCOMPARE(seen.form,
                         isUpright ? (PictureForm{48, 16, 1}) : (PictureForm{16, 48, 1}));
                const bool isAtEnd = orientation == 2 || orientation == 3 || orientation > 6;
                const std::int64_t last = isUpright ? 47 * 16 + 8 : 8 * 48 + 47;
                const std::int64_t first = isUpright ? 8 : 8 * 48;
                const auto at = [&](std::int64_t place) {
                    return seen.samples[static_cast<std::size_t>(place)];
                };
                QVERIFY2((at(first) > 100) == isAtEnd && (at(last) > 100) != isAtEnd,
                         qPrintable(QString::number(orientation)));
            }
        }
    }

    /// Nothing is made up for what is missing.
    void readsNoPictureThatIsCutOff() {
        write(JCS_RGB, {{250, 10, 20}, {20, 30, 200}, {1, 250, 3}});
        const std::string whole = test::readBytes(file());
        for (std::size_t length = 3; length + 2 < whole.size(); length += 7) {
            std::filesystem::remove(file());
            test::writeBytes(file(), whole.substr(0, length));
            const auto error = errorOf([&] { (void)readPicture({file()}); });
            QVERIFY2(error && error->code() == ErrorCode::format,
                     qPrintable(QString::number(length)));
            QCOMPARE(error->where().file, file().string());
        }
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestJpeg() { return std::make_unique<weft::TestJpeg>(); }
#include "tst_jpeg.moc"
