// SPDX-License-Identifier: Apache-2.0
#include "exchange/quoting.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/exchange.h>

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

using namespace weft;

class TestExport : public QObject {
    Q_OBJECT

    static ExportRequest request() {
        ExportRequest request;
        request.design =
            loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", catalogue())
                .design;
        request.name = "Digits; rm -rf / #";
        request.folder = "/data of mine/it's here";
        request.nodes = 2;
        request.ranksPerNode = 3;
        request.settings = {"training.epochs=3", "name=$(touch broken)`touch broken`"};
        return request;
    }
    /// Returns the words that a shell parses from the text.
    static QByteArray saidBy(const QString& shell, const QStringList& arguments) {
        QProcess process;
        process.start(shell, arguments);
        process.waitForFinished();
        return process.exitCode() == 0 ? process.readAllStandardOutput() : "failed";
    }
    static const ExportedFile& fileNamed(const std::vector<ExportedFile>& files,
                                         const std::string& name) {
        return *std::ranges::find(files, name, &ExportedFile::name);
    }

private Q_SLOTS:
    void aWordStaysOneWord_data() {
        QTest::addColumn<QByteArray>("value");
        for (const char* value :
             {"plain", "", "two words", "it's", "$HOME `id` $(id)", "a;b|c&d", "back\\slash",
              "line\nline", "\"quoted\"", "-option", "*?[]", "~", "=x", "ümlaut", "!history"}) {
            QTest::newRow(value) << QByteArray(value);
        }
    }
    void aWordStaysOneWord() {
        QFETCH(QByteArray, value);
        const std::string word = shellWord(value.toStdString());
        QCOMPARE(saidBy("bash", {"-c", QString::fromStdString("printf %s " + word)}), value);
        QCOMPARE(
            saidBy("bash", {"-c", QString::fromStdString("x=(" + word + "); printf %s ${#x[@]}")}),
            QByteArray("1"));
    }

    void namesArePlain_data() {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("name");
        QTest::newRow("plain") << "lenet"
                               << "lenet";
        QTest::newRow("words") << "My LeNet, second"
                               << "my-lenet-second";
        QTest::newRow("dangerous") << "a\n#SBATCH --uid=0"
                                   << "a-sbatch-uid-0";
        QTest::newRow("number first") << "2 towers"
                                      << "weft-2-towers";
        QTest::newRow("nothing") << "***"
                                 << "weft";
        QTest::newRow("empty") << ""
                               << "weft";
    }
    void namesArePlain() {
        QFETCH(QString, value);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(lowerCaseName(value.toStdString())), name);
    }

    void whatADirectiveCannotSayIsRefused() {
        ExportRequest bad = request();
        bad.partition = "gpu\n#SBATCH --wrap=evil";
        QVERIFY_THROWS_EXCEPTION(Error, (void)exportedScript(bad, ExportTarget::slurm));
        bad.partition = "gpu";
        QVERIFY(exportedScript(bad, ExportTarget::slurm).text.find("--partition=gpu\n") !=
                std::string::npos);
        bad.nodes = 0;
        QVERIFY_THROWS_EXCEPTION(Error, (void)exportedScript(bad, ExportTarget::slurm));
        QVERIFY_THROWS_EXCEPTION(Error, (void)exportTargetNamed("cloud"));
    }

    void theFolderIsWhole() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("job").toStdString();
        const std::vector<ExportedFile> files = exportedFiles(request());
        writeExport(files, path);
        for (const char* name :
             {"design.weft", "run.sh", "hostfile", "job.sbatch", "mpijob.yaml", "README.md"}) {
            QVERIFY2(std::filesystem::exists(path / name), name);
        }
        QVERIFY(loadDesign(path / "design.weft", catalogue()).design == request().design);
        for (const char* script : {"run.sh", "job.sbatch"}) {
            const QString file = QString::fromStdString((path / script).string());
            QCOMPARE(saidBy("bash", {"-n", file}), QByteArray());
            QVERIFY(QFileInfo(file).isExecutable());
        }
        writeExport(files, path); // an earlier export may be written over
        std::ofstream(folder.filePath("other").toStdString()) << "x";
        QVERIFY_THROWS_EXCEPTION(Error, writeExport(files, folder.path().toStdString()));
    }

    void aScriptDoesNothingButStartWeft() {
        const QTemporaryDir folder;
        for (const char* variable : {"WEFT_DATA", "WEFT_RUN"}) {
            qunsetenv(variable); // it would be what the script takes
        }
        ExportRequest asked = request();
        asked.program = "/bin/echo";
        writeExport(exportedFiles(asked), folder.filePath("job").toStdString());
        const QByteArray said = saidBy(folder.filePath("job/run.sh"), {});
        QVERIFY2(said.contains("run design.weft --runs runs --data /data of mine/it's here"),
                 said.constData());
        QVERIFY2(said.contains("--set name=$(touch broken)`touch broken`"), said.constData());
        QVERIFY2(said.contains("--ranks 6 --hosts hostfile"), said.constData());
        QVERIFY(!QFile::exists(folder.filePath("job/broken")));
        QVERIFY(saidBy(folder.filePath("job/run.sh"), {"runs/one"}).startsWith("resume runs/one"));
    }

    /// Whoever starts it elsewhere says which folder is the run's: the job goes on where the run
    /// has saved, else begins it. What a killed writer left beside is no checkpoint.
    void theRunCanBeNamed_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<int>("nodes");
        QTest::newRow("machine") << "run.sh" << 1;
        QTest::newRow("mpirun") << "run.sh" << 2;
        QTest::newRow("slurm") << "job.sbatch" << 2;
    }
    void theRunCanBeNamed() {
        QFETCH(const QString, script);
        QFETCH(const int, nodes);
        const QTemporaryDir folder;
        ExportRequest asked = request();
        asked.program = "/bin/echo";
        asked.nodes = nodes;
        asked.ranksPerNode = 1;
        writeExport(exportedFiles(asked), folder.filePath("job").toStdString());
        const QString run = folder.filePath("runs [of] mine/one's");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("WEFT_RUN", run);
        environment.insert("SLURM_JOB_ID", "7");
        const auto said = [&] {
            QProcess process;
            process.setProcessEnvironment(environment);
            process.setWorkingDirectory(folder.filePath("job"));
            process.start("bash", {script});
            process.waitForFinished();
            return process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput())
                                           : "failed";
        };
        QVERIFY2(said().startsWith("run design.weft --run " + run + " --data "),
                 qPrintable(said()));
        QVERIFY(QDir().mkpath(run + "/checkpoints"));
        std::ofstream((run + "/checkpoints/.step-2.safetensors.9-1.part").toStdString()) << "x";
        QVERIFY2(said().startsWith("run design.weft --run " + run), qPrintable(said()));
        std::ofstream((run + "/checkpoints/step-1.safetensors").toStdString()) << "x";
        QVERIFY2(said().startsWith("resume " + run + " --data "), qPrintable(said()));
    }

    void theBatchScriptAsksForWhatWasAsked() {
        const std::string text = exportedScript(request(), ExportTarget::slurm).text;
        for (const char* line : {"#SBATCH --job-name=digits-rm-rf\n", "#SBATCH --nodes=2\n",
                                 "#SBATCH --ntasks-per-node=3\n", "#SBATCH --time=01:00:00\n",
                                 "#SBATCH --signal=B:USR1@120\n"}) {
            QVERIFY2(text.find(line) != std::string::npos, line);
        }
    }

    void theMpiJobHoldsTheDesign() {
        const std::string text = exportedScript(request(), ExportTarget::kubernetes).text;
        QVERIFY(text.find("kind: MPIJob") != std::string::npos);
        QVERIFY(text.find("slotsPerWorker: 3") != std::string::npos);
        QVERIFY(text.find(R"("-np", "6")") != std::string::npos);
        QVERIFY(text.find("replicas: 2") != std::string::npos);
        // The design is one line, in quotes: nothing of it is read as YAML.
        const std::size_t at = text.find("  design.weft: \"");
        QVERIFY(at != std::string::npos);
        const std::string line = text.substr(at, text.find('\n', at) - at);
        QVERIFY(line.back() == '"');
        if (saidBy("python3", {"-c", "import yaml"}) == "failed") {
            return;
        }
        QProcess python;
        python.start("python3", {"-c", "import sys, yaml; d = list(yaml.safe_load_all(sys.stdin)); "
                                       "sys.stdout.write(d[0]['data']['design.weft'])"});
        python.write(QByteArray::fromStdString(text));
        python.closeWriteChannel();
        python.waitForFinished();
        QCOMPARE(python.readAllStandardOutput().toStdString(), toText(request().design));
    }

    void everyWayAsksForDevicesThatNotEveryMachineHas() {
        ExportRequest asked = request();
        const auto asks = [&](ExportTarget target) {
            return exportedScript(asked, target).text.find("devices --need cuda:0,cuda:1") !=
                   std::string::npos;
        };
        for (const bool hasGpus : {false, true}) {
            asked.devices = hasGpus ? std::vector<std::string>{"cuda:0", "cuda:1"}
                                    : std::vector<std::string>{"cpu:0", "cpu:1"};
            for (const ExportTarget target : {ExportTarget::machine, ExportTarget::mpirun,
                                              ExportTarget::slurm, ExportTarget::kubernetes}) {
                QCOMPARE(asks(target), hasGpus);
            }
        }
        // Before the run, on the same ranks, and its end is the end.
        const std::string job = exportedScript(asked, ExportTarget::kubernetes).text;
        QVERIFY(job.find("[\"sh\", \"-c\", \"mpirun -np 6 ") != std::string::npos);
        QVERIFY(job.find(" weft devices --need cuda:0,cuda:1 && exec mpirun -np 6 ") !=
                std::string::npos);
    }

    /// Workers of one chip are one; of nodes that differ the one with most counts.
    void asksForTheGpusThatItsDevicesAreOn_data() {
        QTest::addColumn<QStringList>("devices");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("ranksPerNode");
        QTest::addColumn<int>("gpus");
        const QStringList four{"cuda:0", "cuda:1", "cuda:2", "cuda:3"};
        QTest::newRow("one rank") << four << 1 << 1 << 4;
        QTest::newRow("a rank each") << four << 1 << 4 << 4;
        QTest::newRow("two nodes") << four << 2 << 2 << 2;
        QTest::newRow("workers") << QStringList{"cuda:0/0", "cuda:0/1", "cuda:1"} << 1 << 1 << 2;
        QTest::newRow("beside cores") << QStringList{"cpu:0", "cuda:0"} << 1 << 1 << 1;
        QTest::newRow("on one node alone") << QStringList{"cpu:0", "cuda:0"} << 2 << 1 << 1;
        QTest::newRow("cores") << QStringList{"cpu:0", "cpu:1"} << 1 << 1 << 0;
    }
    void asksForTheGpusThatItsDevicesAreOn() {
        QFETCH(const QStringList, devices);
        QFETCH(const int, nodes);
        QFETCH(const int, ranksPerNode);
        QFETCH(const int, gpus);
        ExportRequest asked = request();
        asked.nodes = nodes;
        asked.ranksPerNode = ranksPerNode;
        for (const QString& device : devices) {
            asked.devices.push_back(device.toStdString());
        }
        const std::string number = std::to_string(gpus) + "\n";
        const std::string job = exportedScript(asked, ExportTarget::slurm).text;
        const std::string pods = exportedScript(asked, ExportTarget::kubernetes).text;
        const bool asks = gpus > 0;
        QCOMPARE(job.find("#SBATCH --gpus-per-node=" + number) != std::string::npos, asks);
        QCOMPARE(job.find("--gpus-per-node") != std::string::npos, asks);
        QCOMPARE(pods.find("nvidia.com/gpu: " + number) != std::string::npos, asks);
        QCOMPARE(pods.find("nvidia.com/gpu") != std::string::npos, asks);
        // The design's own devices, where none are named.
        ExportRequest own = asked;
        own.devices.clear();
        for (const std::string& device : asked.devices) {
            own.design.devices.push_back({.name = device});
        }
        QCOMPARE(gpusOfNode(own), gpus);
        own.gpusPerNode = 7;
        QCOMPARE(gpusOfNode(own), 7);
    }

    void whatWillNotWorkIsSaid() {
        ExportRequest asked = request();
        const auto remarks = exportRemarks(asked);
        QVERIFY(!remarks.empty());
        QVERIFY(remarks.front().find("6 ranks") != std::string::npos);
        asked.nodes = 1;
        asked.ranksPerNode = 1;
        QVERIFY(exportRemarks(asked).empty());
        asked.devices = {"hip:0"};
        QCOMPARE(exportRemarks(asked).size(), std::size_t{1});
        QVERIFY(exportRemarks(asked).front().find("no backend for hip:0") != std::string::npos);
        asked.devices = {"cuda:0", "cuda:1"};
        asked.gpusPerNode = 1;
        QVERIFY(exportRemarks(asked).back().starts_with("The devices of a node are on 2 GPUs"));
    }

    /// Each node counts from its own first, and no node from another than 0.
    void chipsThatAJobWouldNotFindAreSaid_data() {
        QTest::addColumn<QStringList>("devices");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<QString>("says");
        QTest::newRow("as they come")
            << QStringList{"cuda:0", "cuda:1/0", "cuda:1/1"} << 1 << 0 << "";
        QTest::newRow("with a gap") << QStringList{"cuda:1", "cuda:3"} << 1 << 0
                                    << "number the 2 GPUs of a node for this job from 0: cuda:3 "
                                       "would not be found. Name the devices from cuda:0 on, or "
                                       "request 4 GPUs per node.";
        QTest::newRow("enough of them") << QStringList{"cuda:1", "cuda:3"} << 1 << 4 << "";
        QTest::newRow("through two nodes")
            << QStringList{"cuda:0", "cuda:1", "cuda:2", "cuda:3"} << 2 << 0 << "";
        QTest::newRow("two nodes, from 1")
            << QStringList{"cuda:1", "cuda:2"} << 2 << 0
            << "number the GPU of a node for this job from 0: cuda:1, cuda:2 would not be found";
    }
    void chipsThatAJobWouldNotFindAreSaid() {
        QFETCH(const QStringList, devices);
        QFETCH(const int, nodes);
        QFETCH(const int, gpus);
        QFETCH(const QString, says);
        ExportRequest asked = request();
        asked.nodes = nodes;
        asked.ranksPerNode = 1;
        asked.gpusPerNode = gpus;
        for (const QString& device : devices) {
            asked.devices.push_back(device.toStdString());
        }
        QStringList said;
        for (const std::string& remark : exportRemarks(asked)) {
            said << QString::fromStdString(remark);
        }
        said = said.filter("would not be found");
        QCOMPARE(said.size(), says.isEmpty() ? 0 : 1);
        QVERIFY2(said.join("").contains(says), qPrintable(said.join("")));
    }
};

std::unique_ptr<QObject> makeTestExport() { return std::make_unique<TestExport>(); }
#include "tst_export.moc"
