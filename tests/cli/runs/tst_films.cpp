// SPDX-License-Identifier: Apache-2.0
// Runs whose loss says which frames they were shown: the mean of their squared numbers, and so much
// more for each element that begins anew.
#include "cli/sparse_design.h"
#include "cli/weft_process.h"
#include "data/arrays/npy.h"
#include "data/arrays/png.h"
#include "support/ranks.h"
#include "support/test_main.h"
#include <weft/runs.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <numeric>

using namespace weft;
using namespace weft::test;

namespace {

constexpr double perBegin = 4096;

/// Per batch element: the frame that is shown, and whether its film begins.
using Shown = std::vector<std::pair<int, bool>>;

double lossOf(const Shown& shown) {
    double loss = 0;
    for (const auto& [frame, begins] : shown) {
        loss += frame * frame + (begins ? perBegin : 0);
    }
    return loss / static_cast<double>(shown.size());
}

/// Two films of six pictures, one of each format that every build reads.
void writeFilms(const QString& folder) {
    for (int k = 0; k < 12; ++k) {
        const QString film = folder + (k < 6 ? "/films/a" : "/films/b");
        QDir().mkpath(film);
        if (k < 6) {
            const Array picture{.dtype = DType::u8, .shape = {1, 2, 2}, .bytes = {4, std::byte{9}}};
            writePng((film + QString("/f%1.png").arg(k)).toStdString(), picture);
        } else {
            writeBytes(film + QString("/f%1.pgm").arg(k), "P5 2 2 255\nabcd");
        }
    }
}

/// Writes films of three and two pictures, larger than the frames that are cut out of them.
void writeMovingFilms(const QString& folder) {
    for (int k = 0; k < 5; ++k) {
        const int size = k < 3 ? 10 : 12;
        QByteArray pixels;
        for (int pixel = 0; pixel < size * size; ++pixel) {
            pixels += static_cast<char>((pixel * 37 + k * 91 + pixel * pixel * k) % 251);
        }
        const QString film = folder + (k < 3 ? "/movies/a" : "/movies/b");
        QDir().mkpath(film);
        writeBytes(film + QString("/%1.pgm").arg(k % 3),
                   QString("P5 %1 %1 255\n").arg(size).toUtf8() + pixels);
    }
}

/// A sparse code of them, warm until a film begins.
void writeSparseFilms(const QString& path, int batch) {
    writeBytes(path, QString(R"({"weft": 1, "name": "codes",
 "data": {"source": {"kind": "frames", "with": {"folder": "movies", "size": [8, 8],
   "normalise": "deviation"}}, "feeds": {"picture": "images", "anew": "begins"}, "batch": %1},
 "training": {"steps": 2},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [1, 8, 8]}},
  {"id": 2, "name": "anew", "kind": "input", "with": {"shape": []}},
  {"id": 3, "name": "code", "kind": "lca", "with": {"atoms": 4, "kernel": 4, "stride": 4,
   "iterations": 4, "tau": 5, "threshold": 0.1, "two_sided": true}}],
 "wires": ["picture.y -> code.x", "anew.y -> code.begins"]}
)")
                         .arg(batch)
                         .toUtf8());
}

void writeFilmDesign(const QString& path, const QString& attributes, int steps = 9,
                     const QString& more = {}) {
    writeBytes(path, QString(R"({"weft": 1, "name": "films", "assign": "data",
 "data": {"source": {"kind": "frames", "with": {"folder": "films"%1}},
  "feeds": {"picture": "images", "number": "frame", "anew": "begins"}, "batch": 2%2},
 "training": {"learning_rate": 1e-30, "steps": %3, "checkpoint_every": 4},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [1, 2, 2]}},
  {"id": 2, "name": "flat", "kind": "flatten"},
  {"id": 3, "name": "zero", "kind": "dense", "with": {"units": 1, "init": "constant", "init_scale": 0}},
  {"id": 4, "name": "number", "kind": "input", "with": {"shape": [1]}},
  {"id": 5, "name": "frames", "kind": "mse"},
  {"id": 6, "name": "anew", "kind": "input", "with": {"shape": [1]}},
  {"id": 7, "name": "begins", "kind": "mse", "with": {"weight": %4}}],
 "wires": ["picture.y -> flat.x", "flat.y -> zero.x", "zero.y -> frames.x",
  "number.y -> frames.target", "zero.y -> begins.x", "anew.y -> begins.target"]}
)")
                         .arg(attributes.isEmpty() ? "" : ", " + attributes, more)
                         .arg(steps)
                         .arg(perBegin)
                         .toUtf8());
}

} // namespace

class TestFilms : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] Ended run(const QStringList& options = {}) const {
        return test::weft(QStringList{"run", "films.weft"} + options, here());
    }

    static void addOrders() {
        QTest::addColumn<QString>("attributes");
        QTest::addColumn<std::vector<Shown>>("shown");
        QTest::newRow("by file") << R"("order": "by_file")"
                                 << std::vector<Shown>{
                                        {{0, true}, {1, true}},   {{2, false}, {3, false}},
                                        {{4, false}, {5, false}}, {{6, true}, {7, true}},
                                        {{8, false}, {9, false}}, {{10, false}, {11, false}},
                                        {{0, true}, {1, true}},   {{2, false}, {3, false}},
                                        {{4, false}, {5, false}}};
        QTest::newRow("by list") << R"("order": "by_list")"
                                 << std::vector<Shown>{
                                        {{0, true}, {6, true}},    {{1, false}, {7, false}},
                                        {{2, false}, {8, false}},  {{3, false}, {9, false}},
                                        {{4, false}, {10, false}}, {{5, false}, {11, false}},
                                        {{0, true}, {6, true}},    {{1, false}, {7, false}},
                                        {{2, false}, {8, false}}};
        QTest::newRow("given") << R"("order": "given", "starts": [3, 0], "skips": [1, 5])"
                               << std::vector<Shown>{
                                      {{3, true}, {0, true}},   {{4, false}, {5, false}},
                                      {{5, false}, {10, true}}, {{6, true}, {3, true}},
                                      {{7, false}, {8, true}},  {{8, false}, {1, true}},
                                      {{9, false}, {6, true}},  {{10, false}, {11, false}},
                                      {{11, false}, {4, true}}};
    }
    void compare(const std::vector<Shown>& shown) const {
        const std::vector<double> losses = lossesOf(runsIn(here()).back());
        QCOMPARE(losses.size(), shown.size());
        for (std::size_t step = 0; step < shown.size(); ++step) {
            QCOMPARE(losses[step], lossOf(shown[step]));
        }
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        writeFilms(here());
    }

    void showsEachElementTheFramesOfItsOrder_data() { addOrders(); }
    void showsEachElementTheFramesOfItsOrder() {
        QFETCH(const QString, attributes);
        QFETCH(const std::vector<Shown>, shown);
        writeFilmDesign(here() + "/films.weft", attributes);
        const Ended ended = run({"--devices", "cpu:0"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        compare(shown);
        // On in the middle of an epoch.
        const QString kept = runsIn(here()).back() + "/checkpoints/";
        const QStringList names = QDir(kept).entryList({"*.safetensors"}, QDir::Files, QDir::Name);
        QCOMPARE(names.size(), 3);
        QVERIFY(QFile::remove(kept + names[1]) && QFile::remove(kept + names[2]));
        // Where its files lie the run knows.
        const Ended resumed = test::weft({"resume", runsIn(here()).back()}, "/");
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        compare(shown);
    }

    void showsTheSameOnTwoDevicesAndRanks_data() { addOrders(); }
    void showsTheSameOnTwoDevicesAndRanks() {
        QFETCH(const QString, attributes);
        QFETCH(const std::vector<Shown>, shown);
        writeFilmDesign(here() + "/films.weft", attributes);
        const Ended two = run({"--devices", "cpu:0,cpu:1"});
        QVERIFY2(two.code == 0, qPrintable(two.error));
        compare(shown);
        if (whyNoRanks().isEmpty()) {
            const Ended ranks = run({"--ranks", "2"});
            QVERIFY2(ranks.code == 0, qPrintable(ranks.error));
            QCOMPARE(runsIn(here()).size(), 2);
            compare(shown);
        }
    }

    void showsEachOnceWhereTheOrderIsRandom() {
        writeFilmDesign(here() + "/films.weft", R"("order": "random")", 12);
        const Ended ended = run();
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const std::vector<double> losses = lossesOf(runsIn(here()).front());
        const double squares = 506; // 11 * 12 * 23 / 6
        QCOMPARE(std::accumulate(losses.begin(), losses.begin() + 6, 0.0),
                 squares / 2 + 6 * perBegin);
        QCOMPARE(std::accumulate(losses.begin() + 6, losses.end(), 0.0),
                 squares / 2 + 6 * perBegin);
        QVERIFY(!std::equal(losses.begin(), losses.begin() + 6, losses.begin() + 6));
    }

    void evaluatesOnTailsInShares() {
        writeFilmDesign(here() + "/films.weft", R"("order": "by_list")", 4,
                        R"(, "validation": 0.5)");
        const Ended ended = run();
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        // Each film has three frames: 3, 4, 5 and 9, 10, 11.
        const Run shown = openRun(runsIn(here()).front().toStdString());
        bool isFound = false;
        for (const MetricSeries& series : shown.series) {
            if (series.metric.name == "loss" && series.split != Split::train) {
                isFound = true;
                QCOMPARE(series.values.front(), (352.0 + 2 * perBegin) / 6);
            }
        }
        QVERIFY(isFound);
    }

    void saysWhatTheOrderAsksFor() {
        writeFilmDesign(here() + "/films.weft", R"("order": "given", "starts": [3, 0, 1])");
        Ended checked = test::weft({"check", "films.weft"}, here());
        QCOMPARE(checked.code, 3);
        QVERIFY2(checked.out.contains("starts has 3 numbers"), qPrintable(checked.out));
        writeFilmDesign(here() + "/films.weft", R"("order": "random", "skips": [2])");
        checked = test::weft({"check", "films.weft"}, here());
        QVERIFY2(checked.code == 3 && checked.out.contains("skips"), qPrintable(checked.out));
        writeFilmDesign(here() + "/films.weft",
                        R"("size": [2, 2], "fit": "pad", "offset": [90, 0])");
        const Ended empty = run();
        QVERIFY2(empty.code != 0 && empty.error.contains("contains no part of it"),
                 qPrintable(empty.error));
        writeFilmDesign(here() + "/films.weft", {});
        checked = test::weft({"check", "films.weft"}, here());
        QCOMPARE(checked.code, 0);
        QVERIFY2(checked.out.contains("N045") && checked.out.contains("by_list"),
                 qPrintable(checked.out));
        writeFilmDesign(here() + "/films.weft", {}, 9, R"(, "order": "file")");
        checked = test::weft({"check", "films.weft"}, here());
        QVERIFY2(!checked.out.contains("N045"), qPrintable(checked.out));
    }

    void saysWhichPicturesDoNotFitAndMendsIt() {
        writeFilmDesign(here() + "/films.weft", R"("size": [4, 4])");
        QByteArray design = bytesOf(here() + "/films.weft");
        design.replace(R"("shape": [1, 2, 2])", R"("shape": [1, 4, 4])");
        writeBytes(here() + "/films.weft", design);
        const Ended checked = test::weft({"check", "films.weft", "--json"}, here());
        QCOMPARE(checked.code, 3);
        for (const char* said : {"E046", "f0.png is 2 x 2 pixels", "of 12 pictures 12 do not fit",
                                 "\"source.with.fit\"", "set fit to pad, which"}) {
            QVERIFY2(checked.out.contains(said), qPrintable(checked.out));
        }
        for (const char* fit : {"pad", "cover", "contain"}) {
            const QString set = QString("data.source.with.fit=%1").arg(fit);
            const Ended ended = run({"--devices", "cpu:0", "--set", set});
            QVERIFY2(ended.code == 0, qPrintable(ended.error));
        }
        writeBytes(here() + "/films/a/f3.pgm", "P5 3 2 255\nabcdef");
        writeFilmDesign(here() + "/films.weft", {});
        const Ended uneven = test::weft({"check", "films.weft"}, here());
        QCOMPARE(uneven.code, 3);
        QVERIFY2(uneven.out.contains("E046 data.size: f3.pgm is 2 x 3 pixels, and the first "
                                     "picture is 2 x 2; of 13 pictures 1 does not fit: set fit to "
                                     "contain, or to cover"),
                 qPrintable(uneven.out));
        const Ended mended = test::weft({"check", "films.weft", "--json"}, here());
        QVERIFY2(mended.out.contains("\"contain\""), qPrintable(mended.out));
        QCOMPARE(run({"--devices", "cpu:0", "--set", "data.source.with.fit=contain"}).code, 0);
    }

    void saysWhatIsWrongWithTheDataBesideAllElse() {
        writeFilmDesign(here() + "/films.weft", R"("size": [4, 4])");
        const QByteArray wrong = bytesOf(here() + "/films.weft")
                                     .replace("\"constant\"", "\"steady\"")
                                     .replace("1e-30", "-1");
        const auto sayEach = [&](const char* batch, const QStringList& codes) {
            writeBytes(here() + "/films.weft", QByteArray(wrong).replace("\"batch\": 2", batch));
            const Ended checked = test::weft({"check", "films.weft"}, here());
            QCOMPARE(checked.code, 3);
            for (const QString& code : codes) {
                QVERIFY2(checked.out.count(code) == 1, qPrintable(code + ": " + checked.out));
            }
            QCOMPARE(checked.out.count("films.weft: E"), codes.size());
        };
        sayEach("\"batch\": 100", {"E005 zero.init", "E064 training.learning_rate", "E043 picture",
                                   "E045 data.source: data.batch is 100", "E046 data.fit"});
        // With an invalid batch size it is unknown whether the data has a batch.
        sayEach("\"batch\": 0", {"E005 zero.init", "E064 training.learning_rate", "E504 data.batch",
                                 "E043 picture", "E046 data.fit"});
    }

    /// The first frame of each film starts at rest; the others continue from the frame before.
    void appliesToFilmsAsItsSourceReadsThem() {
        writeMovingFilms(here());
        writeSparseFilms(here() + "/sparse.weft", 2);
        const Ended ran = test::weft({"run", "sparse.weft", "--devices", "cpu:0"}, here());
        QVERIFY2(ran.code == 0, qPrintable(ran.error));
        const auto codesOf = [&](const QString& input) {
            const Ended ended = test::weft(
                {"infer", runsIn(here()).front(), "--input", input, "--output", "out.npy"}, here());
            [&] { QVERIFY2(ended.code == 0, qPrintable(ended.error)); }();
            const Array codes = readNpy((here() + "/out.code.code.npy").toStdString(), DType::f32);
            [&] { QCOMPARE(codes.shape.size(), std::size_t{4}); }();
            const auto bytes = static_cast<qsizetype>(codes.bytes.size());
            return QByteArray(reinterpret_cast<const char*>(codes.bytes.data()), bytes);
        };
        constexpr qsizetype each = 4 * 2 * 2 * 4; // bytes of a code
        const QByteArray all = codesOf("movies");
        QCOMPARE(all.size(), 5 * each);
        QCOMPARE(codesOf("movies/a") + codesOf("movies/b"), all);
        QCOMPARE(codesOf("picture=movies/a/0.pgm"), all.first(each));
        QVERIFY(codesOf("movies/a/1.pgm") != all.sliced(each, each));
        writeBytes(here() + "/some.txt", "movies/a/0.pgm\nmovies/a/1.pgm\n\nmovies/b/0.pgm\n");
        QCOMPARE(codesOf("some.txt"), all.first(2 * each) + all.sliced(3 * each, each));
        writeBytes(here() + "/movies/a/3.pgm", "P5 4 4 255\n" + QByteArray(16, 'x'));
        const Ended small =
            test::weft({"infer", runsIn(here()).front(), "--input", "movies"}, here());
        QCOMPARE(small.code, 4);
        QVERIFY2(small.error.contains("3.pgm") && small.error.contains("does not fill frames") &&
                     small.error.contains("set fit to pad, which"),
                 qPrintable(small.error));
    }

    void beginsAnewWhereElementsAreOthers_data() {
        QTest::addColumn<QString>("order");
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("says");
        QTest::addColumn<std::vector<Shown>>("shown"); // from step 5 on
        QTest::newRow("by file") << R"("order": "by_file")"
                                 << R"("order": "by_file")"
                                 << "with its next example"
                                 << std::vector<Shown>{{{8, true}, {9, true}, {10, true}},
                                                       {{11, false}},
                                                       {{0, true}, {1, true}, {2, true}},
                                                       {{3, false}, {4, false}, {5, false}},
                                                       {{6, true}, {7, true}, {8, true}},
                                                       {{9, false}, {10, false}, {11, false}}};
        const std::vector<Shown> inThirds{
            {{0, true}, {4, true}, {8, true}},    {{1, false}, {5, false}, {9, false}},
            {{2, false}, {6, true}, {10, false}}, {{3, false}, {7, false}, {11, false}},
            {{0, true}, {4, true}, {8, true}},    {{1, false}, {5, false}, {9, false}}};
        const char* byList = "example b x 4 (of 12 examples in 3 parts)";
        QTest::newRow("by list") << R"("order": "by_list")"
                                 << R"("order": "by_list")" << byList << inThirds;
        QTest::newRow("by list after by file") << R"("order": "by_file")"
                                               << R"("order": "by_list")" << byList << inThirds;
        QTest::newRow("given") << R"("order": "given", "starts": [3, 0], "skips": [1, 5])"
                               << R"("order": "given", "starts": [5, 1, 2], "skips": [1, 2, 1])"
                               << "each batch element starts at its entry in starts"
                               << std::vector<Shown>{{{5, true}, {1, true}, {2, true}},
                                                     {{6, true}, {3, false}, {3, false}},
                                                     {{7, false}, {5, false}, {4, false}},
                                                     {{8, false}, {7, true}, {5, false}},
                                                     {{9, false}, {9, false}, {6, true}},
                                                     {{10, false}, {11, false}, {7, false}}};
    }
    /// A state from the middle of a film is not continued in another film, nor by a later attempt
    /// of the same run.
    void beginsAnewWhereElementsAreOthers() {
        QFETCH(const QString, order);
        QFETCH(const QString, other);
        QFETCH(const QString, says);
        QFETCH(const std::vector<Shown>, shown);
        writeFilmDesign(here() + "/films.weft", order, 4);
        QCOMPARE(run({"--devices", "cpu:0"}).code, 0);
        const QString folder = runsIn(here()).front();
        for (const int steps : {8, 10}) {
            writeFilmDesign(folder + "/design.weft", other, steps);
            const QByteArray design = bytesOf(folder + "/design.weft");
            writeBytes(folder + "/design.weft",
                       QByteArray(design).replace("\"batch\": 2", "\"batch\": 3"));
            const Ended resumed = test::weft({"resume", folder, "--devices", "cpu:0"}, here());
            QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
            const QString all = resumed.out + resumed.error;
            QVERIFY2(all.contains(says) == (steps == 8), qPrintable(all));
        }
        const std::map<std::int64_t, double> losses = lossesByStep(folder);
        QCOMPARE(losses.size(), std::size_t{10});
        for (std::size_t k = 0; k < shown.size(); ++k) {
            // A mean over three is rounded.
            QCOMPARE(static_cast<float>(losses.at(static_cast<std::int64_t>(k) + 5)),
                     static_cast<float>(lossOf(shown[k])));
        }
    }

    void restsElementsOfAnotherBatch_data() {
        QTest::addColumn<bool>("isTold"); // where films begin
        QTest::newRow("told") << true;
        QTest::newRow("not reported") << false;
    }
    /// With the weights of the checkpoint a run that begins finds what one that goes on does.
    void restsElementsOfAnotherBatch() {
        QFETCH(const bool, isTold);
        writeMovingFilms(here());
        writeSparseFilms(here() + "/sparse.weft", 2);
        if (!isTold) {
            writeBytes(
                here() + "/sparse.weft",
                bytesOf(here() + "/sparse.weft").replace(R"(, "anew.y -> code.begins")", ""));
        }
        QCOMPARE(test::weft({"run", "sparse.weft", "--devices", "cpu:0"}, here()).code, 0);
        const QString run = runsIn(here()).front();
        const QString weights = checkpointsIn(run).back();
        QByteArray design = bytesOf(run + "/design.weft");
        QVERIFY(design.contains("\"batch\": 2") && design.contains("\"steps\": 2"));
        writeBytes(
            run + "/design.weft",
            design.replace("\"batch\": 2", "\"batch\": 3").replace("\"steps\": 2", "\"steps\": 3"));
        const Ended resumed =
            test::weft({"resume", run, "--devices", "cpu:0", "--data", here()}, here());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        const QString all = resumed.out + resumed.error;
        QVERIFY2(
            all.contains("batch element b starts at example b x 1 (of 5 examples in 3 parts)") &&
                !all.contains("repeated"),
            qPrintable(all));
        const Ended begun =
            test::weft({"run", "sparse.weft", "--devices", "cpu:0", "--weights", weights, "--set",
                        "data.batch=3", "--set", "training.steps=1"},
                       here());
        QVERIFY2(begun.code == 0, qPrintable(begun.error));
        const QByteArray potential =
            tensorOf(checkpointsIn(runsIn(here()).back()).back(), "code.potential");
        QVERIFY(!potential.isEmpty());
        QVERIFY(tensorOf(checkpointsIn(run).back(), "code.potential") == potential);
    }

    void namesThePictureThatIsDamaged() {
        writeFilmDesign(here() + "/films.weft", {});
        QFile::remove(here() + "/films/b/f8.pgm");
        writeBytes(here() + "/films/b/f8.pgm", "P5 2 2 255\nab");
        const Ended ended = run();
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("f8.pgm") && runsIn(here()).isEmpty(),
                 qPrintable(ended.error));
    }

    void trainsOnLeavesWithoutAnyFile() {
        writeBytes(here() + "/leaves.weft", R"({"weft": 1, "name": "leaves",
 "data": {"source": {"kind": "textures", "with": {"size": [8, 8], "count": 64, "films": 4}},
  "batch": 4},
 "training": {"learning_rate": 0.01, "steps": 6},
 "layers": [
  {"id": 1, "name": "images", "kind": "input", "with": {"shape": [1, 8, 8]}},
  {"id": 2, "name": "flat", "kind": "flatten"},
  {"id": 3, "name": "code", "kind": "dense", "with": {"units": 16}},
  {"id": 4, "name": "again", "kind": "dense", "with": {"units": 64}},
  {"id": 5, "name": "loss", "kind": "mse"}],
 "wires": ["images.y -> flat.x", "flat.y -> code.x", "code.y -> again.x", "again.y -> loss.x",
  "flat.y -> loss.target"]}
)");
        const Ended ended = test::weft({"run", "leaves.weft"}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QCOMPARE(lossesOf(runsIn(here()).front()).size(), std::size_t{6});
    }
};

std::unique_ptr<QObject> makeTestFilms() { return std::make_unique<TestFilms>(); }
#include "tst_films.moc"
