// SPDX-License-Identifier: Apache-2.0
// Files that are offered: each kind of source knows its own, and no other.
#include <weft/samples.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <memory>

namespace weft {

namespace {

namespace fs = std::filesystem;

class Folder {
public:
    Folder& file(const std::string& name, const std::string& bytes = "x") {
        std::ofstream(path() / name, std::ios::binary) << bytes;
        return *this;
    }
    [[nodiscard]] fs::path path() const { return folder_.path().toStdString(); }

private:
    QTemporaryDir folder_;
};

std::string idx(char dims) { return {0, 0, 8, dims, 0, 0, 0, 1}; }

std::string said(const DataSettings& data, const char* attribute) {
    return data.attributes.text(attribute);
}

} // namespace

class TestRecognise : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsIdxByTheirNames() {
        Folder folder;
        folder.file("train-images-idx3-ubyte.gz").file("train-labels-idx1-ubyte.gz");
        folder.file("t10k-images-idx3-ubyte.gz").file("t10k-labels-idx1-ubyte.gz");
        const DataSettings data = recogniseData({folder.path()});
        QCOMPARE(data.source, "idx");
        QCOMPARE(said(data, "folder"), folder.path().string());
        QCOMPARE(said(data, "train_images"), "train-images-idx3-ubyte.gz");
        QCOMPARE(said(data, "train_labels"), "train-labels-idx1-ubyte.gz");
        QCOMPARE(said(data, "test_images"), "t10k-images-idx3-ubyte.gz");
        QCOMPARE(said(data, "test_labels"), "t10k-labels-idx1-ubyte.gz");
    }

    void knowsIdxByTheirFirstBytes() {
        Folder folder;
        folder.file("glyphs", idx(3)).file("names", idx(1)).file("notes.md");
        const DataSettings data = recogniseData({folder.path() / "glyphs"});
        QCOMPARE(data.source, "idx");
        QCOMPARE(said(data, "train_images"), "glyphs");
        QCOMPARE(said(data, "train_labels"), "names");
        QCOMPARE(said(data, "test_images"), "");
    }

    void trainsOnATestSetThatStandsAlone() {
        Folder folder;
        folder.file("t10k-images-idx3-ubyte").file("t10k-labels-idx1-ubyte");
        const DataSettings data = recogniseData({folder.path()});
        QCOMPARE(said(data, "train_images"), "t10k-images-idx3-ubyte");
        QCOMPARE(said(data, "train_labels"), "t10k-labels-idx1-ubyte");
        QCOMPARE(said(data, "test_images"), "");
        QCOMPARE(said(data, "test_labels"), "");
    }

    void knowsBothCifars() {
        Folder ten;
        ten.file("data_batch_2.bin").file("data_batch_1.bin").file("test_batch.bin");
        DataSettings data = recogniseData({ten.path() / "data_batch_1.bin"});
        QCOMPARE(data.source, "cifar");
        QCOMPARE(said(data, "variant"), "cifar10");
        QCOMPARE(said(data, "train"), "data_batch_1.bin, data_batch_2.bin");
        QCOMPARE(said(data, "test"), "test_batch.bin");
        Folder hundred;
        hundred.file("train.bin");
        data = recogniseData({hundred.path()});
        QCOMPARE(said(data, "variant"), "cifar100");
        QCOMPARE(said(data, "train"), "train.bin");
        QCOMPARE(said(data, "test"), "");
    }

    void knowsArraysAndWhatEachIs() {
        Folder folder;
        folder.file("x_train.npy").file("x_test.npy").file("y_train.npy").file("y_test.npy");
        folder.file("mask-train.npy").file("mask-test.npy");
        const DataSettings data = recogniseData({folder.path()});
        QCOMPARE(data.source, "npy");
        QCOMPARE(said(data, "inputs"), "mask=mask-train.npy, x=x_train.npy");
        QCOMPARE(said(data, "targets"), "y=y_train.npy");
        QCOMPARE(said(data, "test_inputs"), "mask=mask-test.npy, x=x_test.npy");
        QCOMPARE(said(data, "test_targets"), "y=y_test.npy");
    }

    void takesOnlyTheArraysThatAreOffered() {
        Folder folder;
        folder.file("x.npy").file("labels.npy").file("other.npy");
        const DataSettings data =
            recogniseData({folder.path() / "x.npy", folder.path() / "labels.npy"});
        QCOMPARE(said(data, "inputs"), "x=x.npy");
        QCOMPARE(said(data, "targets"), "labels=labels.npy");
    }

    void knowsPicturesByClass() {
        Folder folder;
        for (const char* inner :
             {"a", "b", "train/a", "train/b", "val/a", "val/b", "test/a", "test/b"}) {
            fs::create_directories(folder.path() / inner);
            folder.file(std::string(inner) + "/1.png");
        }
        DataSettings data = recogniseData({folder.path() / "train"});
        QCOMPARE(data.source, "pictures");
        QCOMPARE(said(data, "folder"), (folder.path() / "train").string());
        fs::remove_all(folder.path() / "a");
        fs::remove_all(folder.path() / "b");
        data = recogniseData({folder.path()});
        QCOMPARE(data.source, "pictures");
        QCOMPARE(said(data, "train"), "train");
        QCOMPARE(said(data, "validation"), "val");
        QCOMPARE(said(data, "test"), "test");
        folder.file("labels.csv", "file,label\ntrain/a/1.png,x\n");
        data = recogniseData({folder.path() / "labels.csv"});
        QCOMPARE(data.source, "pictures");
        QCOMPARE(said(data, "train"), "labels.csv");
    }

    void knowsATableAndItsTarget() {
        Folder folder;
        folder.file("flowers.csv", "a,Species,b\n1,x,2\n").file("flowers_test.csv");
        folder.file("prices.csv", "rooms;price\n1;2.5\n").file("digits.tsv", "1\t2\n1\t3\n");
        DataSettings data =
            recogniseData({folder.path() / "flowers.csv", folder.path() / "flowers_test.csv"});
        QCOMPARE(data.source, "csv");
        QCOMPARE(said(data, "file"), (folder.path() / "flowers.csv").string());
        QCOMPARE(said(data, "test"), (folder.path() / "flowers_test.csv").string());
        QCOMPARE(said(data, "targets"), "Species");
        QCOMPARE(said(data, "target_type"), "class");
        data = recogniseData({folder.path() / "prices.csv"});
        QCOMPARE(said(data, "targets"), "price");
        QCOMPARE(said(data, "target_type"), "number");
        data = recogniseData({folder.path() / "digits.tsv"});
        QCOMPARE(said(data, "targets"), "1");
        QCOMPARE(said(data, "target_type"), "class");
    }

    void knowsATextThatIsNamed() {
        Folder folder;
        folder.file("Plays.TXT");
        const DataSettings data = recogniseData({folder.path() / "Plays.TXT"});
        QCOMPARE(data.source, "text");
        QCOMPARE(said(data, "file"), (folder.path() / "Plays.TXT").string());
        QVERIFY2(recogniseData({folder.path()}).source.empty(), "which of a folder's texts?");
    }

    void knowsTheFramesOfAFilm() {
        Folder folder;
        folder.file("f10.png").file("f9.png").file("notes.md");
        DataSettings data = recogniseData({folder.path()});
        QCOMPARE(data.source, "frames");
        QCOMPARE(said(data, "folder"), folder.path().string());
        QCOMPARE(said(data, "files"), "");
        data = recogniseData({folder.path() / "f10.png", folder.path() / "f9.png"});
        QCOMPARE(said(data, "files"), "f9.png, f10.png");
        Folder films;
        QVERIFY(fs::create_directories(films.path() / "a") &&
                recogniseData({films.path()}).source.empty());
        films.file("a/f1.pgm");
        data = recogniseData({films.path()});
        QCOMPARE(data.source, "frames");
        QCOMPARE(said(data, "folder"), films.path().string());
        Folder pages;
        pages.file("film.TIF").file("x.npy");
        QCOMPARE(recogniseData({pages.path() / "film.TIF"}).source, "frames");
        QCOMPARE(recogniseData({pages.path() / "x.npy"}).source, "npy");
    }

    void knowsNothingElse() {
        Folder folder;
        folder.file("noise.dat", "garbage")
            .file("empty", "")
            .file("one.bin", std::string(3073, 'a'));
        for (const char* name : {"noise.dat", "empty", "one.bin", "is not there", "."}) {
            QVERIFY2(recogniseData({folder.path() / name}).source.empty(), name);
        }
        QVERIFY(recogniseData({}).source.empty());
        QVERIFY(recogniseData({"/proc/self/mem"}).source.empty());
    }

    void tellsWhatItKnows() {
        const std::vector<std::string> known = recognisedDataKinds();
        QCOMPARE(known.size(), std::size_t{8}); // generators read no files
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestRecognise() { return std::make_unique<weft::TestRecognise>(); }
#include "tst_recognise.moc"
