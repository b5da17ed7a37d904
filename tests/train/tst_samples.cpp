// SPDX-License-Identifier: Apache-2.0
// Every design in projects/ opens without a complaint, is in its canonical form, explains itself
// and trains; where its data is not there, it says so.
#include "sample.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/exchange.h>
#include <weft/measure.h>
#include <weft/preview.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

using namespace weft;
using namespace weft::test;

namespace {

void addSamples() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : sampleNames()) {
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
}

std::string textOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The same network with a batch that a test has time for.
Design shortened(Design design, std::int64_t steps) {
    const bool isLarge = std::ranges::any_of(design.network.layers, [](const Layer& layer) {
        return layer.attributes.has("shape") &&
               elementsOf(layer.attributes.integers("shape")) > 100'000;
    });
    design.data.batch = isLarge ? 4 : 8;
    design.training.steps = steps;
    design.training.epochs = 0;
    design.training.evaluateEvery = design.training.checkpointEvery = steps + 1;
    return design;
}

bool isPlannedAlone(const Design& design) {
    return std::ranges::any_of(
        design.devices, [](const DeviceDeclaration& device) { return !device.sheet.empty(); });
}

} // namespace

class TestSamples : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    [[nodiscard]] std::filesystem::path small() const { return folder_.path().toStdString(); }

private Q_SLOTS:
    void initTestCase() { writeSmallData(small()); }

    void areWhatTheMapPromises() {
        const std::vector<std::string> names = sampleNames();
        for (const char* wanted : {"quickstart-digits/design",
                                   "lenet-mnist/design",
                                   "cifar-quick/design",
                                   "alexnet-one-weird-trick/design",
                                   "resnet18-cifar/design",
                                   "two-tower-fusion/design",
                                   "tiny-gpt/design",
                                   "lca-dictionary/design",
                                   "gpt-on-four-gpus/design",
                                   "lca-movies/design",
                                   "lca-classify/design",
                                   "lca-natural/design",
                                   "mlp/bench",
                                   "googlenet/bench",
                                   "lenet-mnist/bench",
                                   "cifar-quick/bench",
                                   "alexnet-one-weird-trick/bench",
                                   "resnet18-cifar/bench",
                                   "two-tower-fusion/bench",
                                   "tiny-gpt/bench",
                                   "lca/bench"}) {
            QVERIFY2(std::ranges::find(names, wanted) != names.end(), wanted);
        }
    }

    void openWithoutAComplaint_data() { addSamples(); }
    void openWithoutAComplaint() {
        QFETCH(const QString, name);
        const std::filesystem::path file = sampleFile(name.toStdString());
        const LoadedDesign loaded = loadDesign(file, catalogue());
        for (const Diagnostic& problem : loaded.diagnostics) {
            QFAIL(toString(problem).c_str());
        }
        PreviewCache cache;
        const Preview shown = *preview(loaded.design, cache, {.wantsLegal = false});
        for (const Diagnostic& problem : shown.problems) {
            QFAIL(toString(problem).c_str());
        }
        QVERIFY(shown.isComplete);
        QVERIFY2(!loaded.design.note.empty() || name == "first/design", "says what it is");
        QVERIFY2(std::filesystem::exists(file.parent_path() / "README.md"), "says what to look at");
    }

    void standInTheirCanonicalForm_data() { addSamples(); }
    void standInTheirCanonicalForm() {
        QFETCH(const QString, name);
        const std::filesystem::path file = sampleFile(name.toStdString());
        if (name == "first/design") {
            QSKIP("first/design is written as by hand");
        }
        QCOMPARE(QString::fromStdString(toText(loadDesign(file, catalogue()).design)),
                 QString::fromStdString(textOf(file)));
    }

    void trainAFewSteps_data() { addSamples(); }
    void trainAFewSteps() {
        QFETCH(const QString, name);
        const Design design = shortened(sampleDesign(name.toStdString()), 3);
        if (isPlannedAlone(design)) {
            QSKIP("gpt-on-four-gpus is planned for devices of data sheets");
        }
        const SessionOutcome outcome = trained(name.toStdString(), design, {small()});
        QVERIFY2(outcome.state == SessionState::finished, outcome.message.c_str());
        QCOMPARE(outcome.steps, std::int64_t{3});
        QVERIFY2(std::isfinite(outcome.loss) && outcome.loss > 0,
                 std::to_string(outcome.loss).c_str());
    }

    /// Priced, and handed on with a word for each GPU, without one being here.
    void arePlannedForGpusThatAreNotHere() {
        const Design design = sampleDesign("gpt-on-four-gpus/design");
        PreviewCache cache;
        const Preview made =
            *preview(design, cache, {.wantsLegal = false, .until = PreviewPart::run});
        QCOMPARE(made.devices.size(), std::size_t{4});
        for (const DevicePreview& device : made.devices) {
            QVERIFY(!device.isPresent && !device.overflows());
            QVERIFY(device.run->takes.count > 0);
        }
        QVERIFY(made.step->time.count > 0);
        for (const CollectivePreview& one : made.collectives) {
            QCOMPARE(one.link, std::string("NVLink 4"));
        }
        ExportRequest asked;
        asked.design = design;
        asked.nodes = 2;
        asked.ranksPerNode = 2;
        const std::string job = exportedScript(asked, ExportTarget::slurm).text;
        QVERIFY(job.find("#SBATCH --gpus-per-node=2\n") != std::string::npos);
        const std::string pods = exportedScript(asked, ExportTarget::kubernetes).text;
        QVERIFY(pods.find("nvidia.com/gpu: 2\n") != std::string::npos);
    }

    void sayWhereTheirDataIsToBeHad_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("file");
        QTest::newRow("lenet") << "lenet-mnist/design"
                               << "train-images-idx3-ubyte";
        QTest::newRow("cifar") << "cifar-quick/design"
                               << "data_batch_1.bin";
        QTest::newRow("resnet18") << "resnet18-cifar/design"
                                  << "data_batch_1.bin";
        QTest::newRow("tiny-gpt") << "tiny-gpt/design"
                                  << "tinyshakespeare.txt";
    }
    void sayWhereTheirDataIsToBeHad() {
        QFETCH(const QString, name);
        QFETCH(const QString, file);
        const std::string known = name.toStdString();
        const SessionOutcome outcome = trained(known, sampleDesign(known), {});
        QCOMPARE(outcome.state, SessionState::failed);
        QCOMPARE(outcome.code, ErrorCode::file);
        const QString message = QString::fromStdString(outcome.message);
        QVERIFY2(message.contains(file), qPrintable(message));
        QVERIFY2(message.contains("https://"), qPrintable(message));
    }

    void areTimedStepByStep() {
        BenchRequest request{.design = shortened(sampleDesign("lenet-mnist/bench"), 1)};
        request.threads = 1;
        request.steps = 4;
        request.warmup = 2;
        request.batches = 2;
        request.record = small() / "record";
        const BenchResult result = bench(request);
        QCOMPARE(result.batch, std::int64_t{8});
        QCOMPARE(result.losses.size(), std::size_t{6});
        QCOMPARE(result.seconds.size(), std::size_t{4});
        QVERIFY(result.fastest > 0 && result.fastest <= result.median);
        QVERIFY(result.ops.size() > 10 && result.ops.front().median >= result.ops.back().median);
        // From what it recorded the same steps can be taken again.
        BenchRequest again = request;
        again.record.clear();
        again.weights = request.record / "weights.safetensors";
        again.design.training.seed = 77;
        QCOMPARE(bench(again).losses, result.losses);
        QVERIFY(std::filesystem::exists(request.record / "data.safetensors"));
        QVERIFY(QString::fromStdString(toJson(result, "1.2.3", true)).contains("\"conv2d_dw\""));
    }
};

std::unique_ptr<QObject> makeTestSamples() { return std::make_unique<TestSamples>(); }
#include "tst_samples.moc"
