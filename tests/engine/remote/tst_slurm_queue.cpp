// SPDX-License-Identifier: Apache-2.0
// Jobs of a queue, with scripts in the place of Slurm's programs: what a real one does only now and
// then, it does here each time.
#include "base/files/files.h"
#include "remote/agent/host_agent.h"
#include "remote/jobs/jobs.h"
#include "remote/packet_pipe.h"
#include "support/refusal.h"
#include <weft/error.h>

#include <sys/socket.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

class TestSlurmQueue : public QObject {
    Q_OBJECT

    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }
    [[nodiscard]] fs::path runs() const { return here() / "runs"; }

    /// A program of Slurm's; each call is a line in the file of its name.
    void program(const std::string& name, const std::string& script) const {
        const fs::path file = here() / "bin" / name;
        writeFileWhole(file, "#!/bin/sh\necho \"$@\" >> " + (here() / name).string() + "\n" +
                                 script + "\n");
        fs::permissions(file, fs::perms::owner_exec, fs::perm_options::add);
    }
    /// Sets the queue's output for the job, and for the jobs before it if these are requested.
    void queue(const std::string& line) const {
        program("squeue",
                "case \"$*\" in *PENDING*) printf '5\\n42\\n';; *) echo '" + line + "';; esac");
    }
    /// Slurm is asked more often than in earnest.
    [[nodiscard]] Jobs hastyJobs() const { return Jobs(runs(), {}, std::chrono::milliseconds(20)); }
    [[nodiscard]] std::string calls(const std::string& name) const {
        return fs::exists(here() / name) ? readFile(here() / name, 1U << 20U) : std::string();
    }
    static JobOrder order(const std::string& run, const std::string& key) {
        return {.run = run,
                .key = key,
                .start = JobStart::slurm,
                .files = {{"job.sbatch", "#!/bin/sh\n", true}}};
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        path_ = qgetenv("PATH");
        fs::create_directories(here() / "bin");
        qputenv("PATH", QFile::encodeName(folder_->filePath("bin")) + ":" + path_);
        program("sbatch", "pwd > submitted; echo \"$WEFT_RUN\" >> submitted; echo 42");
        queue("42|PENDING|N/A|test|Resources");
        program("scontrol", "echo 'JobId=42 JobState=FAILED ExitCode=3:0'");
        program("scancel", "");
        program("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
    }
    void cleanup() { qputenv("PATH", path_); }

    void aJobIsSubmittedInItsFolderAndStands() {
        Jobs jobs = hastyJobs();
        QCOMPARE(jobs.begin(order("lenet", "1")), std::string("lenet"));
        QCOMPARE(readFile(runs() / ".jobs/lenet/submitted", 1000),
                 (runs() / ".jobs/lenet").string() + "\n" + (runs() / "lenet").string() + "\n");
        QCOMPARE(jobs.state("lenet").number, std::string("42"));
        QVERIFY(jobs.state("lenet").state == JobState::waiting);
        QTRY_COMPARE(jobs.state("lenet").reason, std::string("Resources"));
        queue("42|PENDING|1790000000|test|Priority");
        QTRY_COMPARE(jobs.state("lenet").expected, std::int64_t{1'790'000'000});
        QTRY_COMPARE(jobs.state("lenet").place, std::int64_t{2});
        queue("42|RUNNING|1790000000|test|None");
        QTRY_VERIFY(jobs.state("lenet").state == JobState::begun);
        QCOMPARE(jobs.state("lenet").place, std::int64_t{0});
        queue("42|FAILED|1790000000|test|NonZeroExitCode");
        writeFileWhole(runs() / ".jobs/lenet/output.txt", "last words\n");
        QTRY_VERIFY(jobs.state("lenet").state == JobState::ended);
        // Slurm forgets; the job's folder does not.
        program("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
        program("scontrol", "exit 1");
        const JobStatus end = Jobs(runs()).state("lenet");
        QVERIFY(end.state == JobState::ended);
        QCOMPARE(end.code.value(), 3);
        QCOMPARE(end.reason, std::string("FAILED"));
        QCOMPARE(end.output, std::string("last words\n"));
    }

    void isNotAskedAllTheTime() {
        Jobs jobs(runs());
        (void)jobs.begin(order("a", "1"));
        program("sbatch", "echo 43");
        (void)jobs.begin(order("b", "2"));
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 300; ++i) {
            (void)jobs.state(i % 2 == 0 ? "a" : "b");
            QTest::qWait(1);
        }
        const auto most = 1 + timer.elapsed() / 2000;
        // About both at once.
        const QString asked = QString::fromStdString(calls("squeue"));
        QVERIFY2(asked.count("-j 42,43 ") >= 1 && asked.count("-j 42,43 ") <= most,
                 qPrintable(asked));
        QCOMPARE(asked.count("-j "), asked.count("-j 42,43 "));
    }

    void whatSlurmRefusesIsSaidInItsWords() {
        program("sbatch", "echo 'sbatch: error: invalid partition specified: gpu' >&2; exit 1");
        Jobs jobs = hastyJobs();
        const std::string problem =
            refusalOf([&] { (void)jobs.begin(order("lenet", "1")); }, ErrorCode::device);
        QVERIFY2(problem.find("invalid partition specified: gpu") != std::string::npos,
                 problem.c_str());
        // The name is free for a better order.
        QVERIFY(jobs.state("lenet").state == JobState::none);
        QVERIFY(!fs::exists(runs() / ".jobs/lenet"));
        program("sbatch", "echo 42");
        QCOMPARE(jobs.begin(order("lenet", "2")), std::string("lenet"));
    }

    void aHostWithoutSlurmSaysSo() {
        fs::remove_all(here() / "bin");
        qputenv("PATH", QFile::encodeName(folder_->filePath("bin")));
        Jobs jobs = hastyJobs();
        const std::string problem =
            refusalOf([&] { (void)jobs.begin(order("lenet", "1")); }, ErrorCode::device);
        QVERIFY2(problem.find("sbatch") != std::string::npos, problem.c_str());
    }

    /// Slurm took it, and whoever asked was ended before that was written down.
    void oneWhoseNumberNobodyWroteDownIsFound() {
        Jobs jobs = hastyJobs();
        (void)jobs.begin(order("lenet", "1"));
        const fs::path job = runs() / ".jobs/lenet";
        std::string notes = readFile(job / "job.json", 10'000);
        notes.replace(notes.find("\"42\""), 4, "\"\"");
        writeFileWhole(job / "job.json", notes);
        writeFileWhole(job / "submitting", "");
        QVERIFY(jobs.state("lenet").state == JobState::unknown);
        program("squeue", "case \"$*\" in *' -u '*) echo '7|/elsewhere'; echo '44|" + job.string() +
                              "';; esac");
        QCOMPARE(Jobs(runs()).begin(order("lenet", "1")), std::string("lenet"));
        QCOMPARE(jobs.state("lenet").number, std::string("44"));
        QCOMPARE(QString::fromStdString(calls("sbatch")).count('\n'), 1);
        // Or it did not: then it takes it now.
        writeFileWhole(job / "job.json", notes);
        writeFileWhole(job / "submitting", "");
        program("squeue", "");
        (void)Jobs(runs()).begin(order("lenet", "1"));
        QCOMPARE(QString::fromStdString(calls("sbatch")).count('\n'), 2);
        QCOMPARE(jobs.state("lenet").number, std::string("42"));
        // Cancelled before anybody looked.
        writeFileWhole(job / "job.json", notes);
        writeFileWhole(job / "submitting", "");
        program("squeue", "echo '45|" + job.string() + "'");
        jobs.cancel("lenet");
        QCOMPARE(calls("scancel"), std::string("45\n"));
    }

    void aSlowSlurmLeavesTheLineAlive() {
        program("sbatch", "sleep 1; echo 42");
        std::array<int, 2> ends{};
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
        PacketPipe mine(FileHandle(::dup(ends[0])), FileHandle(ends[0]));
        std::jthread hostAgent([theirs = ends[1]] {
            HostAgent(FileHandle(::dup(theirs)), FileHandle(theirs), std::chrono::milliseconds(50))
                .serve();
        });
        mine.send({.head = {{"ask", "greet"}, {"id", 1}, {"folder", runs().string()}}});
        mine.send({.head = {{"ask", "start"},
                            {"id", 2},
                            {"run", "lenet"},
                            {"key", "1"},
                            {"start", "slurm"},
                            {"files", {{{"name", "job.sbatch"}, {"text", "#!/bin/sh"}}}},
                            {"stored", Json::array()}}});
        std::vector<Packet> packets;
        const auto isAnswered = [&] {
            mine.transfer(std::chrono::milliseconds(5));
            while (auto packet = mine.receive()) {
                packets.push_back(*std::move(packet));
            }
            return !packets.empty() && packets.back().head.value("id", 0) == 2;
        };
        const bool hasCome = QTest::qWaitFor(isAnswered, 30'000);
        ::shutdown(ends[0], SHUT_RDWR);
        QVERIFY(hasCome);
        QCOMPARE(packets.back().head.value("run", ""), std::string("lenet"));
        QVERIFY2(packets.size() > 5, std::to_string(packets.size()).c_str());
    }

    void whereSlurmDoesNotAnswerNothingIsKnown() {
        Jobs jobs = hastyJobs();
        (void)jobs.begin(order("lenet", "1"));
        program("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; "
                          "exit 1");
        QTRY_VERIFY(jobs.state("lenet").state == JobState::unknown);
        QVERIFY(jobs.state("lenet").reason.find("Unable to contact") != std::string::npos);
        queue("42|RUNNING|1790000000|test|None");
        QTRY_VERIFY(jobs.state("lenet").state == JobState::begun);
    }

    /// A job that is gone from the queue is one that has ended only where its sheet says so.
    void oneThatWasPutBackIsTheSameJob() {
        Jobs jobs = hastyJobs();
        (void)jobs.begin(order("lenet", "1"));
        queue("42|NODE_FAIL|1790000000|test|None");
        program("scontrol", "echo 'JobId=42 JobState=PENDING Restarts=1 ExitCode=0:0'");
        QTRY_VERIFY(jobs.state("lenet").state == JobState::waiting && !calls("scontrol").empty());
        queue("42|PENDING|1790000000|test|BeginTime");
        QTRY_COMPARE(jobs.state("lenet").reason, std::string("BeginTime"));
        QVERIFY(jobs.state("lenet").state == JobState::waiting);
        QCOMPARE(jobs.state("lenet").number, std::string("42"));
    }

    void oneThatSlurmHasForgottenHasEnded() {
        Jobs jobs = hastyJobs();
        (void)jobs.begin(order("lenet", "1"));
        const std::string unknown = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; "
                                    "exit 1";
        program("squeue", unknown);
        program("scontrol", unknown);
        QTRY_VERIFY(jobs.state("lenet").state == JobState::ended);
        QVERIFY(!jobs.state("lenet").code);
        QVERIFY(!calls("sacct").empty());
        program("sacct", "echo 'TIMEOUT|0:1'");
        (void)jobs.begin(order("other", "2"));
        QTRY_COMPARE(jobs.state("other").reason, std::string("TIMEOUT"));
    }

    void isCancelledByItsNumber() {
        Jobs jobs = hastyJobs();
        (void)jobs.begin(order("lenet", "1"));
        jobs.cancel("lenet");
        QCOMPARE(calls("scancel"), std::string("42\n"));
        QVERIFY(jobs.state("lenet").isCancelled);
        program("scancel", "echo 'scancel: error: Kill job error on job id 42: Invalid job id "
                           "specified' >&2; exit 1");
        jobs.cancel("lenet"); // it has ended meanwhile
        program("scancel", "echo 'scancel: error: Access/permission denied' >&2; exit 1");
        const std::string problem = refusalOf([&] { jobs.cancel("lenet"); }, ErrorCode::device);
        QVERIFY2(problem.find("permission denied") != std::string::npos, problem.c_str());
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
    QByteArray path_;
};

std::unique_ptr<QObject> makeTestSlurmQueue() { return std::make_unique<TestSlurmQueue>(); }
#include "tst_slurm_queue.moc"
