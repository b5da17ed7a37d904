// SPDX-License-Identifier: Apache-2.0
#include "document/count_layers.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/group_edits.h>

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestCountLayers : public QObject {
    Q_OBJECT

    static double countOf(const Design& design) { return countLayers(design, design.network); }

private Q_SLOTS:
    void groupingLeavesTheNumberAsItWas() {
        Design design =
            loadDesign(test::sourceFolder() / "projects/alexnet-one-weird-trick/design.weft",
                       catalogue())
                .design;
        QCOMPARE(countOf(design), 25.0);
        std::vector<LayerId> layers;
        for (const char* name : {"conv2", "relu2", "pool2"}) {
            layers.push_back(findLayer(design.network, std::string_view(name))->id);
        }
        const Edited made = makeGroup(design, {}, layers, "block");
        QVERIFY(made.isDone());
        QCOMPARE(countOf(design), 25.0);
        QVERIFY(setRepeat(design, {}, made.layer(), 4).isDone());
        QCOMPARE(countOf(design), 34.0);
    }

    void whatCannotBeCountedIsOne() {
        Design design;
        design.network.layers = {{.id = LayerId{1}, .name = "lost", .kind = "group", .group = "x"}};
        QCOMPARE(countOf(design), 1.0);
        GroupDefinition group;
        group.name = "x";
        group.network.layers = {{.id = LayerId{1}, .name = "again", .kind = "group", .group = "x"},
                                {.id = LayerId{2}, .name = "plain", .kind = "relu"}};
        design.groups.push_back(group);
        QCOMPARE(countOf(design), 2.0);
    }
};

std::unique_ptr<QObject> makeTestCountLayers() { return std::make_unique<TestCountLayers>(); }

#include "tst_count_layers.moc"
