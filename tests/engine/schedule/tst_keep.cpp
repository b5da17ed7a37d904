// SPDX-License-Identifier: Apache-2.0
// A parameter, its gradient and its optimizer state are kept in one format, chosen by the kernels
// that compute with them, and nobody sees it from outside.
#include "networks.h"
#include "support/trained.h"

#include <QTest>
#include <algorithm>
#include <iterator>

using namespace weft;
using namespace weft::test;

namespace {

std::string formatOf(const SmallNetwork& net, const Trained& trained, const std::string& slot) {
    return trained.formats.at(net.graph().slotNamed(slot).value);
}

} // namespace

class TestKeep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const auto net = convolutionNetwork();
        if (formatOf(*net, trainOn("cpu", *net), "conv2.weight").empty()) {
            QSKIP("this build or processor has no convolution that wishes another format");
        }
    }

    void keepsAParameterAndItsStateInOneFormat() {
        const auto net = convolutionNetwork();
        const Trained trained = trainOn("cpu", *net);
        for (const std::string name : {"conv1.weight", "conv2.weight"}) {
            QVERIFY(!formatOf(*net, trained, name).empty());
            QCOMPARE(formatOf(*net, trained, name + "/momentum"), formatOf(*net, trained, name));
        }
        QVERIFY(formatOf(*net, trained, "dense.weight").empty());
        QVERIFY(formatOf(*net, trained, "dense.bias").empty());
    }

    void trainsToTheSameNumbersAsPlainOnes() {
        const auto net = convolutionNetwork();
        std::string where;
        const double difference =
            largestDifference(trainOn("reference", *net), trainOn("cpu", *net), where);
        QVERIFY2(difference < 2e-4, (where + " " + std::to_string(difference)).c_str());
    }

    void sumsGradientsOfSeveralDevicesInTheirFormat() {
        const auto net = convolutionNetwork();
        const Trained one = trainOn("reference", *net);
        const Trained many = trainOn("cpu", *net, 3);
        QVERIFY(!formatOf(*net, many, "conv2.weight").empty());
        std::string where;
        QVERIFY(largestDifference(one, many, where) < 2e-4);
    }

    void reordersNothingThatLivesAcrossSteps() {
        const auto net = convolutionNetwork();
        for (const std::size_t devices : {1U, 2U}) {
            const Trained trained = trainOn("cpu", *net, devices);
            std::vector<std::string> reorders;
            std::ranges::copy_if(trained.steps, std::back_inserter(reorders),
                                 [](const std::string& name) { return name.ends_with("reorder"); });
            // The pictures come as they are; weights, gradients and state are never touched.
            QCOMPARE(reorders, std::vector<std::string>{"x: reorder"});
        }
    }

    void keepsPlainWhatIsCutIntoBlocks() {
        const auto net = convolutionNetwork();
        const Trained trained = trainOn("cpu", *net, 2, "model.add");
        std::string where;
        QVERIFY(largestDifference(trainOn("reference", *net), trained, where) < 2e-4);
    }
};

std::unique_ptr<QObject> makeTestKeep() { return std::make_unique<TestKeep>(); }
#include "tst_keep.moc"
