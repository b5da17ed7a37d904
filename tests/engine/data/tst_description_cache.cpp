// SPDX-License-Identifier: Apache-2.0
#include "data/description_cache.h"
#include "engine/data/raises.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <memory>

namespace weft {

using test::errorOf;
namespace fs = std::filesystem;

namespace {

/// A folder that nobody changes while tests run.
const fs::path old = "/usr";

} // namespace

class TestDescriptionCache : public QObject {
    Q_OBJECT

    DescriptionCache known_;
    int made_ = 0;

    DataDescription ask(const std::vector<fs::path>& files, const DescriptionKey& key = {}) {
        return known_.find(key, [&](std::vector<fs::path>& looked) {
            looked = files;
            return DataDescription{.training = ++made_};
        });
    }

private Q_SLOTS:
    void makesADescriptionOnceForEachKey() {
        QCOMPARE(ask({old}).training, std::int64_t{1});
        QCOMPARE(ask({old}).training, std::int64_t{1});
        QCOMPARE(ask({old}, {.validation = 0.5}).training, std::int64_t{2});
        QCOMPARE(ask({old}, {.folders = {.base = "elsewhere"}}).training, std::int64_t{3});
        QCOMPARE(ask({old}).training, std::int64_t{1});
    }

    void makesItAnewWhenAFileHasChanged() {
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "table.csv";
        const std::int64_t first = ask({old, file}, {.validation = 0.1}).training;
        QCOMPARE(ask({old, file}, {.validation = 0.1}).training, first);
        std::ofstream(file) << "1,2\n";
        QCOMPARE(ask({old, file}, {.validation = 0.1}).training, first + 1);
        // It has just been written, so that another change may have the same time.
        QCOMPARE(ask({old, file}, {.validation = 0.1}).training, first + 2);
    }

    void remembersWhatIsWrongWithAFile() {
        int made = 0;
        const auto failed = [&](ErrorCode code, double validation) {
            return errorOf([&] {
                (void)known_.find({.validation = validation},
                                  [&](std::vector<fs::path>&) -> DataDescription {
                                      ++made;
                                      throw Error(code, {.file = old.string()}, "is wrong", "");
                                  });
            });
        };
        for (int k = 0; k < 3; ++k) {
            QCOMPARE(failed(ErrorCode::format, 0.2)->where().file, old.string());
            QCOMPARE(made, 1);
        }
        QCOMPARE(failed(ErrorCode::file, 0.3)->code(), ErrorCode::file);
        QCOMPARE(failed(ErrorCode::file, 0.3)->code(), ErrorCode::file);
        QCOMPARE(made, 3);
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestDescriptionCache() {
    return std::make_unique<weft::TestDescriptionCache>();
}
#include "tst_description_cache.moc"
