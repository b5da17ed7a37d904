// SPDX-License-Identifier: Apache-2.0
#include "data/films/cached_frames.h"
#include "engine/data/films/pictures_on_disk.h"

#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <thread>

namespace weft {

using test::errorOf;
using test::writePgm;

class TestCachedFrames : public QObject {
    Q_OBJECT

    static constexpr std::int64_t frames = 20;
    static constexpr FrameForm form{.rows = 2, .columns = 2};
    std::unique_ptr<QTemporaryDir> dir_;

    [[nodiscard]] Film film() const {
        Film made;
        for (int k = 0; k < frames; ++k) {
            const std::filesystem::path path =
                dir_->filePath(QString::number(k) + ".pgm").toStdString();
            writePgm(path, 4, 4, std::vector<int>(16, k));
            made.push_back({path, 0});
        }
        return made;
    }
    /// How many can be had though their files are gone.
    static std::int64_t keptOf(const CachedFrames& kept, const Film& films) {
        for (const PictureAt& frame : films) {
            std::filesystem::remove(frame.path);
        }
        std::int64_t count = 0;
        for (std::int64_t k = 0; k < frames; ++k) {
            count += errorOf([&] { (void)kept.at(k); }) ? 0 : 1;
        }
        return count;
    }

private Q_SLOTS:
    void init() { dir_ = std::make_unique<QTemporaryDir>(); }

    void keepsWhatWasRead() {
        const Film films = film();
        const CachedFrames kept(films, form, 0, 1 << 20);
        for (std::int64_t k = 0; k < frames; k += 2) {
            QCOMPARE(kept.at(k)->picture.samples, std::vector<std::uint16_t>(4, k));
        }
        QCOMPARE(keptOf(kept, films), frames / 2);
        QCOMPARE(kept.at(4)->picture.samples.front(), std::uint16_t{4});
    }

    void keepsNoMoreThanItsShare() {
        const Film films = film();
        const CachedFrames kept(films, form, 0, 2000);
        for (std::int64_t k = 0; k < 5 * frames; ++k) {
            QCOMPARE(kept.at(k % frames)->picture.samples.front(), k % frames);
        }
        const std::int64_t count = keptOf(kept, films);
        QVERIFY2(count > 3 && count < 10, qPrintable(QString::number(count)));
        const Film again = film();
        const CachedFrames none(again, form, 0, 0);
        (void)none.at(3);
        QCOMPARE(keptOf(none, again), std::int64_t{0});
    }

    void isReadByManyAtOnce() {
        const CachedFrames kept(film(), form, 0, 2000);
        std::vector<std::int64_t> wrong(4, 0);
        std::vector<std::jthread> readers;
        readers.reserve(wrong.size());
        for (std::int64_t& mine : wrong) {
            readers.emplace_back([&] {
                for (std::int64_t k = 0; k < 400; ++k) {
                    const std::int64_t frame = k * 7 % frames;
                    mine += kept.at(frame)->picture.samples.front() == frame ? 0 : 1;
                }
            });
        }
        readers.clear();
        QCOMPARE(wrong, std::vector<std::int64_t>(4, 0));
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestCachedFrames() {
    return std::make_unique<weft::TestCachedFrames>();
}
#include "tst_cached_frames.moc"
