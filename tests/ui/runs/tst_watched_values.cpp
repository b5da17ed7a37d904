// SPDX-License-Identifier: Apache-2.0
#include "runs/watched_values.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestWatchedValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNewestOfEachValueIsWatched() {
        const std::vector<RunFile> tensors{
            {1, 3, "tensors/step-000000003.conv1.y.npy"},
            {1, 9, "tensors/step-000000009.conv1.y.npy"},
            {1, 9, "tensors/step-000000009.conv1.weight.gradient.npy"},
            {1, 9, "tensors/step-000000009.block[2].fc.y.npy"}};
        const std::vector<RunFile> checkpoints{{1, 8, "checkpoints/step-000000008.safetensors"}};
        const auto values = watchedValues("/run", tensors, checkpoints,
                                          {"conv1.weight", "block[2]/fc.bias", "odd"});
        QCOMPARE(values.size(), std::size_t{5});
        const auto find = [&](const std::string& part, const std::string& layer) {
            for (const WatchedValue& value : values) {
                if (value.part == part && belongsTo(value, layer)) {
                    return value;
                }
            }
            return WatchedValue{};
        };
        QCOMPARE(find("y", "conv1").step, 9);
        QVERIFY(find("weight.gradient", "conv1").kind == ValueKind::gradient);
        QVERIFY(find("weight", "conv1").kind == ValueKind::weight);
        QCOMPARE(find("weight", "conv1").tensor, std::string("conv1.weight"));
        QVERIFY(find("y", "block[2]/fc").kind == ValueKind::activation);
        QVERIFY(find("bias", "block[2]/fc").kind == ValueKind::weight);
    }

    void nothingKeptIsNothingToWatch() {
        QVERIFY(watchedValues("/run", {}, {}, {"conv1.weight"}).empty());
        QVERIFY(watchedValues("/run", {{1, 1, "odd"}}, {}, {}).empty());
    }
};

std::unique_ptr<QObject> makeTestWatchedValues() { return std::make_unique<TestWatchedValues>(); }
#include "tst_watched_values.moc"
