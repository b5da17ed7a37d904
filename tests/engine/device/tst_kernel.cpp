// SPDX-License-Identifier: Apache-2.0
#include "device/kernel.h"

#include <QTest>

using namespace weft;

namespace {

KernelMaker makerOf(std::string op, const std::string& implementation) {
    return {std::move(op), implementation, [implementation](const KernelRequest&) {
                return PreparationOrRefusal(
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

    void makesAKernelOfACallable() {
        const float x = 3;
        float y = 0;
        const void* inputs[] = {&x};
        void* outputs[] = {&y};
        makeKernel([](const KernelArguments& at) {
            *static_cast<float*>(at.outputs[0]) = 2 * *static_cast<const float*>(at.inputs[0]);
        })->run({inputs, outputs});
        QCOMPARE(y, 6.0F);
    }
};

std::unique_ptr<QObject> makeTestKernel() { return std::make_unique<TestKernel>(); }

#include "tst_kernel.moc"
