// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "engine/data/films/pictures_on_disk.h"
#include "engine/data/made_source.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>
#include <numeric>

namespace weft {

using test::errorOf;
using test::fieldOf;
using test::writeBytes;
using test::writeDot;
using test::writePgm;
using Floats = std::vector<float>;
using Labels = std::vector<std::int32_t>;
namespace fs = std::filesystem;

namespace {

Attributes with(Attributes attributes) {
    attributes.set("folder", std::string("data"));
    attributes.set("channels", std::string("grey"));
    return attributes;
}

Attributes fitting(const char* fit, const std::vector<std::int64_t>& size) {
    return with({{"fit", std::string(fit)}, {"size", size}});
}

} // namespace

class TestPicturesSource : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> dir_;

    [[nodiscard]] fs::path at(const std::string& name) const {
        return fs::path(dir_->path().toStdString()) / name;
    }
    [[nodiscard]] static DataSettings settings(const Attributes& attributes) {
        DataSettings settings;
        settings.source = "pictures";
        settings.attributes = attributes;
        return settings;
    }
    [[nodiscard]] Data open(const Attributes& attributes) const {
        return openData(settings(attributes), {.base = at("")}, sourceKinds());
    }
    [[nodiscard]] DataDescription described(const Attributes& attributes) const {
        return describeData(settings(attributes), {.base = at("")}, sourceKinds());
    }
    [[nodiscard]] Floats shown(const Attributes& attributes) const {
        return fieldOf<float>(*open(attributes).training, "images", {0});
    }
    /// Returns one example as the epoch sees it.
    static Floats seenIn(const Source& source, std::int64_t epoch, std::int64_t example) {
        Floats x(static_cast<std::size_t>(elementsOf(source.fields()[0].shape)));
        source.readIn(epoch, {&example, 1}, 0, std::as_writable_bytes(std::span(x)));
        return x;
    }

private Q_SLOTS:
    void init() { dir_ = std::make_unique<QTemporaryDir>(); }

    void readsPicturesAndTheirClasses() {
        writePgm(at("data/b/1.pgm"), 1, 2, {0, 255});
        writePgm(at("data/a/1.pgm"), 1, 2, {51, 102});
        const Data data = open(with({}));
        QCOMPARE(data.classNames, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(data.training->fields()[0].shape, (Shape{1, 1, 2}));
        QCOMPARE(data.training->fields()[1].classes, std::int64_t{2});
        QCOMPARE(fieldOf<float>(*data.training, "images", {1, 0}), (Floats{0, 1, 0.2F, 0.4F}));
        QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {1, 0}), (Labels{1, 0}));
        QCOMPARE(open({{"folder", std::string("data")}}).training->fields()[0].shape,
                 (Shape{3, 1, 2}));
        QCOMPARE(shown(with({{"mean", 0.2}, {"std", 0.5}})), (Floats{0, 0.4F}));
    }

    void bringsEveryPictureToTheSizeAsChosen() {
        writePgm(at("data/a/1.pgm"), 2, 4, {0, 0, 102, 102, 0, 0, 102, 102});
        QCOMPARE(shown(fitting("stretch", {1, 2})), (Floats{0, 0.4F}));
        QCOMPARE(shown(fitting("cover", {2, 2})), (Floats{0, 0.4F, 0, 0.4F}));
        QCOMPARE(shown(fitting("crop", {1, 2})), (Floats{0, 0.4F}));
        QCOMPARE(shown(fitting("contain", {2, 2})), (Floats{0, 0.4F, 0, 0}));
        Attributes padded = fitting("pad", {2, 6});
        padded.set("background", 1.0);
        QCOMPARE(shown(padded), (Floats{1, 0, 0, 0.4F, 0.4F, 1, 1, 0, 0, 0.4F, 0.4F, 1}));
        const auto tooSmall = errorOf([&] { (void)open(fitting("crop", {4, 4})); });
        QVERIFY(tooSmall && tooSmall->where().file == at("data/a/1.pgm").string());
        const std::vector<Diagnostic> told = described(fitting("crop", {4, 4})).problems;
        QVERIFY(told.size() == 1 && told[0].code == "E046" && !told[0].fix.edits.empty());
    }

    void readsSetsFromFoldersOrLists() {
        writeDot(at("data/train/a/1.pgm"), 51);
        writeDot(at("data/train/b/1.pgm"), 102);
        writeDot(at("data/val/b/1.pgm"), 153);
        writeBytes(at("data/test.csv"), "path,label\nval/b/1.pgm,b\ntrain/a/1.pgm,a\n");
        const Attributes sets = with({{"train", std::string("train")},
                                      {"validation", std::string("val")},
                                      {"test", std::string("test.csv")}});
        const Data data = open(sets);
        QCOMPARE(data.training->size(), std::int64_t{2});
        QCOMPARE(fieldOf<std::int32_t>(*data.validation, "labels", {0}), (Labels{1}));
        QCOMPARE(fieldOf<std::int32_t>(*data.test, "labels", {0, 1}), (Labels{1, 0}));
        QCOMPARE(described(sets).test, std::int64_t{2});
        writeBytes(at("data/test.csv"), "val/b/1.pgm,c\n");
        QCOMPARE(errorOf([&] { (void)open(sets); })->where().line, std::int64_t{1});
    }

    void readsNumbersFromAList() {
        writeDot(at("data/a.pgm"), 51);
        writeBytes(at("data/list.txt"), "a.pgm 1.5 2\na.pgm 3 4\n");
        const Data data = open(
            with({{"train", std::string("list.txt")}, {"target_type", std::string("number")}}));
        QCOMPARE(fieldOf<float>(*data.training, "targets", {1, 0}), (Floats{3, 4, 1.5F, 2}));
        QVERIFY(data.classNames.empty());
    }

    void refusesOrSkipsBrokenPictures() {
        writePgm(at("data/a/1.pgm"), 1, 1, {51});
        writeBytes(at("data/a/0.pgm"), "P5 1 1 255\n"); // its pixel is missing
        writeBytes(at("data/a/2.png"), "no picture");
        writeBytes(at("data/b/1.gif"), "GIF89a"); // by its name not a picture that Weft reads
        writeDot(at("data/b/2.pgm"), 102);
        QVERIFY(errorOf([&] { (void)open(with({})); }));
        const Attributes skipping = with({{"broken", std::string("skip")}});
        const Data data = open(skipping);
        QCOMPARE(data.training->size(), std::int64_t{2});
        QCOMPARE(fieldOf<float>(*data.training, "images", {0, 1}), (Floats{0.2F, 0.4F}));
        QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {0, 1}), (Labels{0, 1}));
        QCOMPARE(data.problems.size(), std::size_t{1});
        QVERIFY2(data.problems[0].text.find("2 of 4") != std::string::npos &&
                     data.problems[0].text.find("0.pgm") != std::string::npos,
                 data.problems[0].text.c_str());
        QCOMPARE(described(skipping).training, std::int64_t{2});
        // A file that was mended is read again.
        fs::remove(at("data/a/0.pgm"));
        writeDot(at("data/a/0.pgm"), 153);
        QCOMPARE(open(skipping).training->size(), std::int64_t{3});
    }

    void namesAPictureThatBreaksWhileItIsRead() {
        writeDot(at("data/a/1.pgm"), 51);
        const Data data = open(with({}));
        writeBytes(at("data/a/1.pgm"), "P5 1 1 255\n");
        const auto error = errorOf([&] { (void)fieldOf<float>(*data.training, "images", {0}); });
        QVERIFY(error && error->where().file == at("data/a/1.pgm").string());
    }

    void augmentsTheSameInEveryRunAndOtherwiseInEachEpoch() {
        std::vector<int> pixels(64);
        std::iota(pixels.begin(), pixels.end(), 1);
        for (int k = 0; k < 4; ++k) {
            writePgm(at("data/a/" + std::to_string(k) + ".pgm"), 8, 8, pixels);
        }
        Attributes drawn = fitting("crop", {4, 4});
        drawn.set("jitter", std::int64_t{2});
        drawn.set("flip", std::string("horizontal"));
        DataSettings asked = settings(drawn);
        asked.validation = 0.5;
        const auto opened = [&] { return openData(asked, {.base = at("")}, sourceKinds()); };
        const Data data = opened();
        const Data again = opened();
        std::vector<Floats> views;
        for (std::int64_t epoch = 0; epoch < 12; ++epoch) {
            views.push_back(seenIn(*data.training, epoch, 0));
            QCOMPARE(seenIn(*again.training, epoch, 0), views.back());
            QCOMPARE(seenIn(*data.validation, epoch, 0),
                     fieldOf<float>(*data.validation, "images", {0}));
        }
        std::ranges::sort(views);
        const auto same = std::ranges::unique(views);
        QVERIFY(views.size() - same.size() > 4);
        drawn.set("seed", std::int64_t{2});
        asked = settings(drawn);
        asked.validation = 0.5;
        const Data other = opened();
        bool isOther = false;
        for (std::int64_t epoch = 0; epoch < 4; ++epoch) {
            isOther =
                isOther || seenIn(*other.training, epoch, 0) != seenIn(*data.training, epoch, 0);
        }
        QVERIFY(isOther);
    }

    void refusesWhatNamesNoPictures() {
        QCOMPARE(errorOf([&] { (void)open({}); })->code(), ErrorCode::file);
        fs::create_directories(at("data"));
        QCOMPARE(errorOf([&] { (void)open(with({})); })->code(), ErrorCode::format);
        writeDot(at("data/a/1.pgm"), 1);
        Attributes sized = with({{"size", std::vector<std::int64_t>{1, 2, 3}}});
        QCOMPARE(errorOf([&] { (void)open(sized); })->code(), ErrorCode::design);
    }

    void namesWhatADescriptionDependsOn() {
        writeDot(at("data/a/1.pgm"), 1);
        fs::create_directories(at("data/a/more"));
        const auto looked = [&](const Attributes& given) {
            const SourceList kinds = sourceKinds();
            const SourceKind& kind = *findSourceKind(kinds, "pictures");
            const Attributes attributes = completed(given, kind.attributes);
            const DataFolders folders{.base = at("")};
            std::vector<fs::path> paths;
            static_cast<void>(errorOf([&] {
                (void)kind.open({.kind = kind,
                                 .attributes = attributes,
                                 .folders = folders,
                                 .describe = true,
                                 .looked = &paths});
            }));
            std::ranges::sort(paths);
            return paths;
        };
        const fs::path data = at("data").lexically_normal();
        QCOMPARE(looked(with({})),
                 (std::vector{data / "", data / "a", data / "a/1.pgm", data / "a/more"}));
        fs::create_directories(at("data/b")); // refused, until there is a picture in it
        const std::vector<fs::path> refused = looked(with({}));
        QVERIFY(std::ranges::find(refused, data / "b") != refused.end());
        writeBytes(at("data/list.txt"), "a/2.pgm x\n");
        const std::vector<fs::path> absent = looked(with({{"train", std::string("list.txt")}}));
        QVERIFY(std::ranges::find(absent, data / "a/2.pgm") != absent.end());
    }

    void listsAllFilesThatItReads() {
        writeDot(at("data/a/1.pgm"), 1);
        writeDot(at("data/b/1.pgm"), 1);
        QCOMPARE(filesRead(settings(with({})), {.base = at("")}, sourceKinds()).size(),
                 std::size_t{2});
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestPicturesSource() {
    return std::make_unique<weft::TestPicturesSource>();
}
#include "tst_pictures_source.moc"
