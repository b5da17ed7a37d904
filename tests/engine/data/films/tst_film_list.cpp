// SPDX-License-Identifier: Apache-2.0
#include "data/films/film_list.h"
#include "engine/data/films/pictures_on_disk.h"

#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace weft {

using test::errorOf;
using test::writeBytes;
using test::writeDot;
using Names = std::vector<std::string>;

class TestFilmList : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> dir_;

    [[nodiscard]] std::filesystem::path at(const std::string& name) const {
        return std::filesystem::path(dir_->path().toStdString()) / name;
    }
    /// Films as "a b|c".
    [[nodiscard]] QString filmsIn(const Names& names) const {
        std::vector<std::filesystem::path> paths;
        for (const std::string& name : names) {
            paths.push_back(at(name));
        }
        QStringList films;
        for (const Film& film : filmsOf(paths)) {
            QStringList frames;
            for (const PictureAt& frame : film) {
                frames << QString::fromStdString(frame.path.stem().string());
            }
            films << frames.join(" ");
        }
        return films.join("|");
    }

private Q_SLOTS:
    void init() { dir_ = std::make_unique<QTemporaryDir>(); }

    void comparesNumbersInNamesAsNumbers() {
        const Names sorted{"a",
                           "frame1",
                           "frame1b",
                           "frame2",
                           "frame02",
                           "frame10",
                           "frame10x2",
                           "frame10x10",
                           "g99999999999999999999999",
                           "g100000000000000000000000"};
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            for (std::size_t j = 0; j < sorted.size(); ++j) {
                const bool isEqual = sorted[i] == "frame2" && sorted[j] == "frame02";
                const bool isTurned = sorted[i] == "frame02" && sorted[j] == "frame2";
                if (!isEqual && !isTurned) {
                    QVERIFY2(isBeforeNaturally(sorted[i], sorted[j]) == (i < j),
                             qPrintable(QString("%1 %2").arg(i).arg(j)));
                }
            }
        }
        QVERIFY(isBeforeNaturally("frame2", "frame02") != isBeforeNaturally("frame02", "frame2"));
    }

    void takesAFolderAsAFilmAndFoldersAsFilms() {
        for (const char* name : {"all/b/f10", "all/b/f9", "all/a/x", "all/c10/1", "all/c9/1"}) {
            writeDot(at(std::string(name) + ".pgm"), 1);
        }
        writeBytes(at("all/notes.md"), "nothing");
        writeBytes(at("all/b/.hidden.png"), "nothing");
        QCOMPARE(filmsIn({"all"}), QString("x|f9 f10|1|1"));
        QCOMPARE(filmsIn({"all/b"}), QString("f9 f10"));
        writeDot(at("all/top.pgm"), 1);
        QCOMPARE(filmsIn({"all"}), QString("top|x|f9 f10|1|1"));
    }

    void readsLists() {
        for (const char* name : {"p/a", "p/film b", "c"}) {
            writeDot(at(std::string(name) + ".pgm"), 1);
        }
        writeBytes(at("list.txt"),
                   "\n# first\np/a.pgm \r\np/film b.pgm\n\n\nc.pgm\n# no end\np/a.pgm");
        QCOMPARE(filmsIn({"list.txt"}), QString("a film b|c a"));
        QCOMPARE(filmsIn({"c.pgm", "p/a.pgm", "list.txt", "p"}),
                 QString("c a|a film b|c a|a film b"));
    }

    void namesTheListThatIsWrong() {
        for (const char* text : {"", "# nothing\n\n", "there.pgm", "."}) {
            writeBytes(at("list.txt"), text);
            const auto error = errorOf([&] { (void)filmsIn({"list.txt"}); });
            QVERIFY2(error && error->where().file == at("list.txt").string(), text);
            QCOMPARE(error->code(), ErrorCode::format);
        }
    }

    void refusesFilmsInOneFileWithWhatToDo() {
        for (const char* name : {"a.gif", "b.MP4", "c.avi", "d.mkv", "e.webm", "f.mov", "g.webp",
                                 "h.apng", "i.heic"}) {
            writeDot(at("films/1.pgm"), 1);
            writeBytes(at(std::string("films/") + name), "anything");
            for (const char* asked : {"films", name}) {
                const std::string path =
                    asked == std::string("films") ? asked : "films/" + std::string(name);
                const auto error = errorOf([&] { (void)filmsIn({path}); });
                QVERIFY2(error && error->where().file == at("films/" + std::string(name)).string(),
                         name);
                const bool isPicture =
                    std::string(name).ends_with("webp") || std::string(name).ends_with("heic");
                QVERIFY(error->remedy().find(isPicture ? "PNG" : "ffmpeg") != std::string::npos);
                QCOMPARE(error->problem() == "has an unsupported format", isPicture);
            }
            std::filesystem::remove(at(std::string("films/") + name));
        }
    }

    void refusesAFolderWithoutPictures() {
        std::filesystem::create_directories(at("empty/inner"));
        writeBytes(at("empty/inner/readme.md"), "nothing");
        const auto error = errorOf([&] { (void)filmsIn({"empty"}); });
        QVERIFY(error && error->problem() == "contains no pictures");
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestFilmList() { return std::make_unique<weft::TestFilmList>(); }
#include "tst_film_list.moc"
