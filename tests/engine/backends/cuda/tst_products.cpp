// SPDX-License-Identifier: Apache-2.0
// Products that a library computes: chosen without asking it, in scratch of a constant bound that
// serves our own tile too, which computes what the library refuses. The library is a stand-in here;
// what the kernels compute is compared in tst_emulated as well.

#include "backends/cuda/cublaslt/library_product.h"
#include "device/named_way.h"
#include "device/settled_formats.h"
#include "support/evaluate.h"
#include "support/sim/plans.h"
#include "support/sim/products.h"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace weft::cuda {
void fill(KernelList& list);
std::map<Precision, KernelList> roundingKernels();
} // namespace weft::cuda

namespace {

/// A dense layer: x [12, terms], w [24, terms], y [12, 24]; its gradients have the same shapes.
struct DenseLayer {
    const char* op;
    Shape first, second, result;
};
const std::vector<DenseLayer> layers = {{"linear", {12, 40}, {24, 40}, {12, 24}},
                                        {"linear_dx", {12, 24}, {24, 40}, {12, 40}},
                                        {"linear_dw", {12, 24}, {12, 40}, {24, 40}}};

KernelRequest requestFor(const DenseLayer& dense) {
    return requestOf(dense.op, {},
                     {wholePart(DType::f32, dense.first), wholePart(DType::f32, dense.second)},
                     {wholePart(DType::f32, dense.result)});
}

/// relu(x w^T + addend), with an addend that is offered in that format.
KernelRequest withAddend(const Format& format) {
    KernelRequest added = requestFor(layers.front());
    added.op = "linear+add+relu";
    added.inputs.push_back(added.outputs[0]);
    added.inputs.back().format = format;
    GroupBody body;
    body.reads = {{0, 1}, {-1, 2}, {-2}};
    added.body = std::make_shared<const GroupBody>(std::move(body));
    return added;
}

} // namespace

class TestProducts : public QObject {
    Q_OBJECT

    KernelList kernels_;
    std::map<Precision, KernelList> rounding_;
    Oracle host_;

    [[nodiscard]] ChoiceOrRefusal chosen(Precision precision, const KernelRequest& request) const {
        const KernelList& list = precision == Precision::exact ? kernels_ : rounding_.at(precision);
        return list.of(request.op).front().choose(request);
    }
    struct Outcome {
        double difference = 0; ///< the largest from the reference
        int products = 0;      ///< products of the library that were run
        int plans = 0;
    };
    Outcome outcomeOf(const KernelRequest& request, const KernelChoice& choice,
                      const RunOptions& options = {}) {
        std::vector<Tensor> numbers;
        for (const TensorPart& part : request.inputs) {
            numbers.push_back(
                drawNormal(DType::f32, part.shape, 1, std::to_string(numbers.size())));
        }
        const int products = sim::productsRun();
        const int plans = sim::plansRun();
        const Tensor y = host_.run(request, choice, numbers, options).front();
        const Tensor expected =
            host_.run(request.op, request.attributes, numbers, request.inputs, request.outputs)
                .front();
        Outcome outcome{.products = sim::productsRun() - products,
                        .plans = sim::plansRun() - plans};
        for (std::int64_t k = 0; k < y.elements(); ++k) {
            outcome.difference = std::max(outcome.difference, std::abs(y.at(k) - expected.at(k)));
        }
        return outcome;
    }

private Q_SLOTS:
    void initTestCase() {
        cuda::fill(kernels_);
        rounding_ = cuda::roundingKernels();
    }

    void comeFirstInEveryPrecision_data() {
        QTest::addColumn<Precision>("precision");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::newRow("exact") << Precision::exact << -1.0 << 1e-4;
        QTest::newRow("TF32") << Precision::tf32 << 1e-5 << 3e-2;
        QTest::newRow("bf16") << Precision::bf16 << 1e-3 << 3e-1;
    }
    void comeFirstInEveryPrecision() {
        QFETCH(Precision, precision);
        QFETCH(double, least);
        QFETCH(double, most);
        for (const DenseLayer& dense : layers) {
            const KernelRequest request = requestFor(dense);
            const ChoiceOrRefusal choice = chosen(precision, request);
            QVERIFY2(choice, dense.op);
            QCOMPARE(choice->implementation, cuda::libraryProductName(precision));
            const Outcome outcome = outcomeOf(request, *choice);
            QCOMPARE(outcome.products, 1);
            QCOMPARE(outcome.plans, 0);
            QVERIFY2(outcome.difference > least && outcome.difference < most,
                     std::to_string(outcome.difference).c_str());
        }
    }

    void areChosenWithoutTheLibrary() {
        const int before = sim::productsMade();
        const ChoiceOrRefusal choice = chosen(Precision::exact, requestFor(layers[0]));
        QCOMPARE(sim::productsMade(), before);
        const auto kernel = choice->make();
        QCOMPARE(sim::productsMade(), before + 1);
    }

    /// The stand-in refuses products of 7 terms, and says why.
    void areOurOwnWhereTheLibraryRefuses() {
        const KernelRequest request = requestFor({"linear", {12, 7}, {24, 7}, {12, 24}});
        for (const Precision precision : {Precision::exact, Precision::tf32, Precision::bf16}) {
            const KernelChoice choice = *chosen(precision, request);
            QCOMPARE(choice.implementation, cuda::libraryProductName(precision));
            const Outcome outcome = outcomeOf(request, choice);
            QCOMPARE(outcome.products, 0);
            QVERIFY(outcome.difference < (precision == Precision::bf16 ? 1e-1 : 1e-4));
            const auto kernel = choice.make();
            const auto* const named = dynamic_cast<const NamedWay*>(kernel.get());
            QVERIFY(named != nullptr);
            QCOMPARE(named->way(),
                     std::string("Weft's own tile, since the stand-in has no algorithm "
                                 "for 7 terms"));
        }
    }

    void nameTheirAlgorithm() {
        const auto kernel = chosen(Precision::tf32, requestFor(layers[0]))->make();
        QCOMPARE(dynamic_cast<const NamedWay&>(*kernel).way(), std::string("loops"));
    }

    /// Sums that the library makes and does not end are ended behind it.
    void areEndedBehindTheLibraryWhereItDoesNot() {
        const auto kernel = chosen(Precision::exact, withAddend({}))->make();
        QCOMPARE(dynamic_cast<const NamedWay&>(*kernel).way(),
                 std::string("loops, then a second kernel"));
    }

    void areOurOwnOnOddAddresses() {
        const KernelRequest request = requestFor(layers[0]);
        for (const Precision precision : {Precision::exact, Precision::bf16}) {
            const Outcome outcome = outcomeOf(request, *chosen(precision, request), {.shift = 8});
            QCOMPARE(outcome.products, 0);
            QVERIFY(outcome.difference < 3e-1);
        }
    }

    /// Scratch is bounded whatever the size, and no more than a request may have.
    void takeScratchOfAConstantBound() {
        constexpr std::int64_t mebi = std::int64_t{1} << 20;
        const KernelRequest huge =
            requestFor({"linear", {65536, 4096}, {8192, 4096}, {65536, 8192}});
        QCOMPARE(chosen(Precision::exact, huge)->scratch.count, 32 * mebi);
        QCOMPARE(chosen(Precision::bf16, huge)->scratch.count, 32 * mebi);
        KernelRequest tight = requestFor(layers[0]);
        QCOMPARE(chosen(Precision::exact, tight)->scratch.count, mebi);
        tight.scratchLimit = {5000};
        QCOMPARE(chosen(Precision::exact, tight)->scratch.count, 5000 / 256 * 256);
        QCOMPARE(outcomeOf(tight, *chosen(Precision::exact, tight)).products, 1);
        tight.scratchLimit = {0};
        QCOMPARE(chosen(Precision::exact, tight)->scratch.count, 0);
        KernelRequest cut = requestFor({"linear_dw", {2000, 5}, {2000, 3}, {5, 3}});
        cut.scratchLimit = {16};
        const ChoiceOrRefusal refused = chosen(Precision::exact, cut);
        QVERIFY(!refused);
        QVERIFY(refused.error().reason.find("more workspace") != std::string::npos);
    }

    /// In bf16 operands are bf16; so is the result, but for gradients of weights and what f32 is
    /// added to.
    void keepBf16WhereTheyMay() {
        const Format plain;
        const Format inBf16 = halved(plain, 2);
        using Formats = std::vector<Format>;
        for (const DenseLayer& dense : layers) {
            const KernelChoice choice = *chosen(Precision::bf16, requestFor(dense));
            QCOMPARE(choice.inputFormats, (Formats{inBf16, inBf16}));
            const bool isOfWeights = std::string(dense.op) == "linear_dw";
            QCOMPARE(choice.outputFormats, Formats{isOfWeights ? plain : inBf16});
        }
        const KernelChoice wide = *chosen(Precision::bf16, withAddend(plain));
        QCOMPARE(wide.inputFormats, (Formats{inBf16, inBf16, plain}));
        QCOMPARE(wide.outputFormats, Formats{plain});
        const KernelChoice narrow = *chosen(Precision::bf16, withAddend(inBf16));
        QCOMPARE(narrow.inputFormats, (Formats{inBf16, inBf16, inBf16}));
        QCOMPARE(narrow.outputFormats, Formats{inBf16});
        for (const Precision precision : {Precision::exact, Precision::tf32}) {
            const KernelChoice choice = *chosen(precision, requestFor(layers[0]));
            QCOMPARE(choice.inputFormats, (Formats{plain, plain}));
        }
    }

    /// A gradient of weights in bf16 is rounded nowhere but in its operands.
    void makeGradientsOfWeightsInF32() {
        const KernelRequest request = requestFor(layers[2]);
        std::vector<Tensor> numbers;
        for (const TensorPart& part : request.inputs) {
            Tensor drawn = drawNormal(DType::f32, part.shape, 1, std::to_string(numbers.size()));
            const Format inBf16 = halved({}, 2);
            numbers.push_back(fromFormat(toFormat(drawn, inBf16), DType::f32, part.shape, inBf16));
        }
        const Tensor dw =
            host_.run(request, *chosen(Precision::bf16, request), numbers, {}).front();
        const Tensor expected =
            host_.run(request.op, {}, numbers, request.inputs, request.outputs).front();
        for (std::int64_t k = 0; k < dw.elements(); ++k) {
            QVERIFY(std::abs(dw.at(k) - expected.at(k)) < 1e-4);
        }
    }
};

std::unique_ptr<QObject> makeTestProducts() { return std::make_unique<TestProducts>(); }

#include "tst_products.moc"
