// SPDX-License-Identifier: Apache-2.0
#include "schedule/kernel_chooser.h"

#include <QTest>

using namespace weft;

namespace {

KernelMaker makerOf(const std::string& implementation) {
    return {"relu", implementation, [implementation](const KernelRequest&) {
                return ChoiceOrRefusal(KernelChoice{.implementation = implementation});
            }};
}

} // namespace

class TestKernelChooser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Those that round come first where they may, and are not asked where they may not; one memory
    /// keeps both answers apart.
    void asksWhatRoundsWhereItMay() {
        Backend backend;
        backend.kernels.add(makerOf("own"));
        backend.rounding.add(makerOf("rounding"));
        const KernelList lastResort;
        ChoiceMemory memory;
        for (int asked = 0; asked < 2; ++asked) {
            const auto chosen = [&](Precision precision) {
                return KernelChooser(backend, lastResort, &memory, precision)
                    .choose({.op = "relu"})
                    ->implementation;
            };
            QCOMPARE(chosen(Precision::exact), std::string("own"));
            QCOMPARE(chosen(Precision::tf32), std::string("rounding"));
        }
    }

    void comesToTheOthersWhereNothingRounds() {
        Backend backend;
        backend.kernels.add(makerOf("own"));
        const KernelList lastResort;
        const KernelChooser chooser(backend, lastResort, nullptr, Precision::tf32);
        QCOMPARE(chooser.choose({.op = "relu"})->implementation, std::string("own"));
    }
};

std::unique_ptr<QObject> makeTestKernelChooser() { return std::make_unique<TestKernelChooser>(); }

#include "tst_kernel_chooser.moc"
