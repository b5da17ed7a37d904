// SPDX-License-Identifier: Apache-2.0
// Every kernel of backends/cuda computes what the reference computes, in whatever order its threads
// take turns, and always the same bits. And the emulator refuses what no GPU would run.

#include "backends/cuda/kernels/launch.h"
#include "emulated.h"

#include <QTest>
#include <array>
#include <map>
#include <stdexcept>

using namespace weft;
using namespace weft::test;

namespace {

const std::map<QString, simt::Order> allOrders = {{"ascending", simt::Order::ascending},
                                                  {"descending", simt::Order::descending},
                                                  {"random", simt::Order::random}};
const std::map<QString, simt::Order> orders =
    WEFT_ONE_ORDER ? std::map<QString, simt::Order>{*allOrders.rbegin()} : allOrders;

} // namespace

class TestEmulated : public QObject {
    Q_OBJECT

    EmulatedCuda cuda_;
private Q_SLOTS:
    void agreesWithTheReference_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("order");
        for (const std::string& op : cuda_.ops()) {
            for (const auto& [order, value] : orders) {
                QTest::newRow((op + " " + order.toStdString()).c_str())
                    << QString::fromStdString(op) << order;
            }
        }
    }
    void agreesWithTheReference() {
        QFETCH(QString, op);
        QFETCH(QString, order);
        const int before = cuda_.compared();
        const std::string fault = cuda_.faultOf(op.toStdString(), orders.at(order));
        QVERIFY2(fault.empty(), fault.c_str());
        QVERIFY2(cuda_.compared() > before, "refuses every sample of its op");
    }

    /// A barrier gives what threads before it wrote; a shuffle what other lanes gave.
    void threadsMeetWhereTheyWait() {
        for (const auto& [name, order] : orders) {
            simt::schedule(order);
            std::array<int, 64> met = {};
            simt::launch(1, 64, 0, [&met] {
                static int shared[64];
                shared[threadIdx.x] = static_cast<int>(threadIdx.x);
                __syncthreads();
                const int other = shared[63 - threadIdx.x];
                met[threadIdx.x] = other + __shfl_xor_sync(~0U, other, 1);
            });
            for (int k = 0; k < 64; ++k) {
                QCOMPARE(met[static_cast<std::size_t>(k)], 63 - k + (63 - (k ^ 1)));
            }
        }
    }

    void refusesWhatNoGpuRuns_data() {
        QTest::addColumn<int>("kernel");
        QTest::newRow("a barrier that half of the threads reach") << 0;
        QTest::newRow("two barriers at once") << 1;
        QTest::newRow("lanes outside their own mask") << 2;
        QTest::newRow("lanes that wait for one that has ended") << 3;
    }
    void refusesWhatNoGpuRuns() {
        QFETCH(int, kernel);
        const std::array<void (*)(), 4> kernels = {[] {
                                                       if (threadIdx.x < 32) {
                                                           __syncthreads();
                                                       }
                                                   },
                                                   [] {
                                                       if (threadIdx.x < 32) {
                                                           __syncthreads();
                                                       } else {
                                                           __syncthreads();
                                                       }
                                                   },
                                                   [] { __syncwarp(1U); },
                                                   [] {
                                                       if (threadIdx.x != 7) {
                                                           __syncwarp();
                                                       }
                                                   }};
        for (const auto& [name, order] : orders) {
            simt::schedule(order);
            QVERIFY_THROWS_EXCEPTION(
                std::runtime_error,
                simt::launch(1, 64, 0, kernels.at(static_cast<std::size_t>(kernel))));
        }
    }

    void refusesWhatIsOverTheLimits() {
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, simt::launch(1, 2048, 0, [] {}));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, simt::launch({1, 65536}, 32, 0, [] {}));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, simt::launch(1, 32, 1 << 20, [] {}));
    }
};

std::unique_ptr<QObject> makeTestEmulated() { return std::make_unique<TestEmulated>(); }

#include "tst_emulated.moc"
