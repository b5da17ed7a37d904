// SPDX-License-Identifier: Apache-2.0
#include "design/names.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;

class TestNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsOnFromWhatIsTaken() {
        NameMaker names;
        QCOMPARE(names.unique("conv"), std::string("conv"));
        QCOMPARE(names.unique("conv"), std::string("conv2"));
        QCOMPARE(names.unique("conv2"), std::string("conv3"));
        QCOMPARE(names.counted("relu"), std::string("relu1"));
        QCOMPARE(names.counted("relu"), std::string("relu2"));
        QCOMPARE(names.unique("7"), std::string("7"));
        QCOMPARE(names.unique("7"), std::string("72"));
    }

    void countsManyEqualNamesInGoodTime() {
        NameMaker names;
        std::string last;
        for (int i = 0; i < 100000; ++i) {
            last = names.unique("a");
        }
        QCOMPARE(last, std::string("a100000"));
    }

    void toldWhichNamesMayBe_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isName");
        QTest::newRow("plain") << "conv1" << true;
        QTest::newRow("dots") << "layer1.0.conv" << true;
        QTest::newRow("blank inside") << "fc 6" << true;
        QTest::newRow("umlaut") << "gr\u00f6\u00dfe" << true;
        QTest::newRow("empty") << "" << false;
        QTest::newRow("path") << "a/b" << false;
        QTest::newRow("arrow") << "a->b" << false;
        QTest::newRow("number") << "a[2]" << false;
        QTest::newRow("line") << "a\nb" << false;
        QTest::newRow("blank before") << " a" << false;
    }
    void toldWhichNamesMayBe() {
        QFETCH(QString, name);
        QFETCH(bool, isName);
        QCOMPARE(isLayerName(name.toStdString()), isName);
    }

    void givesIdsThatAreFree() {
        Network network;
        QCOMPARE(freeLayerId(network), LayerId{1});
        network.layers.push_back({.id = LayerId{7}, .name = "a", .kind = "relu"});
        QCOMPARE(freeLayerId(network), LayerId{8});
        network.layers.push_back({.id = LayerId{LayerId::none - 1}, .name = "b", .kind = "relu"});
        QCOMPARE(freeLayerId(network), LayerId{1});
    }
};

std::unique_ptr<QObject> makeTestNames() { return std::make_unique<TestNames>(); }

#include "tst_names.moc"
