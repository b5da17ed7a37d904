// SPDX-License-Identifier: Apache-2.0
// Jobs that are processes of this host.
#include "base/files/files.h"
#include "base/files/lock_file.h"
#include "remote/jobs/file_store.h"
#include "remote/jobs/jobs.h"
#include "support/refusal.h"
#include <weft/error.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <regex>
#include <string>

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

class TestJobs : public QObject {
    Q_OBJECT

    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }
    [[nodiscard]] fs::path runs() const { return here() / "runs"; }
    [[nodiscard]] fs::path job(const std::string& run) const { return runs() / ".jobs" / run; }

    static JobOrder order(const std::string& run, const std::string& key,
                          const std::string& script) {
        return {.run = run,
                .key = key,
                .files = {{"run.sh", "#!/bin/sh\n" + script, true}, {"design.weft", "{}", false}}};
    }
    /// Says so once it has begun and ends when the file `end` appears in its folder.
    static std::string patient() { return "echo begun\nwhile [ ! -e end ]; do sleep 0.02; done\n"; }
    void letEnd(const std::string& run) const { writeFileWhole(job(run) / "end", ""); }
    [[nodiscard]] std::string said(const std::string& run) const {
        return fs::exists(job(run) / "output.txt") ? readFile(job(run) / "output.txt", 1U << 20U)
                                                   : std::string();
    }
    /// Every file below the folder that the tests have, as a list of paths and sizes.
    [[nodiscard]] QStringList all() const {
        QStringList list;
        for (const auto& entry : fs::recursive_directory_iterator(here())) {
            list << QString::fromStdString(entry.path().string());
        }
        list.sort();
        return list;
    }
    void expectEnd(Jobs& jobs, const std::string& run, std::optional<int> code) {
        QTRY_VERIFY(jobs.state(run).state == JobState::ended);
        QVERIFY(jobs.state(run).code == code);
    }
    /// In its notes, as another process wrote them.
    void change(const std::string& run, const std::string& from, const std::string& to) const {
        const fs::path notes = job(run) / "job.json";
        const std::string text = readFile(notes, 10'000);
        const std::string changed = std::regex_replace(text, std::regex(from), to);
        QVERIFY(text != changed);
        writeFileWhole(notes, changed);
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aJobRunsItsScriptInItsFolder() {
        Jobs jobs(runs(), "/opt/weft of mine/weft");
        QVERIFY(jobs.state("lenet").state == JobState::none);
        const std::string run = jobs.begin(
            order("lenet", "1", "pwd; echo \"$WEFT_RUN|$WEFT\"; ls; echo bad >&2; exit 3"));
        QCOMPARE(run, std::string("lenet"));
        expectEnd(jobs, run, 3);
        QCOMPARE(jobs.state(run).output,
                 job(run).string() + "\n" + (runs() / run).string() +
                     "|/opt/weft of mine/weft\ndesign.weft\njob.json\noutput.txt\nrun.sh\nbad\n");
        QVERIFY(!fs::exists(runs() / run)); // that is the run's to make
        QCOMPARE(jobs.runs(), std::vector<std::string>{"lenet"});
        // Whoever comes later is told the same.
        QVERIFY(Jobs(runs()).state(run) == jobs.state(run));
    }

    void whatEndedLongAgoGoesWithItsRun() {
        Jobs jobs(runs());
        for (const char* const run : {"deleted", "kept", "young", "strange"}) {
            expectEnd(jobs, jobs.begin(order(run, run, "exit 0")), 0);
        }
        (void)jobs.begin(order("living", "living", patient()));
        fs::create_directory(runs() / "kept");
        writeFileWhole(job("strange") / "job.json", "{}");
        const auto longAgo = fs::file_time_type::clock::now() - std::chrono::hours(24 * 8);
        for (const char* const run : {"deleted", "kept", "living", "strange"}) {
            for (const auto& file : fs::directory_iterator(job(run))) {
                fs::last_write_time(file.path(), longAgo);
            }
        }
        jobs.prune(std::chrono::hours(24 * 7));
        QCOMPARE(jobs.runs(), (std::vector<std::string>{"kept", "living", "strange", "young"}));
        QVERIFY(!fs::exists(job("deleted")));
        letEnd("living");
        expectEnd(jobs, "living", 0);
    }

    void allOfTheOutputIsKeptAndItsEndTold() {
        Jobs jobs(runs());
        const std::string run = jobs.begin(order("loud", "1", "seq 1 100000"));
        expectEnd(jobs, run, 0);
        const std::string output = jobs.state(run).output;
        QCOMPARE(output.size(), std::size_t{4096});
        QVERIFY(output.ends_with("\n99999\n100000\n"));
        QVERIFY(said(run).starts_with("1\n2\n3\n") && said(run).ends_with(output));
    }

    void aScriptThatCannotBeginIsAnEnd() {
        Jobs jobs(runs());
        JobOrder asked = order("none", "1", "");
        asked.files[0].text = "#!/no/such/shell\n";
        expectEnd(jobs, jobs.begin(asked), 127);
        QVERIFY(!jobs.state("none").output.empty());
        asked.files.erase(asked.files.begin());
        asked.key = "2";
        QCOMPARE(codeOf([&] { jobs.begin(asked); }), ErrorCode::usage);
    }

    void outlivesTheProcessThatBeganIt() {
        const pid_t other = fork();
        if (other == 0) {
            Jobs(runs()).begin(order("long", "1", patient() + "exit 5"));
            _exit(0);
        }
        int status = -1;
        QCOMPARE(waitpid(other, &status, 0), other);
        QCOMPARE(status, 0);
        Jobs jobs(runs());
        QTRY_COMPARE(said("long"), std::string("begun\n"));
        QVERIFY(jobs.state("long").state == JobState::begun);
        letEnd("long");
        expectEnd(jobs, "long", 5);
    }

    /// Whoever reads this process's output hears of its end, though its jobs live on.
    void inheritsNothing() {
        const int left = open("/dev/null", O_RDONLY); // without O_CLOEXEC
        Jobs jobs(runs());
        const std::string run = jobs.begin(
            order("alone", "1", "ls /proc/self/fd; cut -d' ' -f6,7 /proc/self/stat; echo $$; cat"));
        ::close(left);
        expectEnd(jobs, run, 0);
        const QStringList lines = QString::fromStdString(said(run)).split('\n');
        QCOMPARE(lines.mid(0, 4), (QStringList{"0", "1", "2", "3"}));
        // A session without a terminal, which is not ours.
        QCOMPARE(lines.value(4).section(' ', 1), QString("0"));
        QVERIFY(lines.value(4).section(' ', 0, 0).toInt() != getsid(0));
    }

    void theSameOrderTwiceIsOneJob() {
        Jobs jobs(runs());
        const JobOrder once = order("lenet", "key", patient());
        QCOMPARE(jobs.begin(once), std::string("lenet"));
        QCOMPARE(jobs.begin(once), std::string("lenet"));
        JobOrder renamed = once;
        renamed.run = "other";
        QCOMPARE(Jobs(runs()).begin(renamed), std::string("lenet"));
        letEnd("lenet");
        expectEnd(jobs, "lenet", 0);
        QCOMPARE(jobs.begin(once), std::string("lenet"));
        QCOMPARE(said("lenet"), std::string("begun\n"));
        QCOMPARE(jobs.runs().size(), std::size_t{1});
    }

    /// Two windows at once, a process each.
    void manyAtOnceWithOneKeyBeginOneJob() {
        std::vector<pid_t> others;
        for (int i = 0; i < 6; ++i) {
            others.push_back(fork());
            if (others.back() == 0) {
                const bool isIt =
                    Jobs(runs()).begin(order("lenet", "key", "echo begun")) == "lenet";
                _exit(isIt ? 0 : 1);
            }
        }
        for (const pid_t other : others) {
            int status = -1;
            QCOMPARE(waitpid(other, &status, 0), other);
            QCOMPARE(status, 0);
        }
        Jobs jobs(runs());
        expectEnd(jobs, "lenet", 0);
        QCOMPARE(said("lenet"), std::string("begun\n"));
        QCOMPARE(jobs.runs(), std::vector<std::string>{"lenet"});
    }

    void aTakenNameGetsANumber() {
        fs::create_directories(runs() / "lenet");
        fs::create_symlink("/nowhere", runs() / "lenet-2");
        Jobs jobs(runs());
        QCOMPARE(jobs.begin(order("lenet", "1", "echo $WEFT_RUN")), std::string("lenet-3"));
        QCOMPARE(jobs.begin(order("lenet", "2", "")), std::string("lenet-4"));
        expectEnd(jobs, "lenet-3", 0);
        QCOMPARE(jobs.state("lenet-3").output, (runs() / "lenet-3").string() + "\n");
        const std::string longest(120, 'x');
        QCOMPARE(jobs.begin(order(longest, "3", "")), longest);
        QCOMPARE(jobs.begin(order(longest, "4", "")), longest.substr(2) + "-2");
        for (const std::string& run : jobs.runs()) {
            expectEnd(jobs, run, 0);
        }
    }

    void goesOnWithARunThatIsThere() {
        Jobs jobs(runs());
        JobOrder further = order("lenet", "2", patient());
        further.resumesRun = true;
        QCOMPARE(codeOf([&] { jobs.begin(further); }), ErrorCode::usage); // there is none
        jobs.begin(order("lenet", "1", "echo first; exit 4"));
        expectEnd(jobs, "lenet", 4);
        fs::create_directories(runs() / "lenet");
        QCOMPARE(jobs.begin(further), std::string("lenet"));
        QTRY_COMPARE(said("lenet"), std::string("first\nbegun\n"));
        QVERIFY(jobs.state("lenet").state == JobState::begun);
        QCOMPARE(jobs.begin(further), std::string("lenet"));
        further.key = "3";
        {
            const FileHandle living = lockFile(runs() / "lenet/lock");
            QCOMPARE(codeOf([&] { jobs.begin(further); }), ErrorCode::usage);
        }
        letEnd("lenet");
        expectEnd(jobs, "lenet", 0);
        // As before, by the script that it has.
        further.key = "5";
        further.reusesScript = true;
        further.files = order("lenet", "5", "echo another; exit 7").files;
        jobs.begin(further);
        QTRY_COMPARE(said("lenet"), std::string("first\nbegun\nbegun\n"));
        letEnd("lenet");
        expectEnd(jobs, "lenet", 0);
        // One that was begun by hand, without a job.
        fs::create_directories(runs() / "by-hand");
        further = order("by-hand", "4", "exit 6");
        further.resumesRun = true;
        further.reusesScript = true;
        jobs.begin(further);
        expectEnd(jobs, "by-hand", 6);
    }

    void filesThatCameAreInItsFolder() {
        writeFileWhole(here() / "data", "numbers");
        const std::string hash = fileHash(here() / "data");
        FileStore(runs()).put(hash, 0, "numbers", 7);
        Jobs jobs(runs());
        JobOrder asked = order("lenet", "1", "cat 'my data/träining (1).npy'");
        asked.stored = {{"my data/träining (1).npy", hash}};
        expectEnd(jobs, jobs.begin(asked), 0);
        QCOMPARE(jobs.state("lenet").output, std::string("numbers"));
        // One that has not come: nothing is begun and the name stays free.
        asked = order("second", "2", "");
        asked.stored = {{"data", std::string(32, '0')}};
        QCOMPARE(codeOf([&] { jobs.begin(asked); }), ErrorCode::usage);
        QVERIFY(jobs.state("second").state == JobState::none);
        asked.stored.clear();
        QCOMPARE(jobs.begin(asked), std::string("second"));
        expectEnd(jobs, "second", 0);
    }

    void aCancelledJobEnds() {
        Jobs jobs(runs());
        jobs.begin(order("polite", "1",
                         "trap 'echo saved; exit 7' TERM\necho begun\n"
                         "while :; do sleep 0.02; done"));
        QTRY_COMPARE(said("polite"), std::string("begun\n"));
        QVERIFY(!jobs.state("polite").isCancelled);
        jobs.cancel("polite");
        expectEnd(jobs, "polite", 7);
        QVERIFY(jobs.state("polite").isCancelled);
        const std::string output = jobs.state("polite").output; // the shell may have a word too
        QVERIFY2(output.starts_with("begun\n") && output.ends_with("saved\n"), output.c_str());
        jobs.cancel("polite"); // has ended
        // Its order is done, and is not done again.
        QCOMPARE(jobs.begin(order("polite", "1", "")), std::string("polite"));
        expectEnd(jobs, "polite", 7);
    }

    void oneThatDoesNotHearIsEndedWhenAskedAgain() {
        Jobs jobs(runs());
        jobs.begin(order("deaf", "1", "trap '' TERM\n" + patient()));
        QTRY_COMPARE(said("deaf"), std::string("begun\n"));
        jobs.cancel("deaf");
        QVERIFY(jobs.state("deaf").state == JobState::begun);
        QVERIFY(jobs.state("deaf").isCancelled);
        Jobs(runs()).cancel("deaf"); // by another window
        expectEnd(jobs, "deaf", std::nullopt);
    }

    void oneThatEndedStaysAsItIs() {
        Jobs jobs(runs());
        jobs.begin(order("done", "1", ""));
        expectEnd(jobs, "done", 0);
        jobs.cancel("done");
        QVERIFY(!jobs.state("done").isCancelled);
        QCOMPARE(codeOf([&] { jobs.cancel("none"); }), ErrorCode::usage);
    }

    /// Between the notes and the process whoever began it was ended.
    void oneThatNobodyBeganIsBegunByTheNextOrder() {
        Jobs jobs(runs());
        for (const std::string run : {"first", "second"}) {
            jobs.begin(order(run, run, "echo begun"));
            expectEnd(jobs, run, 0);
            change(run, "\"process\": \\{[^}]*\\}", "\"process\": null");
            fs::remove(job(run) / "code");
            QVERIFY(jobs.state(run).state == JobState::unknown);
        }
        jobs.begin(order("first", "first", ""));
        expectEnd(jobs, "first", 0);
        QCOMPARE(said("first"), std::string("begun\nbegun\n"));
        // One that is cancelled then is not begun any more.
        jobs.cancel("second");
        QCOMPARE(jobs.begin(order("second", "second", "")), std::string("second"));
        expectEnd(jobs, "second", std::nullopt);
        QCOMPARE(said("second"), std::string("begun\n"));
    }

    /// Numbers are given out again: what has a job's number now is left alone.
    void anotherProcessOfItsNumberIsNotTakenForIt_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("this process")
            << "\"number\": \\d+," << QString("\"number\": %1,").arg(getpid());
        QTest::newRow("all processes") << "\"number\": \\d+,"
                                       << "\"number\": -1,";
        QTest::newRow("the first process") << "\"number\": \\d+,"
                                           << "\"number\": 1,";
        QTest::newRow("the group") << "\"number\": \\d+,"
                                   << "\"number\": 0,";
        QTest::newRow("begun later") << "\"begun\": \\d+"
                                     << "\"begun\": 1";
        QTest::newRow("before the machine was begun anew") << "\"machine\": \"[^\"]*\""
                                                           << "\"machine\": \"before\"";
    }
    void anotherProcessOfItsNumberIsNotTakenForIt() {
        QFETCH(const QString, from);
        QFETCH(const QString, to);
        Jobs jobs(runs());
        jobs.begin(order("old", "1", patient()));
        QTRY_COMPARE(said("old"), std::string("begun\n"));
        change("old", from.toStdString(), to.toStdString());
        QVERIFY(jobs.state("old").state == JobState::ended);
        QVERIFY(!jobs.state("old").code);
        jobs.cancel("old");
        letEnd("old"); // nobody else ended it
        QTRY_VERIFY(jobs.state("old").code == std::optional(0));
    }

    void aJobOfAnotherHostIsNotKnownHere() {
        Jobs jobs(runs());
        jobs.begin(order("there", "1", patient()));
        QTRY_COMPARE(said("there"), std::string("begun\n"));
        change("there", "\"machine\": \"[^\"]*\",\\s*\"host\": \"[^\"]*\"",
               "\"machine\": \"other\", \"host\": \"login2\"");
        const JobStatus word = jobs.state("there");
        QVERIFY(word.state == JobState::unknown);
        QVERIFY2(word.reason.find("login2") != std::string::npos, word.reason.c_str());
        QCOMPARE(codeOf([&] { jobs.cancel("there"); }), ErrorCode::usage);
        letEnd("there"); // the disk shows that it has ended
        expectEnd(jobs, "there", 0);
    }

    void namesOfRunsLeadNowhere_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"", ".", "..", ".hidden", "a/b", "../a", "/a", "a b", "a\nb",
                                 "$(touch a)", "`a`", "a;b", "\xc3\xa4", "a\x1b[2J", "a*"}) {
            QTest::newRow(name) << QByteArray(name);
        }
        QTest::newRow("too long") << QByteArray(121, 'a');
        QTest::newRow("a NUL") << QByteArray("a\0b", 3);
    }
    void namesOfRunsLeadNowhere() {
        QFETCH(const QByteArray, name);
        Jobs jobs(runs());
        const std::string run = name.toStdString();
        QCOMPARE(codeOf([&] { jobs.begin(order(run, "1", "")); }), ErrorCode::usage);
        QCOMPARE(codeOf([&] { (void)jobs.state(run); }), ErrorCode::usage);
        QCOMPARE(codeOf([&] { jobs.cancel(run); }), ErrorCode::usage);
        QCOMPARE(all(), QStringList()); // nothing was made
    }

    void namesOfFilesStayInTheFolder_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"", ".", "..", "../a", "a/../../b", "/etc/a", "a//b", "a/", "./a",
                                 "a/.", "a\x1b[2J", "a\nb", "\xff", "job.json", "end.json",
                                 "output.txt", "code", ".code.part", "submitting"}) {
            QTest::newRow(name) << QByteArray(name);
        }
        QTest::newRow("a NUL") << QByteArray("a\0b", 3);
        QTest::newRow("too long") << QByteArray(256, 'a');
        QTest::newRow("too deep") << QByteArray("a/").repeated(40) + "a";
    }
    void namesOfFilesStayInTheFolder() {
        QFETCH(const QByteArray, name);
        Jobs jobs(runs());
        jobs.begin(order("before", "0", ""));
        expectEnd(jobs, "before", 0);
        writeFileWhole(here() / "theirs", "x");
        const std::string hash = fileHash(here() / "theirs");
        FileStore(runs()).put(hash, 0, "x", 1);
        fs::remove_all(runs() / ".jobs" / ".new");
        const QStringList before = all();
        JobOrder asked = order("lenet", "1", "");
        asked.files.push_back({name.toStdString(), "x", false});
        QCOMPARE(codeOf([&] { jobs.begin(asked); }), ErrorCode::usage);
        asked.files.pop_back();
        asked.stored = {{name.toStdString(), hash}};
        QCOMPARE(codeOf([&] { jobs.begin(asked); }), ErrorCode::usage);
        fs::remove_all(runs() / ".jobs" / ".new"); // the next order would delete it
        QCOMPARE(all(), before);
    }

    void aLinkIsNotFollowed() {
        fs::create_directory(here() / "outside");
        writeFileWhole(here() / "outside" / "kept", "untouched");
        Jobs jobs(runs());
        jobs.begin(order("lenet", "1", ""));
        expectEnd(jobs, "lenet", 0);
        fs::create_directories(runs() / "lenet");
        JobOrder further = order("lenet", "2", "");
        further.resumesRun = true;
        further.files.push_back({"data/kept", "x", false});
        fs::create_directory_symlink(here() / "outside", job("lenet") / "data");
        QCOMPARE(codeOf([&] { jobs.begin(further); }), ErrorCode::file);
        fs::remove(job("lenet") / "data");
        fs::create_directory(job("lenet") / "data");
        fs::create_symlink(here() / "outside" / "kept", job("lenet") / "data" / "kept");
        QCOMPARE(codeOf([&] { jobs.begin(further); }), ErrorCode::file);
        fs::remove(job("lenet") / "data" / "kept");
        fs::remove(job("lenet") / "output.txt");
        fs::create_symlink(here() / "outside" / "kept", job("lenet") / "output.txt");
        QCOMPARE(codeOf([&] { jobs.begin(further); }), ErrorCode::file);
        // It is as it was before that order, and a better one may come.
        QVERIFY(jobs.state("lenet").code == std::optional(0));
        QVERIFY(jobs.state("lenet").output.empty());
        fs::remove(job("lenet") / "output.txt");
        further.key = "3";
        jobs.begin(further);
        expectEnd(jobs, "lenet", 0);
        // Its notes, and its folder.
        fs::rename(job("lenet") / "job.json", here() / "outside" / "job.json");
        const std::string notes = readFile(here() / "outside" / "job.json", 10'000);
        fs::create_symlink(here() / "outside" / "job.json", job("lenet") / "job.json");
        QVERIFY(jobs.state("lenet").state == JobState::none);
        further.key = "5";
        jobs.begin(further);
        expectEnd(jobs, "lenet", 0);
        fs::create_directory_symlink(here() / "outside", job("linked"));
        QVERIFY(jobs.state("linked").state == JobState::none);
        QCOMPARE(codeOf([&] { jobs.cancel("linked"); }), ErrorCode::usage);
        QCOMPARE(jobs.begin(order("linked", "6", "")), std::string("linked-2"));
        expectEnd(jobs, "linked-2", 0);
        QCOMPARE(readFile(here() / "outside" / "job.json", 10'000), notes);
        fs::remove(here() / "outside" / "job.json");
        // The folder of all jobs.
        fs::rename(runs() / ".jobs", runs() / "moved");
        fs::create_directory_symlink(here() / "outside", runs() / ".jobs");
        QCOMPARE(codeOf([&] { jobs.begin(order("new", "4", "")); }), ErrorCode::file);
        QCOMPARE(readFile(here() / "outside" / "kept", 100), std::string("untouched"));
        const fs::directory_iterator inside(here() / "outside");
        QCOMPARE(std::distance(fs::begin(inside), fs::end(inside)), std::ptrdiff_t{1});
    }

    void notesThatAreNoneAreSaid() {
        Jobs jobs(runs());
        jobs.begin(order("lenet", "1", ""));
        expectEnd(jobs, "lenet", 0);
        const char* command = "{\"key\": \"1\", \"slurm\": true, \"asked\": 1, \"cancelled\": "
                              "false,\n\"process\": null, \"number\": \"1; touch x\"}";
        for (const char* text : {"", "{", "[]", "{}", "{\"key\": 5}", command}) {
            writeFileWhole(job("lenet") / "job.json", text);
            QCOMPARE(codeOf([&] { (void)jobs.state("lenet"); }), ErrorCode::format);
            QCOMPARE(codeOf([&] { jobs.cancel("lenet"); }), ErrorCode::format);
        }
        // Others are begun as before, and that name is not taken for free.
        QCOMPARE(jobs.begin(order("lenet", "1", "")), std::string("lenet-2"));
        expectEnd(jobs, "lenet-2", 0);
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestJobs() { return std::make_unique<TestJobs>(); }
#include "tst_jobs.moc"
