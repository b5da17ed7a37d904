// SPDX-License-Identifier: Apache-2.0
// How a proof treats near ties, and errors that are no larger than the effect of ties.
#include "planted.h"
#include "support/test_main.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/prove.h>

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

/// A net with ReLUs and a max pool, spread by data over such devices.
ProofRequest requestFor(const std::vector<std::string>& devices, int batch = 8) {
    const std::string design = R"({"weft": 1, "name": "small", "assign": "data",
 "data": {"source": {"kind": "random", "with": {"classes": 5, "count": 64, "shape": [3, 12, 12]}},
  "feeds": {"image": "images", "label": "labels"}, "batch": 8},
 "training": {"optimizer": {"kind": "sgd", "with": {"momentum": 0.9}}, "learning_rate": 0.01,
  "steps": 4},
 "layers": [
  {"id": 1, "name": "image", "kind": "input", "with": {"shape": [3, 12, 12]}},
  {"id": 2, "name": "conv1", "kind": "conv2d", "with": {"filters": 8, "kernel": 3, "padding": 1, "bias": false}},
  {"id": 3, "name": "norm1", "kind": "batch_norm"},
  {"id": 4, "name": "relu1", "kind": "relu"},
  {"id": 5, "name": "pool1", "kind": "max_pool2d", "with": {"kernel": 2, "stride": 2}},
  {"id": 6, "name": "conv2", "kind": "conv2d", "with": {"filters": 8, "kernel": 3, "padding": 1, "bias": false}},
  {"id": 7, "name": "norm2", "kind": "batch_norm"},
  {"id": 8, "name": "relu2", "kind": "relu"},
  {"id": 9, "name": "pool", "kind": "global_average_pool"},
  {"id": 10, "name": "fc", "kind": "dense", "with": {"units": 5}},
  {"id": 11, "name": "label", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 12, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["image.y -> conv1.x", "conv1.y -> norm1.x", "norm1.y -> relu1.x", "relu1.y -> pool1.x",
  "pool1.y -> conv2.x", "conv2.y -> norm2.x", "norm2.y -> relu2.x", "relu2.y -> pool.x",
  "pool.y -> fc.x", "fc.y -> loss.logits", "label.y -> loss.target"]})";
    ProofRequest request{.design = parseDesign(design, catalogue()).design, .devices = devices};
    request.design.data.batch = batch;
    request.steps = 2;
    return request;
}

const LayerProof& layerOf(const Proof& proof, const std::string& name) {
    return *std::ranges::find(proof.layers, name, &LayerProof::layer);
}

void scale(std::span<float> numbers, float by) {
    for (float& number : numbers) {
        number *= by;
    }
}

/// Noise of that share of the largest number: where two nearly tie, it makes the other win.
void shake(std::span<float> numbers, float share) {
    float largest = 0;
    for (const float number : numbers) {
        largest = std::max(largest, std::abs(number));
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        numbers[k] += ((k * 2654435761U >> 7U) % 2 == 0 ? share : -share) * largest;
    }
}

} // namespace

class TestChoices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdWhereNothingIsPlanted() {
        const Proof proof = prove(requestFor({"reference:0", "planted:1"}));
        QVERIFY2(proof.holds(), print(proof).c_str());
        QVERIFY(proof.isSpread);
        QCOMPARE(proof.mistaken(), 0);
        // Two steps: signs of two ReLUs and positions of a pool.
        QCOMPARE(proof.choices, 2 * 8 * (8 * 144 + 8 * 36 + 8 * 36));
    }

    void areNoAlarmWhereTheyNearlyTie() {
        const Planting planting(
            {.op = "conv2d",
             .change = [](const KernelRequest& request, const KernelArguments& arguments) {
                 shake(resultOf(request, arguments), 5e-5F);
             }});
        const Proof proof = prove(requestFor({"reference:0", "planted:1"}, 64));
        QVERIFY2(proof.holds(), print(proof).c_str());
        QVERIFY2(layerOf(proof, "relu1").flipped > 0, print(proof).c_str());
        QVERIFY2(layerOf(proof, "pool1").flipped > 0, print(proof).c_str());
        QCOMPARE(proof.mistaken(), 0);
        const std::string text = print(proof);
        QVERIFY2(text.find("nearly tied and flipped") != std::string::npos, text.c_str());
    }

    /// A ReLU that passes a clearly negative number is no tie, however small the number.
    void mustFollowFromTheirOwnNumbers() {
        const Planting planting(
            {.op = "relu",
             .change = [](const KernelRequest& request, const KernelArguments& arguments) {
                 shake(resultOf(request, arguments), 5e-5F);
             }});
        const Proof proof = prove(requestFor({"reference:0", "planted:1"}));
        QVERIFY2(!proof.holds(), print(proof).c_str());
        QVERIFY2(layerOf(proof, "relu1").mistaken > 0, print(proof).c_str());
    }

    void leaveMistakesToBeFound_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("layer");
        QTest::newRow("in a convolution") << "conv2d_dw"
                                          << "conv1";
        QTest::newRow("in a norm") << "batch_norm_dx"
                                   << "conv1";
    }
    void leaveMistakesToBeFound() {
        QFETCH(const QString, op);
        QFETCH(const QString, layer);
        const Planting planting(
            {.op = op.toStdString(),
             .change = [](const KernelRequest& request, const KernelArguments& arguments) {
                 scale(resultOf(request, arguments), 1.01F);
             }});
        const Proof proof = prove(requestFor({"reference:0", "planted:1"}));
        QVERIFY2(!proof.holds(), print(proof).c_str());
        QCOMPARE(proof.firstFailing(), layer.toStdString());
    }

    void leaveMistakesOfAPoolToBeFound() {
        // One position in thirty is that of a neighbour.
        const Planting planting(
            {.op = "max_pool2d",
             .change = [](const KernelRequest& request, const KernelArguments& arguments) {
                 auto* const positions = static_cast<std::uint8_t*>(arguments.outputs[1]);
                 for (std::int64_t k = 0; k < request.outputs[1].elements(); k += 30) {
                     positions[k] ^= 1;
                 }
             }});
        const Proof proof = prove(requestFor({"reference:0", "planted:1"}));
        QVERIFY2(!proof.holds(), print(proof).c_str());
        QVERIFY2(layerOf(proof, "pool1").mistaken > 0, print(proof).c_str());
        QVERIFY2(layerOf(proof, "pool1").output <= proof.tolerance, print(proof).c_str());
        const std::string text = print(proof);
        QVERIFY2(text.find("choices differ although the numbers are not nearly equal") !=
                     std::string::npos,
                 text.c_str());
    }

    void leaveMistakesOfAnExchangeToBeFound() {
        const auto provedWith = [](float factor) {
            const Planting planting(
                {.changeSum = [factor](std::span<float> sum) { scale(sum, factor); }});
            return prove(requestFor({"reference:0", "reference:1"}));
        };
        const Proof right = provedWith(1.0F);
        QVERIFY2(right.holds(), print(right).c_str());
        const Proof wrong = provedWith(1.005F);
        QVERIFY2(!wrong.holds(), print(wrong).c_str());
    }
};

std::unique_ptr<QObject> makeTestChoices() { return std::make_unique<TestChoices>(); }
#include "tst_choices.moc"
