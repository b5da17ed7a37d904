// SPDX-License-Identifier: Apache-2.0
// Time of a layer per step, from the sums that a run reports one after the other.
#include "runs/layer_sums.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestLayerSums : public QObject {
    Q_OBJECT

    static RunProfile reported(std::int64_t at, Pass pass, SpanKind kind, std::int64_t steps,
                               std::int64_t time) {
        return {.time = at,
                .entry = {.origin = {LayerId{2}, 0},
                          .layer = "code",
                          .pass = pass,
                          .kind = kind,
                          .device = DeviceId{0},
                          .steps = steps,
                          .time = {time}}};
    }

private Q_SLOTS:
    /// A step that computes and copies is one step, and neither takes the place of the other.
    void kindsOfOneLayerAddUp() {
        LayerSums sums;
        for (const std::int64_t second : {1, 2}) {
            const std::int64_t at = 1'000 * second;
            sums.add(std::vector{reported(at, Pass::forward, SpanKind::compute, 10, 7000 * second),
                                 reported(at + 1, Pass::forward, SpanKind::copy, 10, 100),
                                 reported(at + 2, Pass::forward, SpanKind::communicate, 10, 50),
                                 reported(at + 3, Pass::forward, SpanKind::wait, 10, 9000),
                                 reported(at + 4, Pass::update, SpanKind::compute, 10, 200)});
        }
        const LayerTime latest = sums.latest().at({LayerId{2}, 0});
        QCOMPARE(latest.forward.count, std::int64_t{1410});
        QCOMPARE(latest.update.count, std::int64_t{20});
        QCOMPARE(latest.communicate.count, std::int64_t{5});
        const LayerTime mean = sums.mean().at({LayerId{2}, 0});
        QCOMPARE(mean.forward.count, std::int64_t{1060});
        QCOMPARE(mean.communicate.count, std::int64_t{5});
    }
};

std::unique_ptr<QObject> makeTestLayerSums() { return std::make_unique<TestLayerSums>(); }
#include "tst_layer_sums.moc"
