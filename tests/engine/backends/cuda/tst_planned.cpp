// SPDX-License-Identifier: Apache-2.0
// Convolutions that a library plans: chosen without asking it, in scratch that serves both it and
// our own kernel, which computes what the library does not. The library is a stand-in here; what
// the kernels compute is compared in tst_emulated.

#include "device/settled_formats.h"
#include "support/evaluate.h"
#include "support/sim/plans.h"

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

/// Operands of a dense layer and of its gradients: x [12, 40], w [24, 40], y [12, 24].
struct DenseCase {
    const char* op;
    Shape first, second, result;
};
const std::vector<DenseCase> denseCases = {{"linear", {12, 40}, {24, 40}, {12, 24}},
                                           {"linear_dx", {12, 24}, {24, 40}, {12, 40}},
                                           {"linear_dw", {12, 24}, {12, 40}, {24, 40}}};

} // namespace

class TestPlanned : public QObject {
    Q_OBJECT

    KernelList kernels_;
    Oracle host_;
    Attributes attributes_{{"stride", Shape{1, 1}},
                           {"padding", Shape{1, 1, 1, 1}},
                           {"dilation", Shape{1, 1}},
                           {"groups", std::int64_t{1}}};
    std::vector<TensorPart> inputs_{wholePart(DType::f32, {2, 3, 8, 8}),
                                    wholePart(DType::f32, {4, 3, 3, 3})};
    std::vector<TensorPart> outputs_{wholePart(DType::f32, {2, 4, 8, 8})};

    [[nodiscard]] ChoiceOrRefusal choose(const KernelRequest& request) const {
        return kernels_.of("conv2d").front().choose(request);
    }
    [[nodiscard]] KernelRequest request() const {
        return requestOf("conv2d", attributes_, inputs_, outputs_);
    }
    /// Returns the largest difference of the first result from the reference, and the number of
    /// plans that were run.
    std::pair<double, int> largestDifference(const KernelRequest& request,
                                             const KernelChoice& choice,
                                             const RunOptions& options = {}) {
        std::vector<Tensor> numbers;
        numbers.reserve(request.inputs.size());
        for (const TensorPart& part : request.inputs) {
            numbers.push_back(
                drawNormal(DType::f32, part.shape, 1, std::to_string(numbers.size())));
        }
        const int before = sim::plansRun();
        const Tensor y = host_.run(request, choice, numbers, options).front();
        const Tensor expected =
            host_.run(request.op, request.attributes, numbers, request.inputs, request.outputs)
                .front();
        double largest = 0;
        for (std::int64_t k = 0; k < y.elements(); ++k) {
            largest = std::max(largest, std::abs(y.at(k) - expected.at(k)));
        }
        return {largest, sim::plansRun() - before};
    }
    /// Plans that were run for it; what it computes is held against the reference.
    int plansRunFor(const KernelRequest& request, const RunOptions& options = {}) {
        const auto [largest, plans] = largestDifference(request, *choose(request), options);
        [&, difference = largest] { QVERIFY(difference < 1e-4); }();
        return plans;
    }

    [[nodiscard]] KernelRequest withAddend() const {
        KernelRequest added = request();
        added.op = "conv2d+add";
        added.inputs.push_back(added.outputs[0]);
        GroupBody body;
        body.reads = {{0, 1}, {-1, 2}};
        added.body = std::make_shared<const GroupBody>(std::move(body));
        return added;
    }

private Q_SLOTS:
    void initTestCase() { cuda::fill(kernels_); }

    void comeBeforeOurOwn() {
        const auto makers = kernels_.of("conv2d");
        QCOMPARE(makers.size(), std::size_t{2});
        QCOMPARE(makers.front().implementation, std::string("cudnn"));
        QCOMPARE(choose(request())->implementation, std::string("cudnn"));
        QCOMPARE(plansRunFor(request()), 1);
    }

    void areChosenWithoutTheLibrary() {
        const int before = sim::plansMade();
        const ChoiceOrRefusal choice = choose(request());
        QCOMPARE(sim::plansMade(), before);
        const auto kernel = choice->make();
        QCOMPARE(sim::plansMade(), before + 1);
    }

    /// The stand-in plans no dilated ones.
    void leaveToOurOwnWhatTheLibraryDoesNot() {
        attributes_.set("dilation", Shape{2, 2});
        attributes_.set("padding", Shape{2, 2, 2, 2});
        QCOMPARE(choose(request())->implementation, std::string("cudnn"));
        QCOMPARE(plansRunFor(request()), 0);
        attributes_.set("dilation", Shape{1, 1});
        attributes_.set("padding", Shape{1, 1, 1, 1});
    }

    void leaveToOurOwnWhatLiesOnOddAddresses() {
        QCOMPARE(plansRunFor(request(), {.shift = 8}), 0);
    }

    /// Where there is less than plans want, one is taken that does with it, or our own.
    void takeNoMoreScratchThanTheyMay() {
        KernelRequest tight = request();
        tight.scratchLimit = {432}; // bytes of w
        QCOMPARE(choose(tight)->scratch.count, 432);
        QCOMPARE(plansRunFor(tight), 1);
        tight.scratchLimit = {431};
        QCOMPARE(choose(tight)->scratch.count, 431);
        QCOMPARE(plansRunFor(tight), 0);
    }

    /// Dense layers are planned too there, as convolutions over one place, where the library of
    /// products is missing.
    void roundWhereTheyMay_data() {
        QTest::addColumn<Precision>("precision");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::newRow("TF32") << Precision::tf32 << 1e-5 << 3e-2;
        QTest::newRow("bf16") << Precision::bf16 << 1e-3 << 3e-1;
    }
    void roundWhereTheyMay() {
        QFETCH(Precision, precision);
        QFETCH(double, least);
        QFETCH(double, most);
        const KernelList rounding = cuda::roundingKernels().at(precision);
        for (const DenseCase& dense : denseCases) {
            const KernelRequest request =
                requestOf(dense.op, {},
                          {wholePart(DType::f32, dense.first), wholePart(DType::f32, dense.second)},
                          {wholePart(DType::f32, dense.result)});
            const ChoiceOrRefusal choice = rounding.of(dense.op)[1].choose(request);
            QVERIFY2(choice, dense.op);
            QCOMPARE(choice->implementation, "cudnn in " + std::string(nameOf(precision)));
            const auto [largest, plans] = largestDifference(request, *choice);
            QVERIFY2(largest > least && largest < most, std::to_string(largest).c_str());
            QCOMPARE(plans, 1);
        }
        const auto [largest, plans] =
            largestDifference(request(), *rounding.of("conv2d").front().choose(request()));
        QVERIFY2(largest > least && largest < most, std::to_string(largest).c_str());
        QCOMPARE(plans, 1);
    }

    /// The plan that was found to be the fastest on the chip is taken, in the workspace that it
    /// wants; where the library has no such, the one that it would take.
    void takeWhatWasMeasured_data() {
        QTest::addColumn<Precision>("precision");
        QTest::newRow("exact") << Precision::exact;
        QTest::newRow("TF32") << Precision::tf32;
        QTest::newRow("bf16") << Precision::bf16;
    }
    void takeWhatWasMeasured() {
        QFETCH(Precision, precision);
        const auto rounding = cuda::roundingKernels();
        const KernelList& makers =
            precision == Precision::exact ? kernels_ : rounding.at(precision);
        const auto chosen = [&](const KernelRequest& asked) {
            return *makers.of("conv2d").front().choose(asked);
        };
        const KernelChoice first = chosen(request());
        const std::vector<KernelAlgorithm> ways = first.ways->make();
        QCOMPARE(ways.size(), std::size_t{3});
        QCOMPARE(ways[0].engine, std::string("loops"));
        QCOMPARE(ways[2].engine, std::string("cuda")); // our own kernel
        QCOMPARE(ways[1].workspace.count, 432 + 256);
        const auto known = [&](const MeasuredPlan& plan) {
            KernelRequest asked = request();
            asked.chip.plans =
                std::make_shared<const PlansByName>(PlansByName{{first.ways->name, plan}});
            return asked;
        };
        const MeasuredPlan plan{ways[1].engine, ways[1].workspace, {5000}};
        const KernelRequest asked = known(plan);
        const KernelChoice measured = chosen(asked);
        QCOMPARE(measured.implementation, first.implementation + ", floats, measured");
        QVERIFY(measured.measured == plan);
        QVERIFY(measured.scratch < first.scratch);
        QVERIFY(measured.ways->scratch == first.scratch);
        QCOMPARE(largestDifference(asked, measured).second, 1);
        QCOMPARE(sim::lastEngine(), std::string("floats"));
        if (precision != Precision::bf16) { // there is room for more in any case
            KernelRequest tight = asked;    // no longer enough for that plan
            tight.scratchLimit = {measured.scratch.count - 1};
            QVERIFY(!chosen(tight).measured);
        }
        const KernelRequest own = known({ways[2].engine, ways[2].workspace, {5000}});
        QCOMPARE(chosen(own).implementation, std::string("cuda, measured"));
        QCOMPARE(largestDifference(own, chosen(own)).second, 0);
        const KernelRequest gone = known({"none of these", {432}, {5000}});
        QCOMPARE(largestDifference(gone, chosen(gone)).second, 1);
        QCOMPARE(sim::lastEngine(), std::string("loops"));
        KernelRequest other = asked; // another map: another name
        other.inputs[0].shape[0] = other.outputs[0].shape[0] = 1;
        QVERIFY(!chosen(other).measured);
        QVERIFY(chosen(other).ways->name != first.ways->name);
    }

    /// Engines that use tensor cores copy pictures with 8 bf16 numbers or 4 floats a place; what
    /// reads more channels is granted less, and what is timed may take more.
    void haveRoomToPadPictures() {
        const auto rounding = cuda::roundingKernels();
        for (const auto precision : {Precision::tf32, Precision::bf16}) {
            const auto chosen = [&](std::int64_t channels) {
                KernelRequest asked = requestOf("conv2d", attributes_,
                                                {wholePart(DType::f32, {64, channels, 64, 64}),
                                                 wholePart(DType::f32, {96, channels, 3, 3})},
                                                {wholePart(DType::f32, {64, 96, 64, 64})});
                asked.chip = {90, "9.19.0"};
                return *rounding.at(precision).of("conv2d").front().choose(asked);
            };
            constexpr std::int64_t padded = std::int64_t{64} * 64 * 64 * 16;
            QVERIFY(chosen(3).scratch.count >= padded);
            QVERIFY(chosen(64).ways->scratch.count >= std::int64_t{256} << 20);
            QVERIFY(chosen(64).scratch < chosen(64).ways->scratch);
        }
    }

    /// Plain exactly, channels-last in TF32, so and as bf16 in bf16, but for gradients of
    /// filters.
    void lieAsTheyAreComputed() {
        const Format plain;
        const Format last = channelsLast();
        using Formats = std::vector<Format>;
        const auto rounding = cuda::roundingKernels();
        const auto chosen = [&](Precision precision, const KernelRequest& asked) {
            return *rounding.at(precision).of(asked.op).front().choose(asked);
        };
        const KernelChoice exact = *choose(request());
        QCOMPARE(exact.inputFormats, (Formats{plain, plain}));
        QCOMPARE(exact.outputFormats, Formats{plain});
        QVERIFY(exact.preferredInputFormats.empty());
        const KernelChoice tf32 = chosen(Precision::tf32, request());
        QCOMPARE(tf32.inputFormats, (Formats{last, last}));
        QCOMPARE(tf32.outputFormats, Formats{last});
        QCOMPARE(tf32.preferredInputFormats, (Formats{plain, last}));
        const Format inBf16 = halved(last, 4);
        const KernelChoice bf16 = chosen(Precision::bf16, request());
        QCOMPARE(bf16.inputFormats, (Formats{inBf16, inBf16}));
        QCOMPARE(bf16.outputFormats, Formats{inBf16});
        QCOMPARE(bf16.preferredInputFormats, (Formats{plain, last}));
        Attributes kernel = attributes_;
        kernel.set("kernel", Shape{3, 3});
        KernelRequest dw = requestOf("conv2d_dw", kernel, {inputs_[0], outputs_[0]}, {inputs_[1]});
        QCOMPARE(chosen(Precision::bf16, dw).outputFormats, Formats{plain});
        QCOMPARE(chosen(Precision::bf16, dw).preferredOutputFormats, Formats{last});
        dw.outputs[0].format = last;
        QCOMPARE(chosen(Precision::bf16, dw).outputFormats, Formats{last});
        const KernelRequest dense = requestOf(
            "linear", {}, {wholePart(DType::f32, {12, 40}), wholePart(DType::f32, {24, 40})},
            {wholePart(DType::f32, {12, 24})});
        const auto planned = [&](Precision precision) {
            return *rounding.at(precision).of(dense.op)[1].choose(dense);
        };
        QVERIFY(planned(Precision::tf32).preferredInputFormats.empty());
        QCOMPARE(planned(Precision::bf16).outputFormats, Formats{halved(plain, 2)});
    }

    /// The library adds nothing but behind a bias.
    void countWhatIsLaunchedBehindThePlan() {
        QCOMPARE(kernels_.of("conv2d+add").front().choose(withAddend())->launches, 2);
        QCOMPARE(choose(request())->launches, 1);
    }

    /// An addend in f32 gives a result in f32, an addend in half precision a result in half
    /// precision.
    void addAsTheyAreOffered() {
        KernelRequest added = withAddend();
        const KernelList halving = cuda::roundingKernels().at(Precision::bf16);
        const auto made = [&] { return halving.of("conv2d+add").front().choose(added); };
        QCOMPARE(made()->inputFormats[2], channelsLast());
        QCOMPARE(made()->outputFormats[0], channelsLast());
        added.inputs[2].format = halved(channelsLast(), 4);
        QCOMPARE(made()->inputFormats[2], halved(channelsLast(), 4));
        QCOMPARE(made()->outputFormats[0], halved(channelsLast(), 4));
    }

    /// In bf16 there is room for what our own kernel widens, and no more is taken than may be.
    void bf16TakesNoMoreScratchThanItMay() {
        const KernelList halving = cuda::roundingKernels().at(Precision::bf16);
        const auto chosen = [&](const KernelRequest& asked) {
            return halving.of("conv2d").front().choose(asked);
        };
        KernelRequest tight = request();
        std::int64_t widened = 0;
        for (const TensorPart& part : {inputs_[0], inputs_[1], outputs_[0]}) {
            widened += 4 * part.elements();
        }
        tight.scratchLimit = {widened - 1};
        QVERIFY(!chosen(tight));
        tight.scratchLimit = {widened};
        QCOMPARE(chosen(tight)->scratch.count, widened);
        QCOMPARE(largestDifference(tight, *chosen(tight)).second, 1);
        QCOMPARE(chosen(tight)->reorderedBytes.count, 0);
        tight.scratchLimit = {widened + 512};
        QCOMPARE(chosen(tight)->scratch.count, (widened + 512) / 256 * 256);
    }

    /// A part of a map that goes on behind the last window: the library would count more windows.
    void refuseWindowsThatEndBeforeTheMap() {
        TensorPart& part = outputs_[0];
        part.shape[2] = 4;
        const ChoiceOrRefusal choice = choose(request());
        part.shape[2] = 8;
        QVERIFY(!choice);
        QVERIFY(choice.error().reason.find("after the last window") != std::string::npos);
    }
};

std::unique_ptr<QObject> makeTestPlanned() { return std::make_unique<TestPlanned>(); }

#include "tst_planned.moc"
