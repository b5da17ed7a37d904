// SPDX-License-Identifier: Apache-2.0
// A design made ready for a host that is described alone.
#include "base/files/files.h"
#include "support/places.h"
#include "support/refusal.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/job_there.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

class TestJobThere : public QObject {
    Q_OBJECT

    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    /// So many cores and H100s, of which this machine need have none.
    static MachineSheet machineWith(int cores, int chips) {
        MachineSheet machine{.host = "cluster", .devices = {}};
        for (int k = 0; k < cores; ++k) {
            DeviceSheet core;
            core.name = "cpu:" + std::to_string(k);
            core.backend = "cpu";
            core.memory = {std::int64_t{8} << 30U};
            core.flopsPerSecond = 1e10;
            core.bytesPerSecond = 1e10;
            machine.devices.push_back(core);
        }
        const std::vector<DeviceSheet> published = dataSheets();
        for (int k = 0; k < chips; ++k) {
            DeviceSheet chip = *std::ranges::find(published, "h100", &DeviceSheet::name);
            chip.name = "cuda:" + std::to_string(k);
            machine.devices.push_back(chip);
        }
        for (DeviceSheet& sheet : machine.devices) {
            sheet.isPresent = false;
        }
        return machine;
    }
    static Design drawnDigits() {
        return loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft",
                          catalogue())
            .design;
    }
    [[nodiscard]] RemoteJobRequest request(MachineSheet machine,
                                           std::vector<std::string> devices = {"cpu:0"}) const {
        RemoteJobRequest made{.job = {.design = drawnDigits()},
                              .machine = std::move(machine),
                              .host = "cluster",
                              .folders = {here()}};
        made.job.devices = std::move(devices);
        return made;
    }
    static std::string refusalOf(const RemoteJobRequest& asked, ErrorCode code) {
        return test::refusalOf([&] { (void)jobThere(asked); }, code);
    }
    static QStringList namesOf(const RemoteJob& job) {
        QStringList names;
        for (const ExportedFile& file : job.files) {
            names << QString::fromStdString(file.name);
        }
        return names;
    }
    static double stepOf(const RemoteJob& job) {
        return static_cast<double>(job.preview->step->time.count);
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void isPlannedForTheDevicesOfThatHost() {
        const RemoteJob onCores = jobThere(request(machineWith(2, 0), {"cpu:0", "cpu:1"}));
        const RemoteJob onChips = jobThere(request(machineWith(2, 2), {"cuda:0", "cuda:1"}));
        QVERIFY(onCores.preview->step && onChips.preview->step);
        QVERIFY(stepOf(onCores) != stepOf(onChips));
        QVERIFY(onChips.preview->devices.front().model.find("H100") != std::string::npos);
        QVERIFY(onChips.remarks.empty());
        QVERIFY(onChips.sent.empty());
    }

    void whatTheHostLacksIsSaidBeforeAnythingElse() {
        const std::string refusal =
            refusalOf(request(machineWith(2, 1), {"cuda:0", "cuda:1"}), ErrorCode::device);
        QVERIFY2(refusal.find("has no cuda:1:") != std::string::npos, refusal.c_str());
        QVERIFY2(refusal.find("cpu:0, cpu:1, cuda:0") != std::string::npos, refusal.c_str());
        RemoteJobRequest ranks = request(machineWith(2, 0), {"cpu:0"});
        ranks.job.nodes = 2;
        QVERIFY(refusalOf(ranks, ErrorCode::usage).find("2 ranks for 1 devices") !=
                std::string::npos);
        RemoteJobRequest broken = request(machineWith(2, 0));
        broken.job.design.network.layers.back().kind = "nothing";
        QVERIFY(refusalOf(broken, ErrorCode::design).find("nothing") != std::string::npos);
    }

    void aNodeOfAQueueHasWhatTheHostHasNot() {
        RemoteJobRequest asked = request(machineWith(2, 0), {"cuda:0"});
        QVERIFY(refusalOf(asked, ErrorCode::device).find("cuda:0") != std::string::npos);
        asked.start = JobStart::slurm;
        QVERIFY(jobThere(asked).remarks.empty());
        const Host host{.name = "cluster", .start = JobStart::slurm};
        setTarget(asked, host,
                  {.partitions = {{.name = "gpu", .isDefault = true, .extras = "gpu:h100:1"}}});
        const std::vector<std::string> remarks = jobThere(asked).remarks;
        QVERIFY(remarks.front().find("nodes of gpu were not queried (weft host check cluster "
                                     "--nodes)") != std::string::npos);
    }

    void itsFilesAreThoseOfItsStart_data() {
        QTest::addColumn<int>("start");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QStringList>("files");
        const auto row = [](const char* name, JobStart start, int ranks, const QStringList& files) {
            QTest::newRow(name) << static_cast<int>(start) << ranks << files;
        };
        row("a process", JobStart::here, 1, {"design.weft", "run.sh"});
        row("ranks of the host", JobStart::here, 2, {"design.weft", "run.sh", "hostfile"});
        row("mpirun", JobStart::mpirun, 2, {"design.weft", "run.sh", "hostfile"});
        row("slurm", JobStart::slurm, 2, {"design.weft", "job.sbatch"});
    }
    void itsFilesAreThoseOfItsStart() {
        QFETCH(const int, start);
        QFETCH(const int, ranks);
        QFETCH(const QStringList, files);
        RemoteJobRequest asked = request(machineWith(2, 0), {"cpu:0", "cpu:1"});
        asked.start = static_cast<JobStart>(start);
        asked.job.ranksPerNode = ranks;
        const RemoteJob job = jobThere(asked);
        QCOMPARE(namesOf(job), files);
        QCOMPARE(job.files.front().text, toText(asked.job.design));
        QVERIFY(job.files[1].isExecutable);
    }

    void dataGoesOnTheUsersWordAlone() {
        RemoteJobRequest asked = request(machineWith(1, 0));
        asked.job.design =
            loadDesign(test::sourceFolder() / "projects/tiny-gpt/design.weft", catalogue()).design;
        QVERIFY(refusalOf(asked, ErrorCode::file).find("tinyshakespeare.txt") != std::string::npos);
        fs::create_directories(here() / "text");
        writeFileWhole(here() / "text/tinyshakespeare.txt", std::string(500'000, 'x'));
        const std::string refusal = refusalOf(asked, ErrorCode::usage);
        QVERIFY2(refusal.find("a file of 500 kB") != std::string::npos &&
                     refusal.find("--send-data") != std::string::npos,
                 refusal.c_str());
        asked.sendsData = true;
        const RemoteJob sent = jobThere(asked);
        QCOMPARE(sent.sent.size(), std::size_t{1});
        QCOMPARE(sent.sent.front().name, std::string("text/tinyshakespeare.txt"));
        QCOMPARE(sent.bytesSent().count, std::int64_t{500'000});
        // Where it lies there, it need not be here.
        fs::remove_all(here() / "text");
        asked.sendsData = false;
        asked.job.folder = "/data of ours";
        const RemoteJob there = jobThere(asked);
        QVERIFY(there.sent.empty());
        QVERIFY(there.files[1].text.find("'/data of ours'") != std::string::npos);
    }

    void weightsGoAlong() {
        RemoteJobRequest asked = request(machineWith(1, 0));
        asked.weights = here() / "best of mine.safetensors";
        QVERIFY(refusalOf(asked, ErrorCode::file).find("best of mine") != std::string::npos);
        writeFileWhole(asked.weights, "weights");
        const RemoteJob job = jobThere(asked);
        QCOMPARE(job.sent.size(), std::size_t{1});
        QCOMPARE(job.sent.front().path, asked.weights);
        QCOMPARE(job.bytesSent().count, std::int64_t{7});
        // The run that begins is told of them, not the one that goes on.
        const std::string& script = job.files[1].text;
        QCOMPARE(QString::fromStdString(script).count(
                     " --weights " + QString::fromStdString(job.sent.front().name)),
                 2);
        QVERIFY(script.find("resume \"$run\")") != std::string::npos);
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestJobThere() { return std::make_unique<TestJobThere>(); }
#include "tst_job_there.moc"
