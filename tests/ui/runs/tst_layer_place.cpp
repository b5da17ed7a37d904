// SPDX-License-Identifier: Apache-2.0
#include "runs/layer_place.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestLayerPlace : public QObject {
    Q_OBJECT

    static Design nested() {
        Design design;
        design.network.layers = {
            {.id = LayerId{1}, .name = "images", .kind = "input"},
            {.id = LayerId{2}, .name = "block", .kind = "group", .group = "B"}};
        GroupDefinition inner{.name = "C"};
        inner.network.layers = {{.id = LayerId{1}, .name = "relu", .kind = "relu"}};
        GroupDefinition outer{.name = "B"};
        outer.network.layers = {{.id = LayerId{1}, .name = "conv1", .kind = "conv2d"},
                                {.id = LayerId{2}, .name = "c", .kind = "group", .group = "C"}};
        design.groups = {outer, inner};
        return design;
    }

private Q_SLOTS:
    void namesLeadToLayers_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("group");
        QTest::addColumn<int>("layer");
        QTest::newRow("top") << "images"
                             << "" << 1;
        QTest::newRow("group itself") << "block"
                                      << "" << 2;
        QTest::newRow("inside") << "block/conv1"
                                << "B" << 1;
        QTest::newRow("a copy") << "block[12]/conv1"
                                << "B" << 1;
        QTest::newRow("two deep") << "block[2]/c/relu"
                                  << "C" << 1;
        QTest::newRow("gone") << "block/none"
                              << "" << -1;
        QTest::newRow("no group") << "images/conv1"
                                  << "" << -1;
        QTest::newRow("empty") << ""
                               << "" << -1;
    }
    void namesLeadToLayers() {
        QFETCH(QString, name);
        QFETCH(QString, group);
        QFETCH(int, layer);
        const auto place = placeOf(nested(), name.toStdString());
        QCOMPARE(place.has_value(), layer >= 0);
        if (place) {
            QCOMPARE(QString::fromStdString(place->path.group), group);
            QCOMPARE(place->layer.value, std::uint32_t(layer));
        }
    }

    void aGroupHoldsItsLayers() {
        const Design design = nested();
        const LayerPlace block{{}, LayerId{2}};
        QVERIFY(isWithin(design, "block[1]/conv1", block));
        QVERIFY(isWithin(design, "block/c/relu", block));
        QVERIFY(!isWithin(design, "images", block));
        QVERIFY(isWithin(design, "block[7]/c/relu", {{"C"}, LayerId{1}}));
        QVERIFY(!isWithin(design, "block[7]/conv1", {{"C"}, LayerId{1}}));
    }
};

std::unique_ptr<QObject> makeTestLayerPlace() { return std::make_unique<TestLayerPlace>(); }
#include "tst_layer_place.moc"
