// SPDX-License-Identifier: Apache-2.0
#include "data/first_examples.h"
#include "data/open.h"
#include "engine/data/films/pictures_on_disk.h"
#include "engine/data/made_source.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace weft {

using test::errorOf;
using test::fieldOf;
using test::writeDot;
using test::writePgm;
using Examples = std::vector<std::int64_t>;
using Numbers = std::vector<float>;

class TestFrames : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> dir_;

    [[nodiscard]] std::filesystem::path at(const std::string& name) const {
        return std::filesystem::path(dir_->path().toStdString()) / name;
    }
    /// Films a of 6 dots, b of 4; the grey of each is its number.
    void writeFilms() const {
        for (int k = 0; k < 10; ++k) {
            writeDot(
                at("films/" + std::string(k < 6 ? "a" : "b") + "/" + std::to_string(k) + ".pgm"),
                k);
        }
    }
    [[nodiscard]] DataSettings settings(Attributes attributes, double validation = 0) const {
        DataSettings data;
        data.source = "frames";
        data.attributes = std::move(attributes);
        if (!data.attributes.has("folder")) {
            data.attributes.set("folder", std::string("films"));
        }
        data.validation = validation;
        return data;
    }
    [[nodiscard]] Data open(Attributes attributes, double validation = 0) const {
        return openData(settings(std::move(attributes), validation),
                        {.base = dir_->path().toStdString()}, sourceKinds());
    }
    [[nodiscard]] QString wrongWith(Attributes attributes) const {
        const auto error = errorOf([&] { (void)open(std::move(attributes)); });
        return error ? QString(error->what()) : QString("nothing");
    }
    static Examples all(const Source& source) {
        Examples examples(static_cast<std::size_t>(source.size()));
        std::iota(examples.begin(), examples.end(), 0);
        return examples;
    }
    static Attributes plain(Attributes more = {}) {
        more.set("normalise", std::string("none"));
        return more;
    }

private Q_SLOTS:
    void init() { dir_ = std::make_unique<QTemporaryDir>(); }

    void handsOutFramesWhereFilmsBeginAndNumbers() {
        writeFilms();
        const Data data = open(plain());
        const Source& films = *data.training;
        QCOMPARE(films.size(), std::int64_t{10});
        QCOMPARE(films.fields()[0].shape, (Shape{1, 1, 1}));
        QCOMPARE(fieldOf<float>(films, "images", {9, 0, 5}), (Numbers{9, 0, 5}));
        QCOMPARE(fieldOf<float>(films, "begins", all(films)),
                 (Numbers{1, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
        QCOMPARE(fieldOf<std::int64_t>(films, "frame", {3, 8}), (Examples{3, 8}));
        QCOMPARE(films.order().films, (Examples{0, 6}));
        QVERIFY(!data.validation && !data.test);
    }

    void describesWhatItOpens() {
        writeFilms();
        const DataSettings asked = settings({{"frames", std::int64_t{2}}}, 0.25);
        const DataFolders folders{.base = dir_->path().toStdString()};
        const DataDescription known = describeData(asked, folders, sourceKinds());
        const Data data = openData(asked, folders, sourceKinds());
        QCOMPARE(known.training, data.training->size());
        QCOMPARE(known.validation, data.validation->size());
        QCOMPARE(known.fields, data.training->fields());
        QCOMPARE(known.order, data.training->order());
    }

    void showsSuccessiveFramesOfOneFilm() {
        writeFilms();
        const Data data = open(plain({{"frames", std::int64_t{3}}}));
        QCOMPARE(data.training->fields()[0].shape, (Shape{3, 1, 1}));
        QCOMPARE(data.training->size(), std::int64_t{6});
        QCOMPARE(fieldOf<float>(*data.training, "images", {3, 4}), (Numbers{3, 4, 5, 6, 7, 8}));
        QCOMPARE(fieldOf<float>(*data.training, "begins", {3, 4, 5}), (Numbers{0, 1, 0}));
        QCOMPARE(fieldOf<std::int64_t>(*data.training, "frame", {3, 4}), (Examples{3, 6}));
    }

    void holdsOutTailsOrFilms() {
        writeFilms();
        Data data = open(plain(), 0.25);
        QCOMPARE(fieldOf<float>(*data.training, "images", all(*data.training)),
                 (Numbers{0, 1, 2, 3, 6, 7, 8}));
        QCOMPARE(fieldOf<float>(*data.validation, "images", all(*data.validation)),
                 (Numbers{4, 5, 9}));
        QCOMPARE(fieldOf<float>(*data.validation, "begins", all(*data.validation)),
                 (Numbers{1, 0, 1}));
        data = open(plain({{"held_out", std::string("films")}, {"frames", std::int64_t{2}}}), 0.25);
        QCOMPARE(fieldOf<std::int64_t>(*data.validation, "frame", all(*data.validation)),
                 (Examples{6, 7, 8}));
    }

    void testsOnOtherFilms() {
        writeFilms();
        const Data data = open(plain({{"files", std::string("a")}, {"test", std::string("b")}}));
        QCOMPARE(data.training->size(), std::int64_t{6});
        QCOMPARE(fieldOf<float>(*data.test, "images", {0}), (Numbers{6}));
    }

    void takesPicturesThatAreNamedAsOneFilm() {
        writeFilms();
        const Data data = open(
            plain({{"files", std::string("b/7.pgm, a/1.pgm")}, {"folder", at("films").string()}}));
        QCOMPARE(fieldOf<float>(*data.training, "images", {0, 1}), (Numbers{7, 1}));
        QCOMPARE(fieldOf<float>(*data.training, "begins", {0, 1}), (Numbers{1, 0}));
    }

    void bringsPicturesToSizeAndColour() {
        writePgm(at("films/1.pgm"), 3, 3, {0, 1, 2, 10, 11, 12, 20, 21, 22});
        writePgm(at("films/2.pgm"), 1, 2, {99, 98});
        Data data = open(plain({{"size", Examples{1, 2}},
                                {"fit", std::string("pad")},
                                {"channels", std::string("rgb")},
                                {"offset", Examples{0, 1}}}));
        QCOMPARE(data.training->fields()[0].shape, (Shape{3, 1, 2}));
        QCOMPARE(fieldOf<float>(*data.training, "images", {0}), (Numbers{11, 12, 11, 12, 11, 12}));
        QVERIFY(wrongWith({}).contains("2.pgm"));
        QVERIFY(wrongWith({{"size", Examples{2, 2}}}).contains("2.pgm"));
        QVERIFY(wrongWith({{"size", Examples{1, 2, 3}}}).contains("size"));
        QVERIFY(wrongWith({{"files", std::string("none.pgm")}}).contains("none.pgm"));
    }

    void wantsTheSameChannelsOfAll() {
        writeDot(at("films/1.pgm"), 4);
        test::writeBytes(at("films/2.ppm"), "P6 1 1 255\nabc");
        QVERIFY(wrongWith({{"channels", std::string("as_is")}}).contains("2.ppm"));
        QCOMPARE(open({{"channels", std::string("rgb")}}).training->size(), std::int64_t{2});
    }

    void drawsShiftsAndMirrorsAnewInEachEpoch() {
        for (int k = 0; k < 8; ++k) {
            writePgm(at("films/" + std::to_string(k) + ".pgm"), 1, 9, {1, 2, 3, 4, 5, 6, 7, 8, 9});
        }
        const Attributes asked = plain({{"size", Examples{1, 3}},
                                        {"jitter", std::int64_t{2}},
                                        {"flip", std::string("horizontal")}});
        const Data data = open(asked, 0.25);
        const auto in = [&](const Source& source, std::int64_t epoch) {
            const Examples examples = all(source);
            Numbers x(examples.size() * 3);
            source.readIn(epoch, examples, 0, std::as_writable_bytes(std::span(x)));
            return x;
        };
        std::vector<float> firsts;
        int mirrored = 0;
        for (std::int64_t epoch = 0; epoch < 40; ++epoch) {
            const Numbers x = in(*data.training, epoch);
            QCOMPARE(in(*open(asked, 0.25).training, epoch), x);
            for (std::size_t k = 0; k < x.size(); k += 3) {
                mirrored += x[k] > x[k + 2] ? 1 : 0;
                firsts.push_back(std::min(x[k], x[k + 2]));
                QCOMPARE(std::abs(x[k] - x[k + 2]), 2.0F);
            }
        }
        std::ranges::sort(firsts);
        QVERIFY(mirrored > 80 && mirrored < 160); // out of 240
        QCOMPARE(firsts.front(), 2.0F);
        QCOMPARE(firsts.back(), 6.0F);
        firsts.erase(std::ranges::unique(firsts).begin(), firsts.end());
        QCOMPARE(firsts.size(), std::size_t{5});
        // Nobody is judged by what was drawn.
        QCOMPARE(in(*data.validation, 0), (Numbers{4, 5, 6, 4, 5, 6}));
        QCOMPARE(in(*data.validation, 3), in(*data.validation, 0));
    }

    void drawsOnceForAFilmWhereAsked() {
        for (int k = 0; k < 16; ++k) {
            writePgm(at("films/" + std::string(k < 8 ? "a/" : "b/") + std::to_string(k) + ".pgm"),
                     1, 2, {1, 2});
        }
        const auto isAlike = [&](const char* drawn) {
            const Data data =
                open({{"flip", std::string("horizontal")}, {"drawn", std::string(drawn)}});
            const Numbers x = fieldOf<float>(*data.training, "images", {0, 1, 2, 3, 4, 5, 6, 7});
            bool alike = true;
            for (std::size_t k = 2; k < x.size(); ++k) {
                alike = alike && x[k] == x[k % 2];
            }
            return alike;
        };
        QVERIFY(isAlike("film"));
        QVERIFY(!isAlike("frame"));
    }

    void refusesShiftsWithoutRoom() {
        writeFilms();
        QVERIFY(wrongWith({{"jitter", std::int64_t{1}}}).contains("jitter"));
        QCOMPARE(wrongWith({{"jitter", std::int64_t{1}}, {"fit", std::string("pad")}}),
                 QString("nothing"));
    }

    void tellsItsOrder() {
        writeFilms();
        QCOMPARE(open({}).training->order().watch, MovieOrder::byList);
        QCOMPARE(open({{"order", std::string("by_file")}}).training->order().watch,
                 MovieOrder::byFile);
        const ExampleOrder given = open({{"order", std::string("given")},
                                         {"starts", Examples{4, 2}},
                                         {"skips", std::int64_t{3}}})
                                       .training->order();
        QCOMPARE(given.starts, (Examples{4, 2}));
        QCOMPARE(given.skips, (Examples{3, 3}));
        QCOMPARE(given.begins, std::optional<std::size_t>(1));
        QVERIFY(wrongWith({{"order", std::string("given")}}).contains("starts"));
        QVERIFY(wrongWith({{"starts", Examples{4, 2}}}).contains("starts"));
    }

    void keepsItsOrderWhereItsFirstExamplesAreHeld() {
        writeFilms();
        const Data data = open({{"order", std::string("given")}, {"starts", Examples{7, 2}}});
        const SourcePointer held = loadFirstExamples(data.training, 4);
        QCOMPARE(held->order().starts, (Examples{3, 2}));
        QCOMPARE(held->order().begins, data.training->order().begins);
        QCOMPARE(fieldOf<float>(*held, "begins", {0, 3}), (Numbers{1, 0}));
    }

    void refusesAFilmShorterThanAnExample() {
        writeFilms();
        QVERIFY(wrongWith({{"frames", std::int64_t{5}}}).contains("movie of 4 frames"));
    }

    void asksForPicturesThatAreNotNamed() {
        QVERIFY(wrongWith({{"folder", std::string()}}).contains("folder"));
        QVERIFY(wrongWith({{"folder", std::string("nowhere")}}).contains("nowhere"));
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestFrames() { return std::make_unique<weft::TestFrames>(); }
#include "tst_frames.moc"
