// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "base/text/json.h"
#include "base/version.h"
#include "remote/agent/host_survey.h"
#include "remote/agent/nodes_answer.h"
#include "support/test_main.h"
#include <weft/error.h>
#include <weft/hosts.h>

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

namespace {

DeviceSheet strangeChip() {
    return {.name = "cuda:0",
            .backend = "cuda",
            .model = "a chip",
            .cores = 132,
            .memory = {80'000'000'001},
            .flopsPerSecond = 1e15 / 3,
            .tf32FlopsPerSecond = 1e16 / 7,
            .bf16FlopsPerSecond = 2e16 / 7,
            .bytesPerSecond = 3.35e12 + 0.1,
            .overhead = {1234},
            .efficiency = {{"linear", 0.1 + 0.2}, {"conv2d", 1.0 / 3}},
            .isPresent = true,
            .isMeasured = true,
            .measuredAt = 1'700'000'000,
            .streamSpread = {0.97, 1.0 + 1.0 / 7},
            .overheadSpread = {0.5, 2},
            .opSpread = {{"linear", {0.9, 1.1}}},
            .bus = LinkSheet{.name = "PCIe 5", .latency = {900}, .bytesPerSecond = 48e9 / 7},
            .peer = LinkSheet{.name = "NVLink 4", .isMeasured = true, .bytesSpread = {0.8, 1.2}},
            .threads = 270'336};
}

MachineReport strangeMachine() {
    MachineReport report{.machine = {.host = "node17", .devices = {strangeChip()}},
                         .cores = 64,
                         .memory = {512'000'000'000},
                         .features = {{"MPI", true, "MPI 3.1", ""},
                                      {"CUDA", false, "no driver is loaded", "install it"}},
                         .ratesFile = "/home/me/.cache/weft/rates.json"};
    report.machine.devices.push_back(
        {.name = "cpu:0", .backend = "cpu", .model = "b", .cores = 64});
    report.machine.betweenHosts.bytesPerSecond = 1e10 / 3;
    return report;
}

Json surveyOf(const MachineReport& report) {
    return {{"weft", std::string(weftVersion())},
            {"machine", parseJson(jsonOf(report), "a machine")},
            {"slurm", nullptr},
            {"folder", "/home/me/weft-runs"},
            {"free_bytes", 5'000'000'000}};
}

/// As that of a host whose jobs go to `gpu`, a node of which answered.
Json surveyWithNodes() {
    MachineReport node = strangeMachine();
    node.cores = 48;
    Json survey = surveyOf(strangeMachine());
    survey["slurm"] = {{"partitions", {{{"name", "gpu"}, {"nodes", 2}, {"cores", 64}}}},
                       {"nodes",
                        {{"partition", "gpu"},
                         {"asked", 1'795'651'200},
                         {"machine", parseJson(jsonOf(node), "a machine")}}}};
    return survey;
}

const Host surveyed{.name = "cluster", .via = "ssh cluster"};

Feature findingOf(const char* name, const Host& of, const HostReport& report) {
    const std::vector<Feature> all = hostFindings(of, report);
    const auto found = std::ranges::find(all, name, &Feature::name);
    return found == all.end() ? Feature{.name = "no finding"} : *found;
}

Host behindQueue() {
    Host host = surveyed;
    host.start = JobStart::slurm;
    host.partition = "gpu";
    return host;
}

bool hasPart(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class TestHostSurvey : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    QByteArray path_;

    /// A sinfo that does this comes first.
    void haveSinfo(const char* script) const {
        QFile file(folder_->filePath("sinfo"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n");
        file.write(script);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        qputenv("PATH", folder_->path().toUtf8() + ':' + path_);
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        path_ = qgetenv("PATH");
    }
    void cleanup() { qputenv("PATH", path_); }

    void aMachineComesOutExactly() {
        const MachineReport there = strangeMachine();
        const std::string line = jsonText(surveyOf(there));
        const HostReport report = hostReportFrom(parseJson(line, "a line"));
        QVERIFY(report.machine.machine == there.machine);
        QCOMPARE(report.machine.cores, there.cores);
        QCOMPARE(report.machine.memory.count, there.memory.count);
        QVERIFY(report.machine.features == there.features);
        QCOMPARE(report.machine.ratesFile, there.ratesFile);
        QCOMPARE(report.version, std::string(weftVersion()));
        QCOMPARE(report.folder, std::string("/home/me/weft-runs"));
        QCOMPARE(report.free.count, std::int64_t{5'000'000'000});
        QVERIFY(!report.hasSlurm);
    }

    void saysWhatThisHostHas() {
        const auto runs = folder_->filePath("not/there/yet").toStdString();
        const HostReport report = hostReportFrom(parseJson(jsonText(hostSurvey(runs)), "a line"));
        QVERIFY(report.machine.machine == thisMachine());
        QVERIFY(report.machine.features == surveyMachine().features);
        QCOMPARE(report.folder, runs);
        QVERIFY(report.free.count > 0);
    }

    void asksSlurmForItsPartitions() {
        haveSinfo("echo 'gpu*|up|4/3/1/8|64|512000+|gpu:h100:4(S:0-1)|1-00:00:00'\n"
                  "echo 'old|down|0/0/2/2|16+|64000|(null)|infinite'\necho nonsense\n");
        const HostReport report = hostReportFrom(hostSurvey("runs"));
        const std::vector<SlurmPartition> wanted{{.name = "gpu",
                                                  .isDefault = true,
                                                  .nodes = 8,
                                                  .idle = 3,
                                                  .cores = 64,
                                                  .memory = {512'000LL << 20},
                                                  .extras = "gpu:h100:4(S:0-1)",
                                                  .limit = "1-00:00:00"},
                                                 {.name = "old",
                                                  .isUp = false,
                                                  .nodes = 2,
                                                  .cores = 16,
                                                  .memory = {64'000LL << 20},
                                                  .limit = "infinite"}};
        QVERIFY(report.hasSlurm && report.slurmFault.empty());
        QVERIFY(report.partitions == wanted);
    }

    void aSlurmThatFailsIsItsOwnWords() {
        haveSinfo("echo first >&2; echo 'sinfo: error: no controller' >&2; exit 1\n");
        const HostReport report = hostReportFrom(hostSurvey("runs"));
        QVERIFY(report.hasSlurm && report.partitions.empty());
        QCOMPARE(report.slurmFault, std::string("sinfo: error: no controller"));
        const Feature finding = findingOf("Slurm", surveyed, report);
        QVERIFY(!finding.isFound && !finding.remedy.empty());
    }

    void linesThatAreNoneAreLeftOut() {
        for (const char* line : {"", "|", "a|up|1/2/3|1|1|x|y", "a|up|1/2/3/4|1|1|x",
                                 "a|up|1/2/3/4|1|1|x|y|z", "||||||", "\n\n"}) {
            QVERIFY2(partitionsIn(line).empty(), line);
        }
        const SlurmPartition one{.name = "a", .limit = "y"};
        QVERIFY(partitionsIn("a|up|-1/x//99999999999999999999|-4||(null)|y").front() == one);
    }

    void whatIsNoSurveyIsRefused_data() {
        QTest::addColumn<QString>("patch");
        const auto row = [](const char* name, const char* patch) {
            QTest::newRow(name) << QString(patch);
        };
        row("no machine", R"({"machine": null})");
        row("a text", R"({"machine": "a"})");
        row("a list", R"({"machine": []})");
        row("no devices", R"({"machine": {"devices": null}})");
        row("no links", R"({"machine": {"links": []}})");
        row("a device that is none", R"({"machine": {"devices": [1]}})");
        row("a name that is none", R"({"machine": {"host": 1}})");
    }
    void whatIsNoSurveyIsRefused() {
        QFETCH(const QString, patch);
        Json survey = surveyOf(strangeMachine());
        survey.merge_patch(Json::parse(patch.toStdString()));
        QVERIFY_THROWS_EXCEPTION(Error, (void)hostReportFrom(survey));
        QVERIFY_THROWS_EXCEPTION(Error, (void)hostReportFrom(Json::array({1})));
    }

    void whatNoDeviceHasIsRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* key, const char* value) {
            QTest::addRow("%s %s", key, value) << QString(key) << QString(value);
        };
        for (const char* cores : {"0", "-1", "9223372036854775807", "1.5e300", "\"8\""}) {
            row("cores", cores);
        }
        row("memory_bytes", "-1");
        row("flops_per_second", "-1e9");
        row("tf32_flops_per_second", "-1");
        row("bf16_flops_per_second", "-1");
        row("bytes_per_second", "-0.5");
        row("overhead_ns", "-1");
        row("threads", "-1");
        row("efficiency", R"({"linear": -1})");
        row("bus", R"({"name": "a", "latency_ns": -1, "bytes_per_second": 1, "measured": false})");
        row("peer", R"({"name": "a", "latency_ns": 1, "bytes_per_second": 0, "measured": false})");
    }
    void whatNoDeviceHasIsRefused() {
        QFETCH(const QString, key);
        QFETCH(const QString, value);
        Json survey = surveyOf(strangeMachine());
        survey["machine"]["devices"][0][key.toStdString()] = Json::parse(value.toStdString());
        QVERIFY_THROWS_EXCEPTION(Error, (void)hostReportFrom(survey));
    }

    void noTextOfItSteersATerminal() {
        const std::string evil = "\x1b[2J\x07" + std::string(5000, 'x');
        Json survey = surveyOf(strangeMachine());
        survey["weft"] = survey["folder"] = evil;
        survey["machine"]["host"] = evil;
        survey["machine"]["devices"][0]["model"] = evil;
        survey["machine"]["features"][0]["detail"] = evil;
        survey["machine"]["features"][1]["remedy"] = evil;
        survey["slurm"] = {{"fault", evil}, {"partitions", Json::array({{{"name", evil}}})}};
        const std::string shown = print(surveyed, hostReportFrom(survey));
        QVERIFY(!hasPart(shown, "\x1b") && !hasPart(shown, "\x07"));
        QVERIFY2(shown.size() < 5000, std::to_string(shown.size()).c_str());
    }

    void whatIsEndlessIsCutShort() {
        Json survey = surveyOf(strangeMachine());
        survey["machine"]["features"] = Json::array();
        survey["slurm"]["partitions"] = Json::array();
        for (int k = 0; k < 10'000; ++k) {
            survey["machine"]["features"].push_back({{"name", "a"}});
            survey["slurm"]["partitions"].push_back({{"name", "a"}, {"nodes", -k}});
        }
        const HostReport report = hostReportFrom(survey);
        QCOMPARE(report.machine.features.size(), std::size_t{256});
        QCOMPARE(report.partitions.size(), std::size_t{256});
        QCOMPARE(report.partitions.back().nodes, std::int64_t{0});
    }

    void everyMemberMayBeOfAnyKind() {
        const Json survey = surveyWithNodes();
        const Json members = survey.flatten();
        int refused = 0;
        for (const auto& member : members.items()) {
            for (const char* text : {"null", "true", "-1", "1e300", "\"a\"", "[]", "{}", "[[]]"}) {
                Json changed = survey;
                changed[Json::json_pointer(member.key())] = Json::parse(text);
                try {
                    (void)print(behindQueue(), hostReportFrom(changed));
                } catch (const Error& error) {
                    QCOMPARE(error.code(), ErrorCode::format);
                    ++refused;
                }
            }
        }
        QVERIFY(refused > 0);
    }

    void findingsNameWhatBringsWhatLacks() {
        HostReport report = hostReportFrom(surveyOf(strangeMachine()));
        report.roundTrip = Nanoseconds{42'000'000};
        QCOMPARE(findingOf("line", surveyed, report).detail, std::string("answers in 42.0 ms"));
        QVERIFY(findingOf("Weft", surveyed, report).isFound);
        QVERIFY(hasPart(findingOf("devices", surveyed, report).detail, "cuda:0 a chip"));
        QVERIFY(findingOf("folder", surveyed, report).isFound);
        QCOMPARE(findingOf("Slurm", surveyed, report).name, std::string("no finding"));
        QCOMPARE(findingOf("CUDA", surveyed, report).remedy, std::string("install it"));
        report.version = "0.0.1";
        report.free = {10'000'000};
        for (const char* name : {"Weft", "folder"}) {
            const Feature finding = findingOf(name, surveyed, report);
            QVERIFY2(!finding.isFound && !finding.remedy.empty(), name);
        }
        const std::string shown = print(surveyed, report);
        QVERIFY2(shown.starts_with("cluster: ssh cluster\n") && hasPart(shown, "lacks"),
                 shown.c_str());
    }

    void aClockIsAsFarOffAsItIsKnownToBe_data() {
        QTest::addColumn<qint64>("ahead");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isFound");
        const qint64 second = 1'000'000'000;
        QTest::newRow("within its error")
            << second / 100 << "as here, give or take 20.0 ms" << true;
        QTest::newRow("a little ahead")
            << second / 2 << "500 ms ahead of the clock of this machine, give or take 20.0 ms"
            << true;
        QTest::newRow("two hours behind")
            << -7200 * second << "2 h 00 min behind the clock of this machine, give or take 20.0 ms"
            << false;
    }
    void aClockIsAsFarOffAsItIsKnownToBe() {
        QFETCH(const qint64, ahead);
        QFETCH(const QString, text);
        QFETCH(const bool, isFound);
        HostReport report = hostReportFrom(surveyOf(strangeMachine()));
        report.clockAhead = Nanoseconds{ahead};
        report.clockError = {20'000'000};
        const Feature finding = findingOf("clock", surveyed, report);
        QCOMPARE(QString::fromStdString(finding.detail), text);
        QCOMPARE(finding.isFound, isFound);
        QCOMPARE(finding.remedy.empty(), isFound);
    }

    void aQueueIsPlannedForByItsPartition() {
        HostReport report = hostReportFrom(surveyOf(strangeMachine()));
        report.hasSlurm = true;
        report.partitions = {{.name = "cpu", .isDefault = true, .cores = 64, .memory = {1000}},
                             {.name = "gpu",
                              .cores = 32,
                              .memory = {2000},
                              .extras = "lustre:1,gpu:h100:4(S:0-1),gpu:unheard-of:2"}};
        Host by = surveyed;
        QCOMPARE(machineOfJobs(by, report).devices.size(), report.machine.machine.devices.size());
        QVERIFY(!machineOfJobs(by, report).devices.front().isPresent);
        by.start = JobStart::slurm;
        const MachineSheet cores = machineOfJobs(by, report);
        QCOMPARE(cores.devices.size(), std::size_t{1});
        QCOMPARE(cores.devices.front().cores, std::int64_t{64});
        by.partition = "gpu";
        const MachineSheet chips = machineOfJobs(by, report);
        QCOMPARE(chips.devices.size(), std::size_t{5});
        QCOMPARE(chips.devices.front().memory.count, std::int64_t{2000});
        QCOMPARE(chips.devices.back().name, std::string("cuda:3"));
        QVERIFY(hasPart(chips.devices.back().model, "H100"));
        by.partition = "none";
        QCOMPARE(machineOfJobs(by, report).host, report.machine.machine.host);
    }

    void aQueueIsPlannedForByANodeThatWasAsked() {
        HostReport report = hostReportFrom(surveyWithNodes());
        const Feature asked = findingOf("nodes", behindQueue(), report);
        QVERIFY2(asked.isFound &&
                     hasPart(asked.detail, "of gpu, queried on 2026-11-26: 48 cores") &&
                     hasPart(asked.detail, "a chip"),
                 asked.detail.c_str());
        const MachineSheet node = machineOfJobs(behindQueue(), report);
        QCOMPARE(node.host, std::string("gpu"));
        QCOMPARE(node.devices.front().flopsPerSecond, 1e15 / 3);
        QVERIFY(!node.devices.front().isPresent && !isByPublishedRates(behindQueue(), report));
        QVERIFY(node.betweenHosts == strangeMachine().machine.betweenHosts);
        // Nothing is known of another partition.
        report.nodes->partition = "cpu";
        const Feature other = findingOf("nodes", behindQueue(), report);
        QVERIFY(!other.isFound);
        QCOMPARE(other.remedy, std::string("weft host check cluster --nodes"));
        QVERIFY(isByPublishedRates(behindQueue(), report));
        QVERIFY(!isByPublishedRates(surveyed, report));
    }

    void whatNodesLeaveIsReadWithoutTrust() {
        for (const char* const patch :
             {R"({"machine": null})", R"({"machine": {"devices": [{"cores": -1}]}})",
              R"({"machine": 7})", R"({"fault": "is too large"})"}) {
            Json survey = surveyWithNodes();
            survey["slurm"]["nodes"].merge_patch(Json::parse(patch));
            const HostReport report = hostReportFrom(survey);
            const Feature finding = findingOf("nodes", behindQueue(), report);
            QVERIFY2(!finding.isFound && hasPart(finding.detail, "is invalid"), patch);
            QVERIFY2(isByPublishedRates(behindQueue(), report), patch);
        }
        const fs::path runs = folder_->path().toStdString();
        const fs::path file = nodesAnswerFile(runs, "gpu");
        QVERIFY(nodesSurvey(runs, "gpu").is_null());
        fs::create_directories(nodesFolder(runs));
        writeFileWhole(file, R"({"asked": 5, "machine": {}, "partition": "other"})");
        QVERIFY(nodesSurvey(runs, "gpu")["partition"] == "gpu");
        QVERIFY(nodesSurvey(runs, "../gpu").is_null());
        for (const std::string& hostile : {std::string("[1]"), std::string("{"),
                                           std::string(1U << 20U, ' '), std::string(1000, '[')}) {
            writeFileWhole(file, hostile);
            QVERIFY(!nodesSurvey(runs, "gpu")["fault"].get<std::string>().empty());
        }
        fs::remove(file);
        fs::create_symlink("/etc/passwd", file);
        QVERIFY(nodesSurvey(runs, "gpu").is_null());
        fs::remove_all(nodesFolder(runs));
        fs::create_directory_symlink("/etc", nodesFolder(runs));
        QVERIFY(nodesSurvey(runs, "passwd").is_null());
    }

    void aNodeIsAskedWhole() {
        const std::string script =
            nodesScript({.name = "gpu", .extras = "lustre:1,gpu:h100:4(S:0-1),gpu:a:2"}, "lab")
                .text;
        for (const char* const line : {"--exclusive\n", "--time=1\n", "--partition=gpu\n",
                                       "--account=lab\n", "--gres=gpu:h100:4,gpu:a:2\n"}) {
            QVERIFY2(hasPart(script, std::string("#SBATCH ") + line), line);
        }
        QVERIFY(!hasPart(nodesScript({.name = "cpu"}, {}).text, "--gres"));
        QVERIFY_THROWS_EXCEPTION(Error, (void)nodesScript({.name = "a\n#SBATCH --x"}, {}));
    }

    void jobsNeedWhatStartsThem() {
        HostReport report = hostReportFrom(surveyOf(strangeMachine()));
        Host by = surveyed;
        by.start = JobStart::slurm;
        QVERIFY(!findingOf("Slurm", by, report).isFound);
        report.hasSlurm = true;
        report.partitions = {{.name = "gpu", .isDefault = true}, {.name = "cpu", .isUp = false}};
        QVERIFY(findingOf("Slurm", by, report).isFound);
        by.partition = "cpu";
        QVERIFY(!findingOf("Slurm", by, report).isFound);
        by.partition = "tpu";
        const Feature none = findingOf("Slurm", by, report);
        QVERIFY2(!none.isFound && hasPart(none.remedy, "one of gpu, cpu"), none.remedy.c_str());
        by.start = JobStart::mpirun;
        QVERIFY(findingOf("jobs", by, report).isFound);
        report.machine.features.clear();
        QVERIFY(!findingOf("jobs", by, report).isFound);
    }
};

std::unique_ptr<QObject> makeTestHostSurvey() { return std::make_unique<TestHostSurvey>(); }
#include "tst_host_survey.moc"
