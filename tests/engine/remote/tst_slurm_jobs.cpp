// SPDX-License-Identifier: Apache-2.0
// Jobs of a real Slurm, on the loopback.
#include "base/files/files.h"
#include "remote/agent/nodes_answer.h"
#include "remote/jobs/jobs.h"
#include "support/own_slurm.h"
#include "support/places.h"
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

class TestSlurmJobs : public QObject {
    Q_OBJECT

    static constexpr int patience = 60'000;

    [[nodiscard]] fs::path runs() const { return folder_->path().toStdString() + "/runs"; }
    [[nodiscard]] fs::path job(const std::string& run) const { return runs() / ".jobs" / run; }
    [[nodiscard]] std::string said(const std::string& run) const {
        return fs::exists(job(run) / "output.txt") ? readFile(job(run) / "output.txt", 1U << 20U)
                                                   : std::string();
    }
    static JobOrder order(const std::string& run, const std::string& script,
                          const std::string& directives = {}) {
        return {.run = run,
                .key = "key of " + run,
                .start = JobStart::slurm,
                .files = {{"job.sbatch",
                           "#!/bin/bash\n#SBATCH --job-name=small\n#SBATCH --open-mode=append\n"
                           "#SBATCH --requeue\n#SBATCH --exclusive\n" +
                               directives + script,
                           true}}};
    }
    /// Says so once it has begun and ends when the file `end` appears in its folder.
    static std::string patient() {
        return "trap 'echo saved; exit 7' TERM\necho begun $SLURM_RESTART_COUNT\n"
               "while [ ! -e end ]; do sleep 0.1; done\n";
    }
    void letEnd(const std::string& run) const { writeFileWhole(job(run) / "end", ""); }
    void expectState(Jobs& jobs, const std::string& run, JobState state) {
        QTRY_VERIFY2_WITH_TIMEOUT(jobs.state(run).state == state, jobs.state(run).reason.c_str(),
                                  patience);
    }

private Q_SLOTS:
    void initTestCase() {
        slurm_ = std::make_unique<OwnSlurm>();
        if (!slurm_->fault().isEmpty()) {
            QSKIP(qPrintable(slurm_->fault()));
        }
        qputenv("SLURM_CONF", QFile::encodeName(slurm_->settings()));
    }
    void cleanupTestCase() { slurm_.reset(); }
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aJobGoesThroughTheQueue() {
        Jobs jobs(runs());
        (void)jobs.begin(order("lenet", "echo \"$WEFT_RUN\"\npwd\n" + patient() + "exit 3\n"));
        expectState(jobs, "lenet", JobState::begun);
        Jobs later(runs()); // whoever comes back
        expectState(later, "lenet", JobState::begun);
        QCOMPARE(later.begin(order("lenet", "")), std::string("lenet"));
        QCOMPARE(slurm_->ask("squeue", {"-h", "-o", "%i"}, {}),
                 QString::fromStdString(jobs.state("lenet").number));
        letEnd("lenet");
        expectState(jobs, "lenet", JobState::ended);
        QCOMPARE(jobs.state("lenet").code.value(), 3);
        QCOMPARE(jobs.state("lenet").reason, std::string("FAILED"));
        QCOMPARE(jobs.state("lenet").output,
                 (runs() / "lenet").string() + "\n" + job("lenet").string() + "\nbegun\n");
        jobs.cancel("lenet");
        QVERIFY(!jobs.state("lenet").isCancelled);
        // Its notes say it too, without Slurm.
        QVERIFY(Jobs(runs()).state("lenet") == jobs.state("lenet"));
    }

    void aNodeIsAskedWhatItHas() {
        fs::create_directories(nodesFolder(runs()) / "test");
        Jobs jobs(nodesFolder(runs()), weftProgram());
        (void)jobs.begin({.run = "test",
                          .key = "1",
                          .start = JobStart::slurm,
                          .resumesRun = true,
                          .files = {nodesScript({.name = "test"}, {})}});
        expectState(jobs, "test", JobState::ended);
        QVERIFY2(jobs.state("test").code == 0, jobs.state("test").output.c_str());
        const Json answer = nodesSurvey(runs(), "test");
        QVERIFY(std::abs(answer["asked"].get<std::int64_t>() - std::time(nullptr)) < 300);
        QCOMPARE(answer["machine"]["cores"].get<std::int64_t>(), surveyMachine().cores);
        QVERIFY(!answer["machine"]["devices"].empty());
    }

    void oneThatWaitsHasAPlaceAndAReason() {
        Jobs jobs(runs());
        (void)jobs.begin(order("first", patient()));
        expectState(jobs, "first", JobState::begun);
        (void)jobs.begin(order("second", patient(), "#SBATCH --time=2\n"));
        (void)jobs.begin(order("third", patient(), "#SBATCH --time=2\n"));
        QTRY_COMPARE_WITH_TIMEOUT(jobs.state("second").place, std::int64_t{1}, patience);
        QTRY_COMPARE_WITH_TIMEOUT(jobs.state("third").place, std::int64_t{2}, patience);
        QVERIFY(jobs.state("third").state == JobState::waiting);
        QTRY_COMPARE_WITH_TIMEOUT(jobs.state("second").reason, std::string("Resources"), patience);
        // Before it has begun.
        jobs.cancel("second");
        expectState(jobs, "second", JobState::ended);
        QVERIFY(jobs.state("second").isCancelled);
        QCOMPARE(jobs.state("second").reason, std::string("CANCELLED"));
        QVERIFY(said("second").empty());
        // While it runs.
        QTRY_COMPARE_WITH_TIMEOUT(said("first"), std::string("begun\n"), patience);
        jobs.cancel("first");
        expectState(jobs, "first", JobState::ended);
        QVERIFY(jobs.state("first").output.find("saved\n") != std::string::npos);
        QVERIFY(jobs.state("first").isCancelled);
        expectState(jobs, "third", JobState::begun);
        letEnd("third");
        expectState(jobs, "third", JobState::ended);
        QCOMPARE(jobs.state("third").code.value(), 0);
    }

    void oneThatIsPutBackIsTheSameJob() {
        Jobs jobs(runs());
        (void)jobs.begin(order("lenet", patient()));
        expectState(jobs, "lenet", JobState::begun);
        QTRY_COMPARE_WITH_TIMEOUT(said("lenet"), std::string("begun\n"), patience);
        const std::string number = jobs.state("lenet").number;
        const QString of = QString::fromStdString(number);
        (void)slurm_->ask("scontrol", {"requeue", of}, {});
        expectState(jobs, "lenet", JobState::waiting);
        QVERIFY(!jobs.state("lenet").isCancelled);
        QTRY_VERIFY_WITH_TIMEOUT(jobs.state("lenet").expected > std::time(nullptr), patience);
        // It would wait for two minutes; told not to, it begins when Slurm has put it back.
        const auto hasBegunAgain = [&] {
            (void)slurm_->ask("scontrol", {"update", "JobId=" + of, "StartTime=now"}, {});
            return said("lenet").ends_with("begun 1\n");
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasBegunAgain(), patience);
        expectState(jobs, "lenet", JobState::begun);
        QCOMPARE(jobs.state("lenet").number, number);
        letEnd("lenet");
        expectState(jobs, "lenet", JobState::ended);
        QCOMPARE(jobs.state("lenet").code.value(), 0);
    }

    void whatIsRefusedIsSaidInSlurmsWords() {
        Jobs jobs(runs());
        try {
            (void)jobs.begin(order("lenet", "", "#SBATCH --partition=gpu\n"));
            QFAIL("it was taken");
        } catch (const Error& error) {
            QVERIFY2(error.problem().find("partition") != std::string::npos, error.what());
        }
        QVERIFY(jobs.state("lenet").state == JobState::none);
    }

private:
    std::unique_ptr<OwnSlurm> slurm_;
    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestSlurmJobs() { return std::make_unique<TestSlurmJobs>(); }
#include "tst_slurm_jobs.moc"
