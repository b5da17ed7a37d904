// SPDX-License-Identifier: Apache-2.0
#include "data/films/place_frame.h"
#include "engine/data/raises.h"

#include <QTest>
#include <algorithm>
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
        writeView(cutFrame(from, form, 100), form, view, x);
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

    void scalesUntilTheFrameIsCovered() {
        FrameForm covered = form(2, 2);
        covered.isScaled = true;
        // Scales four rows and eight columns to two and four, and cuts the middle; white is 65535.
        Still large = picture(4, 8);
        large.most = 65535;
        std::ranges::for_each(large.samples, [](std::uint16_t& sample) { sample *= 2; });
        QCOMPARE(placed(large, covered), (Numbers{15, 19, 55, 59}));
        QCOMPARE(placed(large, covered, {.right = 1}), (Numbers{19, 23, 59, 63}));
        // A smaller one is enlarged: each pixel as often as it takes.
        covered = form(2, 4);
        covered.isScaled = true;
        Still small = picture(1, 2);
        small.most = 65535;
        QCOMPARE(placed(small, covered), (Numbers{0, 0, 1, 1, 0, 0, 1, 1}));
        // With three columns scaled to two, each is the mean of one column and half of the next.
        covered = form(1, 2);
        covered.isScaled = true;
        Still uneven{.form = {2, 3, 1}, .most = 65535, .samples = {0, 3, 30, 0, 3, 30}};
        QCOMPARE(scaledForm(uneven.form, covered), (PictureForm{1, 2, 1}));
        QCOMPARE(placed(uneven, covered), (Numbers{1, 21}));
    }

    void scalesUntilAllIsInTheFrame() {
        FrameForm contained = form(2, 2);
        contained.isScaled = contained.isPadded = true;
        Still wide{.form = {2, 4, 1}, .most = 65535, .samples = {4, 4, 8, 8, 4, 4, 8, 8}};
        QCOMPARE(scaledForm(wide.form, contained), (PictureForm{1, 2, 1}));
        QCOMPARE(placed(wide, contained), (Numbers{4, 8, 0, 0}));
    }

    void scalesNoMoreThanIsShown() {
        // A line of 30 million pixels would be as many rows high as they are wide.
        FrameForm covered = form(8, 8);
        covered.isScaled = true;
        Still line{.form = {1, 30'000'000, 1}, .most = 255, .samples = {}};
        line.samples.assign(30'000'000, 255);
        const FrameCut made = cutFrame(line, covered, 2);
        QCOMPARE(made.picture.form, (PictureForm{8, 12, 1}));
        QCOMPARE(made.picture.samples.front(), std::uint16_t{65535});
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
        Still dim{.form = {1, 3, 1}, .samples = {20, 30, 60}};
        FrameForm three = form(1, 3);
        three.norm = FrameNorm::luminance;
        QCOMPARE(placed(dim, three), (Numbers{0, 0.25F, 1}));
        three.columns = 5;
        three.isPadded = true;
        QCOMPARE(placed(dim, three), (Numbers{0, 0, 0.25F, 1, 0}));
        dim.samples = {20, 20, 20};
        QCOMPARE(placed(dim, three), (Numbers{0, 0, 0, 0, 0}));
        asked.norm = FrameNorm::deviation;
        QCOMPARE(placed(wide, asked), (Numbers{-1, 1}));
        // Padding does not count in the statistics.
        asked.columns = 4;
        asked.isPadded = true;
        QCOMPARE(placed(wide, asked), (Numbers{0, -1, 1, 0}));
        wide.samples = {1000, 1000};
        QCOMPARE(placed(wide, asked), (Numbers{0, 0, 0, 0}));
    }

    /// Pixels that are cut off are never shown.
    void showsOfACutWhatItShowsOfTheWhole() {
        std::int64_t cut = 0;
        for (std::int64_t k = 0; k < 4000; ++k) {
            const auto drawn = [&](std::int64_t of, std::int64_t from) {
                return from + (k * 7919 + of * 104729 + k / of) % of;
            };
            const Still from = picture(drawn(9, 1), drawn(11, 1));
            FrameForm asked = form(drawn(5, 1), drawn(7, 1));
            asked.down = drawn(6, -3);
            asked.right = drawn(8, -4);
            asked.isPadded = true;
            const bool fits = [&] {
                FrameForm cropped = asked;
                cropped.isPadded = false;
                return !errorOf([&] { ensureFits({}, from.form, cropped); });
            }();
            asked.isPadded = !fits || k % 2 == 0;
            const std::int64_t jitter = drawn(4, 0);
            const FrameView view{.down = jitter == 0 ? 0 : drawn(2 * jitter + 1, -jitter),
                                 .right = jitter,
                                 .isMirrored = k % 3 == 0};
            const FrameCut part = cutFrame(from, asked, jitter);
            cut += part.picture.samples.size() < from.samples.size() ? 1 : 0;
            Numbers x(static_cast<std::size_t>(asked.rows * asked.columns), -7);
            writeView(part, asked, view, x);
            QCOMPARE(x, placed(from, asked, view));
        }
        QVERIFY(cut > 1000);
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

    /// Which is told of a picture wherever it is told, and does mend it.
    void saysWhichFitMendsIt() {
        FrameForm whole = form(4, 3);
        whole.isWhole = true;
        FrameForm covered = form(2, 2);
        covered.isScaled = true;
        covered.down = 1;
        FrameForm contained = covered;
        contained.isPadded = true;
        FrameForm padded = form(4, 4);
        padded.isPadded = true;
        const auto fitOf = [](const FrameForm& asked) {
            return frameMismatch({2, 2, 1}, asked).value_or(FrameMismatch{}).fit;
        };
        QCOMPARE(fitOf(form(4, 4)), std::string("pad"));
        QVERIFY(!frameMismatch({2, 2, 1}, padded));
        QCOMPARE(fitOf(whole), std::string("contain"));
        QCOMPARE(fitOf(covered), std::string("contain"));
        QVERIFY(!frameMismatch({2, 2, 1}, contained));
        padded.right = 90; // nothing is seen of it, however it is brought to the frame
        const std::optional<FrameMismatch> unseen = frameMismatch({2, 2, 1}, padded);
        QVERIFY(unseen && unseen->fit.empty());
        QCOMPARE(unseen->attribute, std::string("offset"));
        QCOMPARE(unseen->remedy, std::string("make offset smaller"));
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestPlaceFrame() { return std::make_unique<weft::TestPlaceFrame>(); }
#include "tst_place_frame.moc"
