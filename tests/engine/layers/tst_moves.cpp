// SPDX-License-Identifier: Apache-2.0
// Layers that rearrange elements, with numbers as numpy and PyTorch compute them.
#include "engine/layers/layer_run.h"
#include "support/test_main.h"

#include <QTest>
#include <numeric>

using namespace weft;
using namespace weft::test;

namespace {

using List = std::vector<std::int64_t>;

/// 0, 1, 2, ... in that shape.
Tensor counted(const Shape& shape) {
    std::vector<double> numbers(static_cast<std::size_t>(elementsOf(shape)));
    std::iota(numbers.begin(), numbers.end(), 0.0);
    return tensor(shape, numbers);
}

void compare(const Tensor& found, const Shape& shape, const std::vector<double>& expected) {
    QCOMPARE(toString(found.shape), toString(shape));
    for (std::size_t k = 0; k < expected.size(); ++k) {
        QCOMPARE(found.at(static_cast<std::int64_t>(k)), expected[k]);
    }
}

} // namespace

class TestMoves : public QObject {
    Q_OBJECT

    static void expect(const char* kind, const Attributes& attributes, const Tensor& x,
                       const Shape& shape, const std::vector<double>& expected) {
        LayerRun run(kind, attributes, {x});
        QCOMPARE(QString::fromStdString(run.refusals().empty() ? "" : run.refusals().front()),
                 QString());
        compare(run.output(), shape, expected);
    }

    static void expectRefusal(const char* kind, const Attributes& attributes, const Tensor& x,
                              const char* part) {
        const LayerRun run(kind, attributes, {x});
        QVERIFY(!run.refusals().empty());
        QVERIFY2(QString::fromStdString(run.refusals().front()).contains(part),
                 run.refusals().front().c_str());
    }

private Q_SLOTS:
    void reshapeKeepsTheOrder() {
        expect("reshape", {{"shape", List{2, -1}}}, counted({2, 3, 2}), {2, 2, 3},
               {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
        expect("reshape", {{"shape", List{}}}, counted({3, 1}), {3}, {0, 1, 2});
        expectRefusal("reshape", {{"shape", List{4, -1}}}, counted({2, 6}), "6 elements");
        expectRefusal("reshape", {{"shape", List{-1, -1}}}, counted({2, 6}), "6 elements");
    }

    void squeezeAndUnsqueezeChangeDimsOfSizeOne() {
        expect("squeeze", {}, counted({2, 1, 3, 1}), {2, 3}, {0, 1, 2, 3, 4, 5});
        expect("squeeze", {{"dims", List{-1}}}, counted({2, 1, 3, 1}), {2, 1, 3}, {});
        expectRefusal("squeeze", {{"dims", List{2}}}, counted({2, 1, 3}), "has size 3");
        expectRefusal("squeeze", {{"dims", List{0}}}, counted({1, 3}), "the batch");
        expect("unsqueeze", {{"dims", List{1, -1}}}, counted({2, 3}), {2, 1, 3, 1}, {});
        expectRefusal("unsqueeze", {{"dims", List{4}}}, counted({2, 3}), "does not have dims");
    }

    void transposePermutesDims() {
        expect("transpose", {}, counted({1, 2, 3}), {1, 3, 2}, {0, 3, 1, 4, 2, 5});
        expect("transpose", {{"order", List{3, 1, 2}}}, counted({1, 2, 1, 3}), {1, 3, 2, 1},
               {0, 3, 1, 4, 2, 5});
        expectRefusal("transpose", {{"order", List{1}}}, counted({2, 2, 3}), "2 dims");
        expectRefusal("transpose", {{"order", List{1, 1}}}, counted({2, 2, 3}), "each once");
    }

    void sliceTakesPositionsInSteps() {
        const Tensor x = counted({1, 6});
        expect("slice", {{"starts", List{1}}, {"stops", List{-1}}}, x, {1, 4}, {1, 2, 3, 4});
        expect("slice", {{"steps", List{4}}}, x, {1, 2}, {0, 4});
        expect("slice", {{"starts", List{-1}}, {"stops", List{-7}}, {"steps", List{-2}}}, x, {1, 3},
               {5, 3, 1});
        expect("slice", {{"starts", List{4}}, {"stops", List{1}}, {"steps", List{-1}}}, x, {1, 3},
               {4, 3, 2});
        expect("slice", {{"dims", List{1, 2}}, {"starts", List{1, 0}}, {"stops", List{9, 2}}},
               counted({1, 3, 3}), {1, 2, 2}, {3, 4, 6, 7});
        expectRefusal("slice", {{"starts", List{3}}, {"stops", List{3}}}, x, "no position");
        expectRefusal("slice", {{"steps", List{0}}}, x, "no position");
    }

    void splitGivesEveryPart() {
        LayerRun run("split", {{"sizes", List{1, -1, 2}}, {"dim", std::int64_t{-1}}},
                     {counted({1, 2, 5})});
        compare(run.output("y0"), {1, 2, 1}, {0, 5});
        compare(run.output("y1"), {1, 2, 2}, {1, 2, 6, 7});
        compare(run.output("y2"), {1, 2, 2}, {3, 4, 8, 9});
        expectRefusal("split", {{"sizes", List{2, 2}}}, counted({1, 5}), "5 positions");
        expectRefusal("split", {{"sizes", List{-1, -1}}}, counted({1, 5}), "5 positions");
    }

    void padAddsNumbersOrPositions() {
        const Tensor x = counted({1, 4});
        const auto by = [](const char* mode, std::int64_t before, std::int64_t after) {
            return Attributes{{"mode", std::string(mode)},
                              {"before", List{before}},
                              {"after", List{after}},
                              {"value", 7.0}};
        };
        expect("pad", by("constant", 2, 1), x, {1, 7}, {7, 7, 0, 1, 2, 3, 7});
        expect("pad", by("constant", -1, 1), x, {1, 4}, {1, 2, 3, 7});
        expect("pad", by("reflect", 3, 2), x, {1, 9}, {3, 2, 1, 0, 1, 2, 3, 2, 1});
        expect("pad", by("edge", 2, 1), x, {1, 7}, {0, 0, 0, 1, 2, 3, 3});
        expect("pad", by("wrap", 1, 2), x, {1, 7}, {3, 0, 1, 2, 3, 0, 1});
        expectRefusal("pad", by("reflect", 4, 0), x, "at most 3");
        expectRefusal("pad", by("constant", -2, -2), x, "nothing");
        expectRefusal(
            "pad",
            {{"dims", List{1, 2}}, {"before", List{1 << 30, 1 << 30}}, {"after", List{0, 0}}},
            counted({1, 4, 4}), "numbers");
    }

    void expandAndTileRepeat() {
        expect("expand", {{"shape", List{3, -1}}}, counted({1, 1, 2}), {1, 3, 2},
               {0, 1, 0, 1, 0, 1});
        expect("expand", {{"shape", List{2, 2}}}, counted({2, 2}), {2, 2, 2},
               {0, 1, 0, 1, 2, 3, 2, 3});
        expectRefusal("expand", {{"shape", List{3}}}, counted({1, 2}), "is not 1");
        expect("tile", {{"repeats", List{2, 2}}}, counted({1, 2, 2}), {1, 4, 4},
               {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3});
        expectRefusal("tile", {{"repeats", List{1 << 30, 1 << 30}}}, counted({1, 4, 4}), "numbers");
        expectRefusal("expand", {{"shape", List{3}}}, tensor({}, {1}), "single number");
        expectRefusal("tile", {{"repeats", List{3}}}, tensor({}, {1}), "single number");
        expect("tile", {{"repeats", List{3}}}, counted({1, 2}), {1, 6}, {0, 1, 0, 1, 0, 1});
    }

    /// The example of ONNX's DepthToSpace, with channels 0 to 7 of one row of two columns.
    void depthBecomesSpaceInBothOrders() {
        const Tensor x = counted({1, 8, 1, 2});
        expect("depth_to_space", {{"mode", std::string("DCR")}}, x, {1, 2, 2, 4},
               {0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15});
        expect("depth_to_space", {{"mode", std::string("CRD")}}, x, {1, 2, 2, 4},
               {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15});
        expectRefusal("depth_to_space", {{"block", std::int64_t{3}}}, x, "8 channels");
    }

    void spaceToDepthReversesDepthToSpace() {
        for (const char* mode : {"DCR", "CRD"}) {
            const Attributes attributes{{"mode", std::string(mode)}};
            LayerRun shallow("depth_to_space", attributes, {counted({1, 8, 1, 2})});
            expect("space_to_depth", attributes, shallow.output(), {1, 8, 1, 2},
                   {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
        }
        expectRefusal("space_to_depth", {}, counted({1, 1, 3, 2}), "no multiples");
    }
};

std::unique_ptr<QObject> makeTestMoves() { return std::make_unique<TestMoves>(); }

#include "tst_moves.moc"
