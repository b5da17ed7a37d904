// SPDX-License-Identifier: Apache-2.0
#include "kernel_case.h"
#include "ops/ops.h"

#include <QTest>
#include <algorithm>
#include <cmath>

namespace weft::cpu {

void fill(KernelList& list);

} // namespace weft::cpu

namespace weft::test {

namespace {

/// Largest difference from the oracle, in units of what its size and length of sums allow.
double worst(const Tensor& found, const Tensor& expected) {
    double largest = 0;
    for (const double value : expected.values) {
        largest = std::max(largest, std::abs(value));
    }
    double difference = 0;
    for (std::size_t k = 0; k < expected.values.size(); ++k) {
        const double a = found.values[k];
        const double b = expected.values[k];
        if (std::isnan(a) || std::isnan(b)) {
            difference = std::isnan(a) == std::isnan(b) ? difference : 1e9;
        } else {
            difference = std::max(difference, std::abs(a - b) / (1e-6 + largest));
        }
    }
    return difference;
}

} // namespace

class TestFormats : public QObject {
    Q_OBJECT

private slots:
    void agreeWithTheOracle_data();
    void agreeWithTheOracle();

private:
    OpList ops_;
    KernelList kernels_;
};

void TestFormats::agreeWithTheOracle_data() {
    ops::fill(ops_);
    cpu::fill(kernels_);
    QTest::addColumn<QString>("op");
    for (const std::string& op : kernels_.ops()) {
        if (ops_.find(op) != nullptr) {
            QTest::newRow(op.c_str()) << QString::fromStdString(op);
        }
    }
}

void TestFormats::agreeWithTheOracle() {
    QFETCH(QString, op);
    int ran = 0;
    for (const KernelCase& each : casesOf(ops_.at(op.toStdString()), ops_, 7)) {
        for (const KernelMaker& maker : kernels_.of(each.op)) {
            for (const char* format : {"", "acdb"}) {
                for (const bool mayChoose : {true, false}) {
                    for (const int cores : {1, 2, 3}) {
                        const Outcome outcome =
                            runKernel(maker, each, {{format}, cores, mayChoose});
                        const std::string where = each.name + " '" + format + "' by " +
                                                  maker.implementation + " on " +
                                                  std::to_string(cores);
                        if (!outcome.refusal.empty()) {
                            QVERIFY2(!mayChoose, (where + ": " + outcome.refusal).c_str());
                            continue;
                        }
                        ++ran;
                        QVERIFY2(outcome.overrun.empty(), (where + outcome.overrun).c_str());
                        for (std::size_t k = 0; k < each.outputs.size(); ++k) {
                            const double found = worst(outcome.outputs[k], each.outputs[k]);
                            QVERIFY2(found < 2e-5, (where + " output " + std::to_string(k) + ": " +
                                                    std::to_string(found))
                                                       .c_str());
                        }
                    }
                }
            }
        }
    }
    QVERIFY(ran > 0);
}

} // namespace weft::test

std::unique_ptr<QObject> makeTestFormats() { return std::make_unique<weft::test::TestFormats>(); }

#include "tst_formats.moc"
