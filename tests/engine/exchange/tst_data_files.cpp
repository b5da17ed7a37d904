// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "support/refusal.h"
#include <weft/error.h>
#include <weft/exchange.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

class TestDataFiles : public QObject {
    Q_OBJECT

    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }
    void write(const fs::path& name, const std::string& text) const {
        fs::create_directories((here() / name).parent_path());
        writeFileWhole(here() / name, text);
    }
    void picture(const fs::path& name) const { write(name, "P5\n2 2\n255\nabcd"); }
    static Design designOf(const std::string& source, const Attributes& attributes) {
        Design design;
        design.data.source = source;
        design.data.attributes = attributes;
        return design;
    }
    [[nodiscard]] QStringList names(const Design& design,
                                    const std::vector<fs::path>& folders) const {
        QStringList list;
        for (const DataFile& file : dataFilesOf(design, folders)) {
            list << QString::fromStdString(file.name);
        }
        return list;
    }
    [[nodiscard]] std::string refusalOf(const Design& design, ErrorCode code) const {
        return test::refusalOf([&] { (void)dataFilesOf(design, {here() / "design"}); }, code);
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        fs::create_directories(here() / "design");
    }

    void whatIsDrawnHasNoFiles() {
        QCOMPARE(names(designOf("digits", {}), {here() / "design"}), QStringList());
    }

    void aFileIsFoundBesideTheDesignOrInAnotherFolder() {
        const Design design = designOf("text", {{"file", std::string("books/one.txt")}});
        write("other/books/one.txt", std::string(5000, 'x'));
        QCOMPARE(names(design, {here() / "design", here() / "other"}),
                 QStringList{"books/one.txt"});
        QVERIFY(refusalOf(design, ErrorCode::file).find("one.txt") != std::string::npos);
        write("design/books/one.txt", std::string(6000, 'y'));
        QCOMPARE(dataFilesOf(design, {here() / "design", here() / "other"}).front().path,
                 here() / "design/books/one.txt");
    }

    void listsAndFoldersBringWhatTheyHold() {
        picture("design/films/a/1.pgm");
        picture("design/films/a/2.pgm");
        picture("design/films/b/1.pgm");
        write("design/films/notes.md", "no picture");
        QCOMPARE(names(designOf("frames", {{"folder", std::string("films")}}), {here() / "design"}),
                 (QStringList{"films/a/1.pgm", "films/a/2.pgm", "films/b/1.pgm"}));
        write("design/lists/some.txt", "# of one film\n../films/a/2.pgm\n../films/a/2.pgm\n");
        QCOMPARE(names(designOf("frames", {{"files", std::string("lists/some.txt")}}),
                       {here() / "design"}),
                 (QStringList{"films/a/2.pgm", "lists/some.txt"}));
    }

    /// There it is another place, or none.
    void whatIsNamedByItsPlaceHereStays_data() {
        QTest::addColumn<QString>("files");
        QTest::newRow("outside") << "../outside/1.pgm";
        QTest::newRow("a whole path outside") << "%1/outside/1.pgm";
        QTest::newRow("a whole path inside") << "%1/design/films/1.pgm";
        QTest::newRow("a list of whole paths") << "lists/whole.txt";
        QTest::newRow("a list that leads outside") << "lists/outside.txt";
    }
    void whatIsNamedByItsPlaceHereStays() {
        QFETCH(const QString, files);
        picture("outside/1.pgm");
        picture("design/films/1.pgm");
        write("design/lists/whole.txt", (here() / "design/films/1.pgm").string() + "\n");
        write("design/lists/outside.txt", "../../outside/1.pgm\n");
        const QString named = files.contains("%1") ? files.arg(folder_->path()) : files;
        const std::string refusal =
            refusalOf(designOf("frames", {{"files", named.toStdString()}}), ErrorCode::usage);
        QVERIFY2(refusal.find("1.pgm: is outside the folder of the design") != std::string::npos,
                 refusal.c_str());
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestDataFiles() { return std::make_unique<TestDataFiles>(); }
#include "tst_data_files.moc"
