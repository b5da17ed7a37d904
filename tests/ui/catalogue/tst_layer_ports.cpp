// SPDX-License-Identifier: Apache-2.0
#include "catalogue/layer_ports.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestLayerPorts : public QObject {
    Q_OBJECT

    const std::vector<LayerKindInfo> kinds_ = catalogue();

    [[nodiscard]] PortNames portsOfKind(const char* kind, const Attributes& attributes,
                                        int wiresInto) const {
        return portsOf(nullptr, findKind(kinds_, kind), attributes, wiresInto);
    }

private Q_SLOTS:
    void anyNumberOfWiresHasAFreePort() {
        QCOMPARE(portsOfKind("concat", {}, 2).inputs, (QStringList{"x0", "x1", "x2"}));
        QCOMPARE(portsOfKind("concat", {}, 2).outputs, QStringList{"y"});
    }

    void splitHasAnOutputForEachOfItsSizes() {
        QCOMPARE(portsOfKind("split", {}, 1).outputs, (QStringList{"y0", "y1"}));
        const Attributes three{{"sizes", std::vector<std::int64_t>{1, 2, -1}}};
        QCOMPARE(portsOfKind("split", three, 1).outputs, (QStringList{"y0", "y1", "y2"}));
    }
};

std::unique_ptr<QObject> makeTestLayerPorts() { return std::make_unique<TestLayerPorts>(); }

#include "tst_layer_ports.moc"
