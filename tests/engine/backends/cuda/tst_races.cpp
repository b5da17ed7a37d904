// SPDX-License-Identifier: Apache-2.0
// No kernel of backends/cuda has a race, reads shared memory that nobody wrote or touches what is
// none of its operands; and what has is refused.

#include "emulated.h"
#include "racing.h"
#include "simt/races.h"

#include <QTest>
#include <stdexcept>

using namespace weft::test;

class TestRaces : public QObject {
    Q_OBJECT

    EmulatedCuda cuda_{{.owns = simt::ownMemory, .ends = simt::disownMemory}};

private Q_SLOTS:
    void areSeen_data() {
        QTest::addColumn<int>("how");
        QTest::newRow("nothing wrong") << static_cast<int>(Wrong::nothing);
        QTest::newRow("no barrier") << static_cast<int>(Wrong::noBarrier);
        QTest::newRow("two writers") << static_cast<int>(Wrong::twoWriters);
        QTest::newRow("never written") << static_cast<int>(Wrong::neverWritten);
        QTest::newRow("one too far") << static_cast<int>(Wrong::oneTooFar);
        QTest::newRow("not atomic") << static_cast<int>(Wrong::notAtomic);
    }
    void areSeen() {
        QFETCH(int, how);
        constexpr std::size_t n = 64;
        std::vector<float> memory(3 * n, 1); // one allocation: nothing lies between the parts
        float* const x = memory.data();
        float* const y = x + n;
        simt::ownMemory(x, n * sizeof(float));
        simt::ownMemory(y, n * sizeof(float));
        for (const simt::Order order :
             {simt::Order::ascending, simt::Order::descending, simt::Order::random}) {
            simt::schedule(order);
            const auto run = [&] { launchWrong(static_cast<Wrong>(how), x, y); };
            if (how == static_cast<int>(Wrong::nothing)) {
                run();
            } else {
                QVERIFY_THROWS_EXCEPTION(std::runtime_error, run());
            }
        }
        simt::disownMemory();
    }

    void noKernelHasOne_data() {
        QTest::addColumn<QString>("op");
        for (const std::string& op : cuda_.ops()) {
            QTest::newRow(op.c_str()) << QString::fromStdString(op);
        }
    }
    void noKernelHasOne() {
        QFETCH(QString, op);
        const std::string fault = cuda_.faultOf(op.toStdString(), simt::Order::ascending);
        QVERIFY2(fault.empty(), fault.c_str());
    }
};

std::unique_ptr<QObject> makeTestRaces() { return std::make_unique<TestRaces>(); }

#include "tst_races.moc"
