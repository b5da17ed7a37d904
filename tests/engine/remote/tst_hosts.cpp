// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "base/text/json.h"
#include "support/refusal.h"
#include "support/test_main.h"
#include <weft/error.h>
#include <weft/hosts.h>

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

using namespace weft;

namespace {

Host cluster() {
    return {.name = "cluster",
            .via = "ssh -p 22 cluster",
            .folder = "/scratch/me/runs",
            .program = "~/weft/bin/weft",
            .start = JobStart::slurm,
            .partition = "gpu",
            .account = "abc-1",
            .minutes = 90,
            .bytesPerSecond = 1'000'000};
}

bool says(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class TestHosts : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString file() const { return folder_->filePath("config/weft/hosts.json"); }
    [[nodiscard]] Json kept() const { return readJsonFile(file().toStdString()); }
    void write(const char* text) const {
        makeFolder(QFileInfo(file()).path().toStdString());
        writeFileWhole(file().toStdString(), std::string_view(text));
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CONFIG_HOME", folder_->filePath("config").toUtf8());
        qputenv("XDG_DATA_HOME", folder_->filePath("data").toUtf8());
    }

    void areKeptAndFound() {
        QVERIFY(knownHosts().empty());
        const Host box{.name = "box", .via = "docker exec -i box sh -c"};
        keepHost(cluster());
        keepHost(box);
        QCOMPARE(knownHosts(), (std::vector<Host>{box, cluster()}));
        QCOMPARE(hostNamed("cluster"), cluster());
        Host moved = cluster();
        moved.folder = "elsewhere";
        moved.start = JobStart::mpirun;
        QVERIFY(says(test::refusalOf([&] { keepHost(moved); }, ErrorCode::usage), "no machine"));
        moved.machines = {"n1", "n2"};
        keepHost(moved);
        QCOMPARE(knownHosts(), (std::vector<Host>{box, moved}));
        Host other = box;
        other.machines = {"n1"};
        QVERIFY(
            says(test::refusalOf([&] { keepHost(other); }, ErrorCode::usage), "use both options"));
        forgetHost("cluster");
        QCOMPARE(knownHosts(), std::vector<Host>{box});
        QVERIFY(says(test::refusalOf([] { (void)hostNamed("cluster"); }, ErrorCode::usage),
                     "name one of box"));
        QVERIFY(says(test::refusalOf([] { forgetHost("cluster"); }, ErrorCode::usage),
                     "name one of box"));
        QVERIFY(says(jsonOf(knownHosts()), R"("via": "docker exec -i box sh -c")"));
    }

    void areTheUsersAlone() {
        keepHost(cluster());
        const auto others =
            QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QCOMPARE(QFile::permissions(file()) & others, QFile::Permissions());
        keepHost(cluster());
        QCOMPARE(QFile::permissions(file()) & others, QFile::Permissions());
    }

    void whatAnotherVersionKeptStays() {
        write(R"({"later": [1], "hosts": [{"name": "a", "via": "ssh a", "colour": "red"},
                                          {"name": "b", "via": "ssh b", "minutes": 7}]})");
        Host changed = hostNamed("a");
        QCOMPARE(changed, (Host{.name = "a", .via = "ssh a"}));
        QCOMPARE(hostNamed("b").minutes, 7);
        changed.partition = "gpu";
        keepHost(changed);
        forgetHost("b");
        const Json now = kept();
        QVERIFY(now["later"] == Json::array({1}));
        QCOMPARE(now["hosts"].size(), std::size_t{1});
        QVERIFY(now["hosts"][0]["colour"] == "red");
        QVERIFY(now["hosts"][0]["partition"] == "gpu");
    }

    void writersAtOnceLoseNothing() {
        constexpr int each = 12;
        const auto keepSome = [](char who) {
            for (int k = 0; k < each; ++k) {
                keepHost({.name = who + std::to_string(k), .via = "sh -c"});
            }
        };
        {
            std::vector<std::jthread> writers;
            for (const char who : {'a', 'b', 'c'}) {
                writers.emplace_back([&keepSome, who] { keepSome(who); });
            }
        }
        QCOMPARE(knownHosts().size(), std::size_t{3 * each});
    }

    void whatCannotBeIsRefused_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("value");
        int count = 0;
        const auto row = [&count](const char* part, const char* value) {
            QTest::addRow("%s %d", part, ++count) << QString(part) << QString(value);
        };
        for (const char* name : {"", "..", ".a", "-a", "a/b", "a:b", "a b", "\xc3\xa4"}) {
            row("name", name);
        }
        row("name", std::string(65, 'a').c_str());
        for (const char* via : {"", "  ", "ssh 'a", "ssh $HOST", "ssh a; rm b", "ssh a\nb"}) {
            row("via", via);
        }
        row("folder", "");
        row("folder", "a\nb");
        row("program", "-x");
        row("program", "a\x1b[2J");
        row("partition", "a b");
        row("account", "a\n#SBATCH");
    }
    void whatCannotBeIsRefused() {
        QFETCH(const QString, part);
        QFETCH(const QString, value);
        Host host = cluster();
        std::string& changed = part == "name"        ? host.name
                               : part == "via"       ? host.via
                               : part == "folder"    ? host.folder
                               : part == "program"   ? host.program
                               : part == "partition" ? host.partition
                                                     : host.account;
        changed = value.toStdString();
        const std::string refused = test::refusalOf([&] { keepHost(host); }, ErrorCode::usage);
        QVERIFY2(!refused.starts_with("another code") && refused != "none", refused.c_str());
        QVERIFY(!QFile::exists(file()));
    }

    void numbersHaveTheirLimits() {
        const auto refuses = [](int minutes, std::int64_t limit) {
            Host host = cluster();
            host.minutes = minutes;
            host.bytesPerSecond = limit;
            return test::refusalOf([&] { keepHost(host); }, ErrorCode::usage) != "none";
        };
        QVERIFY(refuses(0, 0) && refuses(10'000'000, 0) && refuses(1, -1));
        QVERIFY(!refuses(1, 0));
    }

    void aSpoiltFileIsNamed_data() {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* text) {
            QTest::newRow(name) << QString(text);
        };
        row("no JSON", "{");
        row("a list", "[]");
        row("hosts no list", R"({"hosts": {"a": 1}})");
        row("a word", R"({"hosts": ["a"]})");
        row("no name", R"({"hosts": [{"via": "ssh a"}]})");
        row("no command", R"({"hosts": [{"name": "a"}]})");
        row("a name that is none", R"({"hosts": [{"name": "../a", "via": "ssh a"}]})");
        row("minutes in words", R"({"hosts": [{"name": "a", "via": "ssh a", "minutes": "ten"}]})");
        row("minutes beyond all", R"({"hosts": [{"name": "a", "via": "b", "minutes": 1e300}]})");
        row("a folder that is a number", R"({"hosts": [{"name": "a", "via": "b", "folder": 3}]})");
        row("a start of another version",
            R"({"hosts": [{"name": "a", "via": "b", "start": "x"}]})");
    }
    void aSpoiltFileIsNamed() {
        QFETCH(const QString, text);
        write(text.toUtf8().constData());
        const std::string said = test::refusalOf([] { (void)knownHosts(); }, ErrorCode::format);
        QVERIFY2(says(said, "hosts.json"), said.c_str());
        QCOMPARE(QString::fromStdString(readFile(file().toStdString(), 1000)), text);
    }

    void aRunThereIsToldFromAPathHere() {
        keepHost(cluster());
        const RemoteRun run{"cluster", "2026-01-01_120000_lenet"};
        QVERIFY(remoteRunNamed("cluster:2026-01-01_120000_lenet") == run);
        for (const char* path : {"runs/a", "cluster", "other:a", "./cluster:a", ":a", "", "C:/a"}) {
            QVERIFY2(!remoteRunNamed(path), path);
        }
        for (const char* word :
             {"cluster:", "cluster:..", "cluster:a/b", "cluster:.jobs", "cluster:a:b"}) {
            const std::string said =
                test::refusalOf([&] { (void)remoteRunNamed(word); }, ErrorCode::usage);
            QVERIFY2(says(said, "weft runs --on cluster"), said.c_str());
        }
    }

    void mirrorsStayInTheirFolder() {
        const QString wanted = folder_->filePath("data/weft/mirrors/cluster/2026_a");
        QCOMPARE(QString::fromStdString(mirrorFolder({"cluster", "2026_a"}).string()), wanted);
        for (const RemoteRun& run :
             {RemoteRun{"..", "a"}, {"a", ".."}, {"a", ""}, {"a/b", "c"}, {"a", "b/../../c"}}) {
            QVERIFY(says(test::refusalOf([&] { (void)mirrorFolder(run); }, ErrorCode::usage),
                         "no run"));
        }
    }

    void lieInTheHomeFolderUnlessToldOtherwise() {
        qputenv("XDG_CONFIG_HOME", "relative");
        qunsetenv("XDG_DATA_HOME");
        const QByteArray home = qgetenv("HOME");
        qputenv("HOME", folder_->path().toUtf8());
        keepHost(cluster());
        QVERIFY(QFile::exists(folder_->filePath(".config/weft/hosts.json")));
        QCOMPARE(QString::fromStdString(mirrorFolder({"a", "b"}).string()),
                 folder_->filePath(".local/share/weft/mirrors/a/b"));
        qunsetenv("HOME");
        QVERIFY(knownHosts().empty());
        QVERIFY(says(test::refusalOf([] { keepHost(cluster()); }, ErrorCode::usage),
                     "set the variable HOME"));
        qputenv("HOME", home);
    }

    void startsAreNamed() {
        for (const JobStart start : {JobStart::here, JobStart::mpirun, JobStart::slurm}) {
            QCOMPARE(jobStartNamed(nameOf(start)), start);
        }
        QVERIFY(says(test::refusalOf([] { (void)jobStartNamed("cron"); }, ErrorCode::usage),
                     "here, mpirun, slurm"));
    }
};

std::unique_ptr<QObject> makeTestHosts() { return std::make_unique<TestHosts>(); }
#include "tst_hosts.moc"
