// SPDX-License-Identifier: Apache-2.0
#include "panels/data/shown_samples.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestShownSamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void picturesShareOneRange() {
        const SampleSource source{.fields = {{"images", {1, 2, 2}, 0}, {"labels", {}, 2}},
                                  .classNames = {"cat", "dog"}};
        const Samples samples{
            .fields = {{"images", {2, 1, 2, 2}, {0, 1, 2, 3, 4, 4, 4, 4}}, {"labels", {2}, {1, 0}}},
            .classNames = source.classNames};
        const std::vector<ShownSample> shown = shownSamples(source, samples);
        QCOMPARE(shown.size(), std::size_t{2});
        QCOMPARE(shown[0].picture.size(), QSize(2, 2));
        QCOMPARE(qGray(shown[0].picture.pixel(0, 0)), 0);
        QCOMPARE(qGray(shown[0].picture.pixel(1, 1)), 191); // 3 of 4
        QCOMPARE(qGray(shown[1].picture.pixel(0, 0)), 255);
        QCOMPARE(shown[0].label, QStringLiteral("dog"));
        QCOMPARE(shown[1].label, QStringLiteral("cat"));
    }

    void colourIsThreeChannels() {
        const SampleSource source{.fields = {{"images", {3, 1, 1}, 0}}};
        const std::vector<ShownSample> shown =
            shownSamples(source, {.fields = {{"images", {1, 3, 1, 1}, {1, 0, 0}}}});
        QCOMPARE(shown.at(0).picture.pixel(0, 0), qRgb(255, 0, 0));
    }

    void ofManyChannelsTheFirstIsShown() {
        const SampleSource source{.fields = {{"frames", {2, 1, 2}, 0}}};
        const std::vector<ShownSample> shown =
            shownSamples(source, {.fields = {{"frames", {1, 2, 1, 2}, {0, 2, 4, 4}}}});
        QCOMPARE(shown.at(0).picture.size(), QSize(2, 1));
        QCOMPARE(qGray(shown[0].picture.pixel(0, 0)), 0);
        QCOMPARE(qGray(shown[0].picture.pixel(1, 0)), 128);
    }

    void ofSuccessiveFramesTheFirstIsShown() {
        const SampleSource source{.fields = {{"images", {6, 1, 1}, 0}}};
        const Samples samples{.fields = {{"images", {1, 6, 1, 1}, {4, 0, 0, 0, 0, 4}}}};
        // Two in colour, three in grey of two channels.
        QCOMPARE(shownSamples(source, samples, 2).at(0).picture.pixel(0, 0), qRgb(255, 0, 0));
        QCOMPARE(shownSamples(source, samples, 3).at(0).picture.pixel(0, 0), qRgb(255, 255, 255));
    }

    void largePicturesAreMadeSmaller() {
        const SampleSource source{.fields = {{"photos", {1, 512, 1024}, 0}}};
        const std::vector<ShownSample> shown = shownSamples(
            source, {.fields = {{"photos", {1, 1, 512, 1024}, std::vector<float>(512 * 1024, 1)}}});
        QCOMPARE(shown.at(0).picture.size(), QSize(256, 128));
    }

    void examplesWithoutNumbersAreNone() {
        const SampleSource source{.fields = {{"images", {1, 0, 2}, 0}}};
        QVERIFY(shownSamples(source, {.fields = {{"images", {3, 1, 0, 2}, {}}}}).empty());
    }

    void charactersStandSideBySide() {
        const SampleSource source{.fields = {{"ids", {4}, 3}, {"targets", {4}, 3}},
                                  .classNames = {"\\n", "a", "b"}};
        const std::vector<ShownSample> shown = shownSamples(
            source, {.fields = {{"ids", {1, 4}, {1, 2, 0, 1}}, {"targets", {1, 4}, {2, 0, 1, 1}}},
                     .classNames = source.classNames});
        QCOMPARE(shown.at(0).text, QStringLiteral("ab↵a"));
        QVERIFY(shown.at(0).label.isEmpty());
    }

    void otherNumbersAreWritten() {
        const SampleSource source{.fields = {{"x", {2}, 0}, {"y", {}, 0}}};
        const std::vector<ShownSample> shown =
            shownSamples(source, {.fields = {{"x", {1, 2}, {0.5F, -1}}, {"y", {1}, {2.5F}}}});
        QCOMPARE(shown.at(0).text, QStringLiteral("0.5  −1"));
        QCOMPARE(shown.at(0).label, QStringLiteral("2.5"));
    }

    void nothingIsNothing() {
        QVERIFY(shownSamples({}, {}).empty());
        const SampleSource source{.fields = {{"images", {1, 2, 2}, 0}}};
        QVERIFY(shownSamples(source, {}).empty());
    }
};

std::unique_ptr<QObject> makeTestShownSamples() { return std::make_unique<TestShownSamples>(); }

#include "tst_shown_samples.moc"
