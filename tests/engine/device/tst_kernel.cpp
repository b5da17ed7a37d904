// SPDX-License-Identifier: Apache-2.0
#include "device/kernel.h"

#include <QTest>

using namespace weft;

namespace {

KernelMaker makerOf(std::string op, const std::string& implementation) {
    return {std::move(op), implementation, [implementation](const KernelRequest&) {
                return ChoiceOrRefusal(
                    tl::make_unexpected(Refusal{implementation, "it is but a name"}));
            }};
}

} // namespace

class TestKernel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheMakersOfAnOpInTheirOrder() {
        KernelList list;
        list.add(makerOf("relu", "fast"));
        list.add(makerOf("add", "only"));
        list.add(makerOf("relu", "slow"));
        const auto makers = list.of("relu");
        QCOMPARE(makers.size(), std::size_t{2});
        QCOMPARE(makers[0].implementation, std::string("fast"));
        QCOMPARE(makers[1].implementation, std::string("slow"));
        QCOMPARE(list.ops(), (std::vector<std::string>{"relu", "add"}));
    }

    void hasNoMakersOfAnOpItDoesNotKnow() { QVERIFY(KernelList().of("relu").empty()); }

    void asksAMakerForTheTypesThatItServes_data() {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<bool>("isInner");
        QTest::addColumn<std::string>("reason");
        const auto row = [](const char* name, DType dtype, bool isInner, const char* reason) {
            QTest::newRow(name) << static_cast<int>(dtype) << isInner << std::string(reason);
        };
        row("its own", DType::f32, false, "it is but a name");
        row("integers are nobody's", DType::i64, false, "it is but a name");
        row("another", DType::f64, false, "computes in f32, not in f64: cast the operands");
        row("another, in a group", DType::bf16, true,
            "computes in f32, not in bf16: cast the operands");
    }
    void asksAMakerForTheTypesThatItServes() {
        QFETCH(int, dtype);
        QFETCH(bool, isInner);
        QFETCH(std::string, reason);
        const TensorPart part{.dtype = static_cast<DType>(dtype), .shape = {3}};
        KernelRequest request{.op = "relu", .attributes = {}, .inputs = {part}, .outputs = {part}};
        if (isInner) {
            const GroupBody body{.members = {request}, .reads = {}, .writes = {}};
            request.inputs.front().dtype = request.outputs.front().dtype = DType::f32;
            request.body = std::make_shared<const GroupBody>(body);
        }
        KernelList list;
        list.add(makerOf("relu", "choosy"));
        const ChoiceOrRefusal answer = list.of("relu").front().choose(request);
        QVERIFY(!answer);
        QCOMPARE(answer.error().implementation, std::string("choosy"));
        QCOMPARE(answer.error().reason, reason);
    }

    void makesAKernelOfACallable() {
        const float x = 3;
        float y = 0;
        const void* inputs[] = {&x};
        void* outputs[] = {&y};
        makeKernel([](const KernelArguments& arguments) {
            *static_cast<float*>(arguments.outputs[0]) =
                2 * *static_cast<const float*>(arguments.inputs[0]);
        })->run({inputs, outputs});
        QCOMPARE(y, 6.0F);
    }
};

std::unique_ptr<QObject> makeTestKernel() { return std::make_unique<TestKernel>(); }

#include "tst_kernel.moc"
