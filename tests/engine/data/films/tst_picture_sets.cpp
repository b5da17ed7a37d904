// SPDX-License-Identifier: Apache-2.0
#include "data/films/picture_sets.h"
#include "engine/data/films/pictures_on_disk.h"

#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace weft {

using test::errorOf;
using test::writeBytes;
using test::writeDot;
using Names = std::vector<std::string>;
using Labels = std::vector<std::int32_t>;
namespace fs = std::filesystem;

class TestPictureSets : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> dir_;

    [[nodiscard]] fs::path at(const std::string& name) const {
        return fs::path(dir_->path().toStdString()) / name;
    }
    /// Relative to the folder.
    [[nodiscard]] Names namesOf(const std::vector<PictureAt>& pictures) const {
        Names names;
        for (const PictureAt& picture : pictures) {
            names.push_back(picture.path.lexically_relative(at("")).string());
        }
        return names;
    }
    [[nodiscard]] PictureSet listed(const std::string& list, bool areClasses = true) const {
        writeBytes(at("list.txt"), list);
        ClassWords classes;
        PictureSet set = picturesInList(at("list.txt"), classes, areClasses);
        classes.close(set.labels);
        return set;
    }

private Q_SLOTS:
    void init() { dir_ = std::make_unique<QTemporaryDir>(); }

    void takesTheFolderForTheClass() {
        for (const char* name : {"dog/10.pgm", "dog/9.PGM", "cat/a.pgm", "cat/more/b.pgm"}) {
            writeDot(at(name), 1);
        }
        writeBytes(at("cat/Thumbs.db"), "none");
        writeDot(at(".hidden/x.pgm"), 1);
        writeDot(at("loose.pgm"), 1);
        ClassWords classes;
        PictureSet set = picturesByClass(at(""), classes);
        classes.close(set.labels);
        QCOMPARE(classes.names(), (Names{"cat", "dog"}));
        QCOMPARE(namesOf(set.pictures),
                 (Names{"cat/a.pgm", "cat/more/b.pgm", "dog/9.PGM", "dog/10.pgm"}));
        QCOMPARE(set.labels, (Labels{0, 0, 1, 1}));
    }

    void sortsClassesThatAreNumbersByValue() {
        for (const char* name : {"10/a.pgm", "9/a.pgm"}) {
            writeDot(at(name), 1);
        }
        ClassWords classes;
        PictureSet set = picturesByClass(at(""), classes);
        classes.close(set.labels);
        QCOMPARE(classes.names(), (Names{"9", "10"}));
    }

    void refusesFoldersThatAreNoClasses() {
        ClassWords classes;
        QVERIFY(errorOf([&] { (void)picturesByClass(at(""), classes); }));
        writeDot(at("a/1.pgm"), 1);
        fs::create_directories(at("b"));
        const auto empty = errorOf([&] { (void)picturesByClass(at(""), classes); });
        QVERIFY(empty && empty->where().file == at("b").string());
        for (const char* path : {"b", "./b/", "b/more"}) {
            QCOMPARE(picturesByClass(at(""), classes, {"", path}).pictures.size(), std::size_t{1});
        }
        ClassWords known({"c"});
        const auto unknown = errorOf([&] { (void)picturesByClass(at(""), known); });
        QVERIFY(unknown && unknown->where().file == at("a").string());
    }

    void followsLinksOnceAndNeverUpwards() {
        writeDot(at("data/a/1.pgm"), 1);
        writeDot(at("data/b/2.pgm"), 1);
        writeDot(at("elsewhere/3.pgm"), 1);
        fs::create_directory_symlink(at("data/a"), at("data/a/round"));
        fs::create_directory_symlink("..", at("data/a/up"));
        fs::create_directory_symlink("/", at("data/a/root"));
        fs::create_directory_symlink(at("elsewhere"), at("data/a/out"));
        fs::create_directory_symlink(at("elsewhere"), at("data/a/out again"));
        fs::create_directory_symlink("nowhere", at("data/a/broken"));
        fs::create_symlink("itself.pgm", at("data/a/itself.pgm"));
        ClassWords classes;
        QCOMPARE(namesOf(picturesByClass(at("data"), classes).pictures),
                 (Names{"data/a/1.pgm", "data/a/itself.pgm", "data/a/out/3.pgm", "data/b/2.pgm"}));
        fs::create_directory_symlink(".", at("data/all"));
        const auto all = errorOf([&] { (void)picturesByClass(at("data"), classes); });
        QVERIFY(all && all->where().file == at("data/all").string());
    }

    void readsALabelOrNumbersFromEachLine() {
        writeDot(at("a.pgm"), 1);
        writeDot(at("in/b c.pgm"), 1);
        PictureSet set = listed("file,kind\n# a remark\na.pgm,dog\n\n\"in/b c.pgm\",cat\n");
        QCOMPARE(namesOf(set.pictures), (Names{"a.pgm", "in/b c.pgm"}));
        QCOMPARE(set.labels, (Labels{1, 0}));
        set = listed("a.pgm 3\na.pgm 1\n");
        QCOMPARE(set.labels, (Labels{1, 0}));
        set = listed("a.pgm\t1\t2.5\na.pgm\t3\t-4\n", false);
        QCOMPARE(set.targets, std::int64_t{2});
        QCOMPARE(set.numbers, (std::vector<float>{1, 2.5F, 3, -4}));
        set = listed("a.pgm\n");
        QVERIFY(set.labels.empty() && set.numbers.empty());
    }

    void namesTheLineThatCannotBeRead() {
        writeDot(at("a.pgm"), 1);
        const auto lineOf = [&](const std::string& list, bool areClasses) {
            const auto error = errorOf([&] { (void)listed(list, areClasses); });
            return error && error->where().file == at("list.txt").string() ? error->where().line
                                                                           : 0;
        };
        QCOMPARE(lineOf("a.pgm,1\nabsent.pgm,1\n", true), std::int64_t{2});
        QCOMPARE(lineOf("a.pgm,1\na.pgm\n", true), std::int64_t{2});
        QCOMPARE(lineOf("a.pgm,1\na.pgm,\n", true), std::int64_t{2});
        QCOMPARE(lineOf("a.pgm,1,2\n", true), std::int64_t{1});
        QCOMPARE(lineOf("a.pgm,1\n\na.pgm,x\n", false), std::int64_t{3});
        QCOMPARE(lineOf("", true), std::int64_t{-1});
        QCOMPARE(lineOf("path,label\n", true), std::int64_t{-1});
    }

    void removesPicturesWithWhatBelongsToThem() {
        PictureSet set{.pictures = {{"a"}, {"b"}, {"c"}, {"d"}},
                       .labels = {0, 1, 2, 3},
                       .numbers = {0, 1, 2, 3, 4, 5, 6, 7},
                       .targets = 2};
        set.remove({0, 2});
        QCOMPARE(set.pictures, (std::vector<PictureAt>{{"b"}, {"d"}}));
        QCOMPARE(set.labels, (Labels{1, 3}));
        QCOMPARE(set.numbers, (std::vector<float>{2, 3, 6, 7}));
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestPictureSets() { return std::make_unique<weft::TestPictureSets>(); }
#include "tst_picture_sets.moc"
