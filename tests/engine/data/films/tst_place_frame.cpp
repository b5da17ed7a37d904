// SPDX-License-Identifier: Apache-2.0
#include "data/films/place_frame.h"
#include "engine/data/raises.h"

#include <QTest>
#include <cmath>
#include <memory>

namespace weft {

using test::errorOf;
using Numbers = std::vector<float>;

class TestPlaceFrame : public QObject {
    Q_OBJECT

    /// Its pixels are 10 row + column.
    static Still picture(std::int64_t rows, std::int64_t columns) {
        Still made{.form = {rows, columns, 1}};
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                made.samples.push_back(static_cast<std::uint16_t>(10 * row + column));
            }
        }
        return made;
    }

    static Numbers placed(const Still& from, FrameForm form, const FrameView& view = {}) {
        Numbers x(static_cast<std::size_t>(form.channels * form.rows * form.columns), -7);
        placeFrame(from, form, view, x);
        return x;
    }

    static FrameForm form(std::int64_t rows, std::int64_t columns) {
        return {.rows = rows, .columns = columns, .norm = FrameNorm::none};
    }

private Q_SLOTS:
    void cutsTheMiddleOut() {
        QCOMPARE(placed(picture(4, 5), form(2, 3)), (Numbers{11, 12, 13, 21, 22, 23}));
        FrameForm off = form(2, 2);
        off.down = 1;
        off.right = -1;
        QCOMPARE(placed(picture(4, 5), off), (Numbers{20, 21, 30, 31}));
    }

    void surroundsWithZeros() {
        FrameForm padded = form(3, 4);
        padded.isPadded = true;
        QCOMPARE(placed(picture(1, 2), padded), (Numbers{0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}));
        // Small one way, large the other.
        padded = form(3, 1);
        padded.isPadded = true;
        QCOMPARE(placed(picture(1, 3), padded), (Numbers{0, 1, 0}));
    }

    void shiftsNoFurtherThanThePictureReaches() {
        QCOMPARE(placed(picture(4, 4), form(2, 2), {.down = 1, .right = -1}),
                 (Numbers{20, 21, 30, 31}));
        QCOMPARE(placed(picture(4, 4), form(2, 2), {.down = 50, .right = -50}),
                 (Numbers{20, 21, 30, 31}));
        FrameForm padded = form(2, 2);
        padded.isPadded = true;
        QCOMPARE(placed(picture(2, 2), padded, {.down = 1}), (Numbers{10, 11, 0, 0}));
        QCOMPARE(placed(picture(2, 2), padded, {.down = 9}), (Numbers{0, 0, 0, 0}));
    }

    void mirrors() {
        QCOMPARE(placed(picture(2, 2), form(2, 2), {.isMirrored = true}), (Numbers{1, 0, 11, 10}));
        QCOMPARE(placed(picture(2, 2), form(2, 2), {.isUpsideDown = true}),
                 (Numbers{10, 11, 0, 1}));
    }

    void bringsChannelsToThoseOfTheFrame() {
        const Still colour{.form = {1, 2, 3}, .samples = {100, 0, 0, 0, 100, 200}};
        FrameForm three = form(1, 2);
        three.channels = 3;
        QCOMPARE(placed(colour, three), (Numbers{100, 0, 0, 100, 0, 200}));
        const Numbers grey = placed(colour, form(1, 2));
        QVERIFY(std::abs(grey[0] - 29.9F) < 1e-4F && std::abs(grey[1] - 81.5F) < 1e-4F);
        QCOMPARE(placed(picture(1, 2), three), (Numbers{0, 1, 0, 1, 0, 1}));
    }

    void normalises() {
        Still wide{.form = {1, 2, 1}, .most = 1000, .samples = {0, 1000}};
        FrameForm asked = form(1, 2);
        asked.norm = FrameNorm::unit;
        QCOMPARE(placed(wide, asked), (Numbers{0, 1}));
        asked.norm = FrameNorm::deviation;
        QCOMPARE(placed(wide, asked), (Numbers{-1, 1}));
        // What is padded has no part in it.
        asked.columns = 4;
        asked.isPadded = true;
        QCOMPARE(placed(wide, asked), (Numbers{0, -1, 1, 0}));
        wide.samples = {1000, 1000};
        QCOMPARE(placed(wide, asked), (Numbers{0, 0, 0, 0}));
    }

    void saysWhichPictureIsTooSmall() {
        const auto wrong = [](std::int64_t rows, std::int64_t down) {
            FrameForm asked = form(2, 2);
            asked.down = down;
            const auto error = errorOf([&] { ensureFits("small.png", {rows, 3, 1}, asked); });
            return error ? error->where().file : std::string();
        };
        QCOMPARE(wrong(1, 0), std::string("small.png"));
        QCOMPARE(wrong(4, 2), std::string("small.png"));
        QCOMPARE(wrong(4, 1), std::string());
        FrameForm whole = form(4, 3);
        whole.isWhole = whole.isPadded = true;
        QVERIFY(!errorOf([&] { ensureFits("other.png", {4, 3, 1}, whole); }));
        QVERIFY(errorOf([&] { ensureFits("other.png", {3, 3, 1}, whole); }));
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestPlaceFrame() { return std::make_unique<weft::TestPlaceFrame>(); }
#include "tst_place_frame.moc"
