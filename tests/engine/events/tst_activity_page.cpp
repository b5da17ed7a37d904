// SPDX-License-Identifier: Apache-2.0
// Where streams are, as one who looks on sees it: while they run, after their process has died, and
// in pages that nobody wrote.
#include "events/activity_page.h"
#include "events/log_text.h"
#include "events/run_directory.h"
#include "samples.h"

#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

namespace {

const std::vector<ActivityStream> streams{{DeviceId{0}, 0}, {DeviceId{0}, 1}, {DeviceId{3}, 0}};

} // namespace

class TestActivityPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aStreamIsSeenInItsOpAndNotAfterIt() {
        ActivityPage standing(here(), 1, 4, streams);
        if (standing.places().empty()) {
            QSKIP("this file system is none to map");
        }
        QVERIFY(readActivity(here(), 1, 4).empty());
        standing.places()[1].enter(7, 1000);
        standing.places()[2].enter(9, 2000);
        const auto marks = readActivity(here(), 1, 4);
        QCOMPARE(marks.size(), std::size_t{2});
        QCOMPARE(marks[0].stream, std::uint32_t{1});
        QCOMPARE(marks[0].name, NameIndex{7});
        QCOMPARE(marks[0].since, std::int64_t{1000});
        QVERIFY(marks[1].device == DeviceId{3});
        standing.places()[1].leave();
        QCOMPARE(readActivity(here(), 1, 4).size(), std::size_t{1});
        QVERIFY(readActivity(here(), 1, 5).empty()); // another attempt's
        QVERIFY(readActivity(here(), 0, 4).empty());
    }

    void thePageGoesWithTheRunAndLeavesALaterOneAlone() {
        auto first = std::make_unique<ActivityPage>(here(), 0, 1, streams);
        if (first->places().empty()) {
            QSKIP("this file system is none to map");
        }
        const ActivityPage second(here(), 0, 2, streams);
        first->places()[0].enter(7, 1); // by a process that has not noticed that it lost the run
        second.places()[0].enter(8, 1);
        first.reset();
        const auto marks = readActivity(here(), 0, 2);
        QCOMPARE(marks.size(), std::size_t{1});
        QCOMPARE(marks[0].name, NameIndex{8});
    }

    void nothingIsLeftOfARunThatEnded() {
        { const ActivityPage standing(here(), 0, 1, streams); }
        QVERIFY(fs::is_empty(here()));
    }

    void aFolderThatCannotBeWrittenHasNoPlaces() {
        const ActivityPage standing(here() / "none", 0, 1, streams);
        QVERIFY(standing.places().empty());
    }

    void aPageThatNobodyWroteSaysNothing_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("short") << QByteArray("weftstn1", 8);
        QTest::newRow("other") << QByteArray(4096, 'x');
        QByteArray lying("weftstn1\1\0\0\0\xff\xff\xff\xff", 16);
        QTest::newRow("of more streams than there are")
            << lying + QByteArray(48, '\0') + QByteArray(64, '\0') + QByteArray(13, 'x');
    }
    void aPageThatNobodyWroteSaysNothing() {
        QFETCH(const QByteArray, bytes);
        writeFileWhole(here() / "standing.0", bytes.toStdString());
        QVERIFY(readActivity(here(), 0, 1).empty());
        fs::remove(here() / "standing.0");
        QCOMPARE(::mkfifo((here() / "standing.0").c_str(), 0600), 0);
        QVERIFY(readActivity(here(), 0, 1).empty());
    }

    void aReaderNamesLayerAndOp() {
        const RunDirectory run = RunDirectory::createAt(here() / "run");
        EventLog log(run.folder(), test::quickSettings());
        const NameIndex name = log.intern(siteText({.layer = "conv1", .op = "conv2d"}));
        log.flush(std::chrono::seconds(60));
        ActivityPage standing(run.folder(), 0, 1, streams);
        if (standing.places().empty()) {
            QSKIP("this file system is none to map");
        }
        standing.places()[2].enter(name, steadyNanoseconds() - 5'000'000'000);
        standing.places()[1].enter(name + 100, 0); // that no log has named
        RunReader reader(run.folder());
        QVERIFY(reader.runningOps().empty()); // nothing is read yet
        static_cast<void>(reader.read());
        const auto runningOps = reader.runningOps();
        QCOMPARE(runningOps.size(), std::size_t{1});
        QVERIFY(runningOps[0].device == DeviceId{3});
        QCOMPARE(runningOps[0].site.layer, std::string("conv1"));
        QCOMPARE(runningOps[0].site.op, std::string("conv2d"));
        QVERIFY(runningOps[0].time.count >= 5'000'000'000);
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestActivityPage() { return std::make_unique<TestActivityPage>(); }
#include "tst_activity_page.moc"
