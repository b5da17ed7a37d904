// SPDX-License-Identifier: Apache-2.0
// The data of a design, chosen and bound by edits; what cannot be read asks for the attribute that
// names it and keeps nothing from being planned.
#include "support/places.h"
#include <weft/catalogue.h>
#include <weft/data_edits.h>
#include <weft/design_file.h>
#include <weft/preview.h>
#include <weft/samples.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>

using namespace weft;

namespace {

const std::vector<SettingKind>& dataKinds() {
    static const std::vector<SettingKind> kinds = findSetting(settings(), "data.source")->kinds;
    return kinds;
}

const std::vector<LayerKindInfo>& layerKinds() {
    static const std::vector<LayerKindInfo> all = catalogue();
    return all;
}

Design drawnDigits() {
    return loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", layerKinds())
        .design;
}

std::string attributeText(const Layer& layer, const char* attribute) {
    return toString(*layer.attributes.find(attribute));
}

Preview previewOf(const Design& design, const std::filesystem::path& folder, PreviewCache& cache) {
    return *preview(
        design, cache,
        {.wantsLegal = false, .data = PreviewData{.folder = folder}, .until = PreviewPart::run});
}

Preview previewOf(const Design& design, const std::filesystem::path& folder) {
    PreviewCache cache;
    return previewOf(design, folder, cache);
}

const Diagnostic* problemWith(const Preview& preview, std::string_view code) {
    const auto found = std::ranges::find(preview.problems, code, &Diagnostic::code);
    return found == preview.problems.end() ? nullptr : &*found;
}

/// Big-endian sizes, then a byte for each element.
void writeIdx(const std::filesystem::path& file, const std::vector<int>& sizes) {
    std::ofstream out(file, std::ios::binary);
    out << std::string{0, 0, 8, static_cast<char>(sizes.size())};
    int elements = 1;
    for (const int size : sizes) {
        out << std::string{0, 0, 0, static_cast<char>(size)};
        elements *= size;
    }
    out << std::string(static_cast<std::size_t>(elements), '\1');
}

const SampleField pictures{.name = "pictures", .shape = {3, 8, 8}};
const SampleField names{.name = "names", .classes = 4, .dtype = DType::i32};

} // namespace

class TestDataEdits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void framesOfAnExampleAreThoseOfFilms() {
        const auto framesBy = [](const char* source, const Attributes& with) {
            return framesOf({.source = source, .attributes = with});
        };
        const Attributes three{{"frames", std::int64_t{3}}};
        QCOMPARE(framesBy("textures", three), std::int64_t{3});
        QCOMPARE(framesBy("frames", three), std::int64_t{3});
        QCOMPARE(framesBy("frames", {}), std::int64_t{1});
        QCOMPARE(framesBy("frames", {{"frames", std::int64_t{-2}}}), std::int64_t{1});
        QCOMPARE(framesBy("frames", {{"frames", std::string("three")}}), std::int64_t{1});
        QCOMPARE(framesBy("digits", three), std::int64_t{1}); // has no films
        QCOMPARE(framesBy("nothing", three), std::int64_t{1});
    }

    void everySourceHasATitle() {
        QVERIFY(dataKinds().size() >= 7);
        for (const SettingKind& source : dataKinds()) {
            QVERIFY2(!source.title.empty() && !source.help.empty(), source.name.c_str());
        }
    }

    /// A source that reads files declares which of its attributes name them.
    void whatReadsFilesNamesThem_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("idx") << "idx"
                             << QStringList{"folder", "train_images", "train_labels", "test_images",
                                            "test_labels"};
        QTest::newRow("cifar") << "cifar" << QStringList{"folder", "train", "test"};
        QTest::newRow("npy") << "npy"
                             << QStringList{"folder", "inputs", "targets", "test_inputs",
                                            "test_targets"};
        QTest::newRow("text") << "text" << QStringList{"file"};
        QTest::newRow("frames") << "frames" << QStringList{"folder", "files", "test"};
        QTest::newRow("digits") << "digits" << QStringList{};
    }
    void whatReadsFilesNamesThem() {
        QFETCH(QString, source);
        QFETCH(QStringList, names);
        const auto kind = std::ranges::find(dataKinds(), source.toStdString(), &SettingKind::name);
        QVERIFY(kind != dataKinds().end());
        QStringList found;
        for (const AttributeSpec& spec : kind->attributes) {
            if (spec.namesFiles()) {
                found << QString::fromStdString(spec.name);
                QVERIFY(typeOf(spec.defaultValue) == AttributeType::text);
            }
        }
        QCOMPARE(found, names);
    }

    void anotherSourceKeepsWhatBothDeclareAlike() {
        Design design = drawnDigits();
        design.data.source = "idx";
        design.data.attributes = {{"folder", std::string("there")},
                                  {"train_images", std::string("pictures")},
                                  {"mean", 0.5}};
        const auto feeds = design.data.feeds;
        QVERIFY(setSource(design, "cifar", dataKinds()).isDone());
        QCOMPARE(design.data.source, std::string("cifar"));
        QCOMPARE(design.data.attributes.text("folder"), std::string("there"));
        QVERIFY(!design.data.attributes.has("train_images"));
        QVERIFY(design.data.feeds == feeds);
        const Design before = design;
        const Edited edited = setSource(design, "tape", dataKinds());
        QVERIFY(!edited.isDone());
        QVERIFY(edited.refusal->fix.text.find("idx") != std::string::npos);
        QVERIFY(design == before);
    }

    void aFieldGivesItsInputShapeAndType() {
        Design design = drawnDigits();
        const LayerId labels = findLayer(design.network, std::string_view("digit"))->id;
        QVERIFY(feedInput(design, labels, names, layerKinds()).isDone());
        const Layer& layer = *findLayer(design.network, labels);
        QCOMPARE(attributeText(layer, "shape"), std::string("[]"));
        QCOMPARE(attributeText(layer, "dtype"), toString(AttributeValue(std::string("i32"))));
        QCOMPARE(design.data.feeds.at(layer.name), std::string("names"));
        // Bytes are no type of an input: they come as numbers.
        const SampleField bytes{.name = "bytes", .shape = {2, 2}, .dtype = DType::u8};
        QVERIFY(feedInput(design, labels, bytes, layerKinds()).isDone());
        QCOMPARE(attributeText(*findLayer(design.network, labels), "dtype"),
                 toString(AttributeValue(std::string("f32"))));
    }

    void whatIsNoInputIsNotFed() {
        Design design = drawnDigits();
        const Design before = design;
        const auto fc1 = findLayer(design.network, std::string_view("fc1"))->id;
        QVERIFY(!feedInput(design, fc1, names, layerKinds()).isDone());
        QVERIFY(!feedInput(design, LayerId{}, names, layerKinds()).isDone());
        QVERIFY(design == before);
    }

    void aNewInputIsCalledAsItsField() {
        Design design;
        const Edited first = addInputFor(design, pictures, layerKinds());
        QVERIFY(first.isDone());
        const Layer& layer = *findLayer(design.network, first.layer());
        QCOMPARE(layer.name, std::string("pictures"));
        QCOMPARE(attributeText(layer, "shape"), std::string("[3, 8, 8]"));
        QCOMPARE(design.data.feeds.at("pictures"), std::string("pictures"));
        const Edited second = addInputFor(design, pictures, layerKinds());
        QVERIFY(second.isDone() && second.layer() != first.layer());
        QCOMPARE(design.data.feeds.size(), std::size_t{2});
        // A field may be called as no layer can.
        const Edited odd = addInputFor(design, {.name = "a/b -> c"}, layerKinds());
        QVERIFY(odd.isDone());
        const Layer& own = *findLayer(design.network, odd.layer());
        QCOMPARE(design.data.feeds.at(own.name), std::string("a/b -> c"));
    }

    void feedsAreHeldAgainstTheFields() {
        Design design;
        const LayerId x =
            addLayer(design, {},
                     {.name = "x", .kind = "input", .attributes = {{"shape", Shape{3, 8, 8}}}})
                .layer();
        const LayerId y =
            addLayer(design, {},
                     {.name = "y", .kind = "input", .attributes = {{"dtype", std::string("i64")}}})
                .layer();
        const SampleSource source{.fields = {pictures, names}};
        std::vector<InputFeed> feeds = inputFeeds(design, source, layerKinds());
        QCOMPARE(feeds.size(), std::size_t{2});
        // By their places, as a run takes them.
        QCOMPARE(feeds[0].field, std::string("pictures"));
        QVERIFY(feeds[0].fit == FeedFit::fits && !feeds[0].isNamed);
        QCOMPARE(feeds[1].field, std::string("names"));
        QVERIFY(feeds[1].fit == FeedFit::converts);
        setAttribute(design, {}, x, "shape", Shape{3, 9, 9});
        design.data.feeds["y"] = "gone";
        feeds = inputFeeds(design, source, layerKinds());
        QVERIFY(feeds[0].fit == FeedFit::wrong);
        QVERIFY(feeds[1].fit == FeedFit::missing && feeds[1].isNamed);
        QCOMPARE(feeds[1].field, std::string("gone"));
        QCOMPARE(feeds[1].meant, std::string("names"));
        QVERIFY(feedInput(design, x, pictures, layerKinds()).isDone());
        QVERIFY(feedInput(design, y, names, layerKinds()).isDone());
        for (const InputFeed& feed : inputFeeds(design, source, layerKinds())) {
            QVERIFY(feed.fit == FeedFit::fits);
        }
        setMuted(design, {}, {x}, true);
        QCOMPARE(inputFeeds(design, source, layerKinds()).size(), std::size_t{1});
    }

    /// Whatever a file says of an input's attributes.
    void hostileAttributesOfInputsAreNoShape() {
        Design design;
        addLayer(design, {},
                 {.name = "x",
                  .kind = "input",
                  .attributes = {{"shape", std::string("round")}, {"dtype", 3.5}}});
        const auto feeds = inputFeeds(design, {.fields = {pictures}}, layerKinds());
        QCOMPARE(feeds.size(), std::size_t{1});
        QVERIFY(feeds[0].fit == FeedFit::wrong);
    }

    void whatIsMissingAsksForItsAttribute_data() {
        QTest::addColumn<QString>("attribute");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("asked");
        QTest::newRow("nothing is said") << ""
                                         << ""
                                         << "folder";
        QTest::newRow("no such folder") << "folder"
                                        << "nowhere"
                                        << "folder";
        QTest::newRow("a file under another name") << "train_images"
                                                   << "gone"
                                                   << "train_images";
    }
    void whatIsMissingAsksForItsAttribute() {
        QFETCH(QString, attribute);
        QFETCH(QString, value);
        QFETCH(QString, asked);
        const QTemporaryDir folder;
        Design design = drawnDigits();
        design.data.source = "idx";
        design.data.attributes = {};
        if (!attribute.isEmpty()) {
            design.data.attributes.set(attribute.toStdString(), value.toStdString());
        }
        const Preview made = previewOf(design, folder.path().toStdString());
        const Diagnostic* problem = problemWith(made, "W045");
        QVERIFY(problem != nullptr);
        QCOMPARE(problem->attribute, asked.toStdString());
        QCOMPARE(problem->fix.asks, "data.source.with." + asked.toStdString());
        QVERIFY(problem->severity == Severity::warning);
        // All else is planned.
        QVERIFY(made.isComplete && made.step && made.run && !made.run->isDataKnown);
    }

    /// Whatever source somebody begins with: a click picks its files.
    void everySourceOfFilesAsksForThem() {
        const QTemporaryDir folder;
        for (const SettingKind& kind : dataKinds()) {
            Design design;
            design.data.source = kind.name;
            const Preview made = previewOf(design, folder.path().toStdString());
            const bool asks = std::ranges::any_of(made.problems, [](const Diagnostic& problem) {
                return problem.fix.asks.starts_with("data.source.with.");
            });
            QVERIFY2(asks == std::ranges::any_of(kind.attributes, &AttributeSpec::namesFiles),
                     kind.name.c_str());
        }
    }

    void aBrokenFileAsksForItself() {
        const QTemporaryDir folder;
        const std::filesystem::path at = folder.path().toStdString();
        writeIdx(at / "train-images-idx3-ubyte", {80, 28, 28});
        writeIdx(at / "train-labels-idx1-ubyte", {80});
        std::filesystem::resize_file(at / "train-images-idx3-ubyte", 100);
        Design design = drawnDigits();
        design.data.source = "idx";
        design.data.attributes = {{"test_images", std::string()}};
        PreviewCache cache;
        const Preview made = previewOf(design, at, cache);
        const Diagnostic* problem = problemWith(made, "W045");
        QVERIFY(problem != nullptr);
        QCOMPARE(problem->attribute, std::string("train_images"));
        QVERIFY(problem->text.find("train-images-idx3-ubyte") != std::string::npos);
        QVERIFY(made.isComplete && made.step);
        writeIdx(at / "train-images-idx3-ubyte", {80, 28, 28});
        // The design is as it was: it is looked at anew all the same.
        const Preview mended = previewOf(design, at, cache);
        QVERIFY(problemWith(mended, "W045") == nullptr);
        QVERIFY(mended.run && mended.run->isDataKnown);
    }

    /// Somebody begins with the data, before there is a layer.
    void ofAnEmptyDesignItIsSaidToo() {
        const QTemporaryDir folder;
        Design design;
        design.data.source = "idx";
        QVERIFY(problemWith(previewOf(design, folder.path().toStdString()), "W045") != nullptr);
        design.data.source = "text";
        const Preview made = previewOf(design, folder.path().toStdString());
        const Diagnostic* needed = problemWith(made, "E006");
        QVERIFY(needed != nullptr);
        QCOMPARE(needed->fix.asks, std::string("data.source.with.file"));
        QCOMPARE(needed->fix.text, std::string("choose the file"));
        QVERIFY(problemWith(made, "W045") == nullptr);
    }
};

std::unique_ptr<QObject> makeTestDataEdits() { return std::make_unique<TestDataEdits>(); }
#include "tst_data_edits.moc"
