// SPDX-License-Identifier: Apache-2.0
// Kernels on shapes that fill registers, tiles and all cores, which the samples of the ops do not:
// against the reference in double, on one core and on two, offered plain and channels-last; bits
// must not change from run to run, also while another stream computes.

#include "backends/backends.h"
#include "support/evaluate.h"

#include <QTest>
#include <cmath>
#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

using List = std::vector<std::int64_t>;

struct Case {
    std::string op;
    std::vector<Shape> inputs;
    Attributes attributes = {};
    std::int64_t integersBelow = 10;
    double tolerance = 2e-5; ///< relative to the largest expected number
};

Attributes windows(std::int64_t stride, std::int64_t padding) {
    return {{"stride", List{stride, stride}},
            {"padding", List{padding, padding, padding, padding}}};
}

Attributes with(Attributes attributes, std::string name, AttributeValue value) {
    attributes.set(std::move(name), std::move(value));
    return attributes;
}

std::vector<Case> convolutions() {
    const Attributes same = windows(1, 1);
    const double winograd = 1e-4; // loses about a digit
    return {{"conv2d", {{4, 64, 16, 18}, {48, 64, 3, 3}}, same, 10, winograd},
            {"conv2d_dx",
             {{4, 48, 16, 18}, {48, 64, 3, 3}},
             with(same, "size", List{16, 18}),
             10,
             winograd},
            {"conv2d_dw",
             {{4, 64, 16, 18}, {4, 48, 16, 18}},
             with(same, "kernel", List{3, 3}),
             10,
             winograd},
            {"conv2d", {{3, 20, 12, 12}, {50, 20, 5, 5}}, windows(1, 0)},
            {"conv2d",
             {{2, 32, 9, 9}, {32, 1, 3, 3}},
             with(windows(2, 1), "groups", std::int64_t{32})}};
}

std::vector<Case> maps() {
    const Shape map{4, 70, 16, 18};
    const Attributes pool = {{"kernel", List{3, 3}}, {"stride", List{2, 2}}, {"ceil", true}};
    const Shape channels{70};
    return {{"max_pool2d", {map}, pool},
            {"average_pool2d", {map}, pool},
            {"global_average_pool", {map}},
            {"batch_norm", {map, channels, channels}},
            {"batch_norm_dgamma", {map, channels, channels, map}},
            {"batch_norm_dx", {map, channels, channels, channels, map, channels, channels}},
            {"bias_add", {map, channels}, {{"dim", std::int64_t{1}}}},
            {"bias_gradient", {map}, {{"dim", std::int64_t{1}}}},
            {"relu", {map}},
            {"gelu", {map}},
            {"gelu_gradient", {map, map}},
            {"add", {map, map, map, map}},
            {"concat", {map, {4, 3, 16, 18}, map}, {{"dim", std::int64_t{1}}}},
            {"flatten", {map}},
            {"mean", {map}},
            {"squares", {map}}};
}

std::vector<Case> codes() {
    const Shape code{3, 70, 16, 18};
    const Shape each{3};
    const Attributes soft = {{"two_sided", true}, {"threshold", 0.3}};
    const Attributes firm = {{"transfer", std::string("firm")}, {"threshold", 0.2}, {"width", 0.6}};
    const Shape dictionary{70, 3, 8, 6};
    const Attributes patches = {
        {"stride", List{2, 2}}, {"padding", List{3, 2, 3, 2}}, {"size", List{32, 36}}};
    return {{"transfer", {code}, soft},
            {"transfer", {code}, firm},
            {"transfer_cost", {code}, soft},
            {"transfer_cost", {code}, firm},
            {"membrane", {code, code, code, each}, {{"tau", 3.0}}},
            {"weigh", {code, each}, {{"tau", 3.0}}},
            {"rest", {code, code, each}},
            {"begin", {each}, {{"shape", List{70, 16, 18}}, {"value", 0.25}}},
            {"half_squares", {code}},
            {"count_active", {code}},
            {"hebb", {dictionary, dictionary, {70}, {}}, {{"weight_decay", 0.1}}, 10, 1e-4},
            {"hebb_momentum", {dictionary, dictionary, {}, dictionary, {}}},
            {"unit_length", {dictionary}},
            {"conv2d_dx", {code, dictionary}, patches},
            {"conv2d_dx", {{1, 70, 16, 18}, dictionary}, patches},
            {"conv2d_dx",
             {{5, 33, 5, 7}, {33, 1, 3, 3}},
             {{"stride", List{1, 1}}, {"padding", List{1, 1, 1, 1}}, {"size", List{5, 7}}}}};
}

std::vector<Case> rowsAndHeads() {
    const Shape q{3, 2, 150, 40};
    const Shape v{3, 2, 150, 24};
    const Attributes causal = {{"causal", true}, {"scale", 0.2}};
    const Shape rows{300, 257};
    return {{"linear", {{150, 300}, {130, 300}}},
            {"linear_dx", {{150, 130}, {130, 300}}},
            {"linear_dw", {{150, 130}, {150, 300}}},
            {"attention", {q, q, v}, causal},
            {"attention", {q, {3, 2, 131, 40}, {3, 2, 131, 24}}, with(causal, "causal", false)},
            {"layer_norm", {rows, {257}, {257}}},
            {"layer_norm_dgamma", {rows, {300}, {300}, rows}},
            {"layer_norm_dx", {rows, {300}, {300}, {257}, rows}},
            {"softmax", {rows}},
            {"softmax_gradient", {rows, rows}},
            {"softmax_cross_entropy", {rows, {300}}, {}, 257},
            {"reduce_max", {rows}},
            {"exp_minus", {rows, {300}}},
            {"embedding", {{20, 30}, {100, 70}}, {}, 100},
            {"embedding_gradient", {{20, 30}, {20, 30, 70}}, {{"rows", std::int64_t{100}}}, 100},
            {"dropout", {rows, {}}, {{"rate", 0.3}}},
            {"sgd_momentum", {rows, rows, rows, {}}, {{"nesterov", true}}},
            {"heads_apart", {{3, 50, 60}}, {{"heads", std::int64_t{6}}}}};
}

} // namespace

class TestLarge : public QObject {
    Q_OBJECT

    OpList ops_ = allOps();
    Oracle reference_;
    std::unique_ptr<Oracle> cpu_;
    std::vector<Case> cases_;

    /// Operands drawn by seed; where a variance is due, numbers above zero serve for all.
    [[nodiscard]] std::vector<Tensor> draw(const Case& one) const {
        std::vector<Tensor> drawn;
        const Op& op = ops_.at(one.op);
        for (std::size_t k = 0; k < one.inputs.size(); ++k) {
            const OpInput& input = op.inputs[std::min(k, op.inputs.size() - 1)];
            if (input.type == OperandType::integer) {
                drawn.push_back(
                    drawIntegers(DType::i64, one.inputs[k], one.integersBelow, 3, input.name));
            } else if (input.name == "variance") {
                drawn.push_back(drawUniform(DType::f32, one.inputs[k], 0.1, 2, 3, input.name));
            } else {
                drawn.push_back(drawNormal(DType::f32, one.inputs[k], 3 + k, input.name));
            }
        }
        return drawn;
    }

    [[nodiscard]] KernelRequest requestFor(const Case& one, const std::vector<Tensor>& drawn,
                                           DType floating, const RunOptions& options) const {
        const Op& op = ops_.at(one.op);
        Signature signature{completed(one.attributes, op.attributes), {}, {}};
        std::vector<TensorPart> inputs;
        for (const Tensor& tensor : drawn) {
            const DType dtype = isFloating(tensor.dtype) ? floating : tensor.dtype;
            signature.inputs.push_back({dtype, tensor.shape});
            inputs.push_back(wholePart(dtype, tensor.shape));
        }
        signature.outputs.assign(op.outputs.size(), {floating, {}});
        ShapeInference inference(signature);
        op.shape(inference);
        std::vector<TensorPart> outputs;
        outputs.reserve(signature.outputs.size());
        for (const TensorType& type : signature.outputs) {
            outputs.push_back(wholePart(type.dtype, type.shape));
        }
        return requestOf(one.op, signature.attributes, inputs, outputs, options);
    }

    std::vector<Tensor> expectedOf(const Case& one, const std::vector<Tensor>& drawn) {
        std::vector<Tensor> exact;
        exact.reserve(drawn.size());
        for (const Tensor& tensor : drawn) {
            exact.push_back(isFloating(tensor.dtype) ? tensor.as(DType::f64) : tensor);
        }
        const KernelRequest request = requestFor(one, drawn, DType::f64, {.randomKey = 11});
        return reference_.run(one.op, request.attributes, exact, request.inputs, request.outputs,
                              {.randomKey = 11});
    }

    std::vector<Tensor> run(const Case& one, const std::vector<Tensor>& drawn, const char* tag,
                            int cores) {
        RunOptions options{.randomKey = 11, .cores = cores};
        for (const Shape& shape : one.inputs) {
            options.formats.push_back({shape.size() == 4 ? tag : ""});
        }
        const KernelRequest request = requestFor(one, drawn, DType::f32, options);
        for (const KernelMaker& maker : cpu_->kernels().of(one.op)) {
            if (const auto choice = maker.choose(request)) {
                return cpu_->run(request, *choice, drawn, options);
            }
        }
        return {};
    }

    /// Without oneDNN some kernels of an op are there, and not for every case.
    [[nodiscard]] bool isServed(const Case& one) {
        const bool hasAll = !cpu_->kernels().of("conv2d").empty();
        return !cpu_->kernels().of(one.op).empty() &&
               (hasAll || !run(one, draw(one), "", 1).empty());
    }

private Q_SLOTS:
    void initTestCase() {
        BackendList backends;
        backends::fill(backends);
        cpu_ = std::make_unique<Oracle>(*backends.find("cpu"), "cpu:0", 2);
        for (const auto& some : {convolutions(), maps(), codes(), rowsAndHeads()}) {
            cases_.insert(cases_.end(), some.begin(), some.end());
        }
    }

    void agreesWithTheReference_data() {
        QTest::addColumn<int>("index");
        for (std::size_t k = 0; k < cases_.size(); ++k) {
            QTest::addRow("%s %zu", cases_[k].op.c_str(), k) << static_cast<int>(k);
        }
    }
    void agreesWithTheReference() {
        QFETCH(int, index);
        const Case& one = cases_[static_cast<std::size_t>(index)];
        if (!isServed(one)) {
            QSKIP(("the backend has no kernel for " + one.op).c_str());
        }
        const std::vector<Tensor> drawn = draw(one);
        const std::vector<Tensor> expected = expectedOf(one, drawn);
        for (const char* tag : {"", "acdb"}) {
            for (const int cores : {1, 2}) {
                const std::vector<Tensor> found = run(one, drawn, tag, cores);
                QCOMPARE(found.size(), expected.size());
                for (std::size_t k = 0; k < expected.size(); ++k) {
                    const double allowed =
                        one.tolerance * std::max(1.0, largestMagnitude(expected[k]));
                    const double difference = largestDifference(found[k], expected[k]);
                    QVERIFY2(difference <= allowed, QByteArray("format '") + tag + "', cores " +
                                                        QByteArray::number(cores) + ", result " +
                                                        QByteArray::number(static_cast<int>(k)) +
                                                        " differs by " +
                                                        QByteArray::number(difference) +
                                                        ", allowed " + QByteArray::number(allowed));
                }
            }
        }
    }

    void givesTheSameBitsBesideAnotherLane_data() { agreesWithTheReference_data(); }
    void givesTheSameBitsBesideAnotherLane() {
        QFETCH(int, index);
        const Case& one = cases_[static_cast<std::size_t>(index)];
        if (!isServed(one)) {
            QSKIP(("the backend has no kernel for " + one.op).c_str());
        }
        const std::vector<Tensor> drawn = draw(one);
        const std::vector<Tensor> alone = run(one, drawn, "acdb", 2);
        std::vector<Tensor> beside;
        std::vector<Tensor> other;
        std::thread stream([&] { other = run(one, drawn, "acdb", 2); });
        beside = run(one, drawn, "acdb", 2);
        stream.join();
        QVERIFY(alone == beside);
        QVERIFY(alone == other);
    }

    void keepsNotANumber_data() {
        QTest::addColumn<QString>("op");
        for (const char* op : {"relu", "gelu", "tanh", "sigmoid", "max_pool2d", "average_pool2d",
                               "softmax", "mean", "squares", "reduce_max"}) {
            QTest::newRow(op) << QString(op);
        }
    }
    void keepsNotANumber() {
        QFETCH(QString, op);
        Case one{op.toStdString(), {{1, 20, 4, 4}}};
        if (op.contains("pool")) {
            one.attributes = {{"kernel", List{2, 2}}, {"stride", List{2, 2}}};
        }
        std::vector<Tensor> drawn = draw(one);
        for (std::int64_t k = 0; k < drawn[0].elements(); k += 37) {
            drawn[0].set(k, std::nan(""));
        }
        const std::vector<Tensor> expected = expectedOf(one, drawn);
        for (const char* tag : {"", "acdb"}) {
            const std::vector<Tensor> found = run(one, drawn, tag, 1);
            std::int64_t lost = 0;
            for (std::int64_t k = 0; k < expected[0].elements(); ++k) {
                lost += std::isnan(expected[0].at(k)) && !std::isnan(found[0].at(k)) ? 1 : 0;
            }
            QCOMPARE(lost, std::int64_t{0});
        }
    }
};

std::unique_ptr<QObject> makeTestLarge() { return std::make_unique<TestLarge>(); }

#include "tst_large.moc"
