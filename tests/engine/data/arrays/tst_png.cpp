// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/png.h"
#include "data/films/pictures.h"
#include "data/films/place_frame.h"
#include "engine/data/raises.h"
#include "support/test_main.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestPng : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    [[nodiscard]] std::filesystem::path at(const char* name) const {
        return folder_.filePath(name).toStdString();
    }

    static Array colours() {
        Array picture{.dtype = DType::u8, .shape = {3, 2, 3}, .bytes = {}};
        for (int k = 0; k < 18; ++k) {
            picture.bytes.push_back(static_cast<std::byte>(k * 13));
        }
        return picture;
    }

    /// As bytes [channels, rows, columns].
    static Array read(const std::filesystem::path& path, std::int64_t channels) {
        const Still still = readPicture({path});
        const FrameForm form{.channels = channels,
                             .rows = still.form.rows,
                             .columns = still.form.columns,
                             .norm = FrameNorm::none};
        std::vector<float> x(static_cast<std::size_t>(channels * form.rows * form.columns));
        writeView(cutFrame(still, form, 0), form, {}, x);
        Array array{.dtype = DType::u8, .shape = {channels, form.rows, form.columns}, .bytes = {}};
        for (const float each : x) {
            array.bytes.push_back(static_cast<std::byte>(std::lround(each)));
        }
        return array;
    }

private Q_SLOTS:
    void givesBackWhatWasWritten() {
        writePng(at("colours.png"), colours());
        QVERIFY(read(at("colours.png"), 3) == colours());
        Array grey = colours();
        grey.shape = {1, 3, 6};
        writePng(at("grey.png"), grey);
        QVERIFY(read(at("grey.png"), 1) == grey);
    }

    void bringsAnyPictureToTheChannelsAskedFor() {
        writePng(at("colours.png"), colours());
        QVERIFY((read(at("colours.png"), 1).shape == Shape{1, 2, 3}));
        Array grey{.dtype = DType::u8, .shape = {1, 1, 1}, .bytes = {std::byte{77}}};
        writePng(at("grey.png"), grey);
        const Array same = read(at("grey.png"), 3);
        QVERIFY((same.bytes == std::vector<std::byte>(3, std::byte{77})));
    }

    void saysWhatIsNoPicture() {
        writeBytes(at("text.png"), "no picture at all");
        const auto error = errorOf([&] { (void)read(at("text.png"), 1); });
        QVERIFY(error && error->code() == ErrorCode::format);
        QVERIFY(QString(error->what()).contains("text.png"));
        QVERIFY(errorOf([&] { (void)read(at("none.png"), 1); })->code() == ErrorCode::file);
    }

    void bearsEveryPrefixAndFlippedByte() {
        writePng(at("whole.png"), colours());
        const std::string whole = readBytes(at("whole.png"));
        for (std::size_t length = 0; length < whole.size(); ++length) {
            writeBytes(at("part.png"), whole.substr(0, length));
            const auto error = errorOf([&] { (void)read(at("part.png"), 3); });
            QVERIFY(!error || error->code() == ErrorCode::format);
            std::string flipped = whole;
            flipped[length] = static_cast<char>(flipped[length] ^ 0x55);
            writeBytes(at("flipped.png"), flipped);
            const auto other = errorOf([&] { (void)read(at("flipped.png"), 3); });
            QVERIFY(!other || other->code() == ErrorCode::format);
        }
    }
};

std::unique_ptr<QObject> makeTestPng() { return std::make_unique<TestPng>(); }
#include "tst_png.moc"
