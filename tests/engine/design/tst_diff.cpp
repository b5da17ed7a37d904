// SPDX-License-Identifier: Apache-2.0
#include "random_document.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/design_file.h>

#include <QTest>

using namespace weft;

namespace {

Design lenet() {
    return loadDesign(test::sourceFolder() / "tests/engine/design/golden/lenet.weft").design;
}

Layer& layer(Network& network, std::string_view name) {
    for (Layer& each : network.layers) {
        if (each.name == name) {
            return each;
        }
    }
    throw std::runtime_error("no such layer");
}

/// Returns the design without positions.
Design unplaced(Design design) {
    const auto forget = [](Network& network) {
        for (Layer& each : network.layers) {
            each.position.reset();
        }
    };
    forget(design.network);
    for (GroupDefinition& group : design.groups) {
        forget(group.network);
    }
    return design;
}

QString texts(const std::vector<Change>& changes) {
    QStringList list;
    for (const Change& change : changes) {
        list << QString::fromStdString(change.text);
    }
    return list.join("; ");
}

} // namespace

class TestDiff : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysNothingOfEqualDesigns() { QCOMPARE(texts(diff(lenet(), lenet())), QString()); }

    void namesWhatChanged() {
        const Design before = lenet();
        Design after = before;
        layer(after.network, "fc1").attributes.set("units", std::int64_t{300});
        layer(after.network, "fc2").name = "fc3";
        layer(after.groups[0].network, "conv").attributes.set("kernel", std::int64_t{3});
        after.training.learningRate = 0.02;
        after.network.wires.pop_back();
        const std::vector<Change> changes = diff(before, after);
        QCOMPARE(texts(changes), QString("design: learning_rate 0.01 -> 0.02; conv: kernel 5 -> 3; "
                                         "fc1: units 500 -> 300; fc3: name fc2 -> fc3; "
                                         "wire label.y -> loss.target removed"));
        QCOMPARE(changes[1].network, std::string("stage"));
        QCOMPARE(changes[2].layer, LayerId{6});
    }

    void namesWhatCameAndWent() {
        const Design before = lenet();
        Design after = before;
        after.network.layers.pop_back();
        after.network.wires.resize(5);
        after.network.layers.push_back({.id = LayerId{20}, .name = "new", .kind = "relu"});
        after.network.comments.clear();
        after.groups.clear();
        QCOMPARE(
            texts(diff(before, after)),
            QString("group stage removed; layer loss (softmax_cross_entropy) removed; layer new "
                    "(relu) added; wire relu1.y -> fc2.x removed; wire fc2.y -> loss.x removed; "
                    "wire label.y -> loss.target removed; comment see the lectures removed"));
    }

    void tellsEveryTwoDesignsApart() {
        QVERIFY(rc::check("unequal designs differ by something", [] {
            const Design a = *test::anyDesign();
            const Design b = *test::anyDesign();
            RC_ASSERT(diff(a, a).empty());
            RC_ASSERT(a != b || diff(a, b).empty());
            RC_ASSERT(!diff(a, b).empty() || unplaced(a) == unplaced(b));
        }));
    }

    void whatIsFirstPlacedWasNotMoved() {
        const Design bare = unplaced(lenet());
        QVERIFY(diff(bare, lenet()).empty());
        QVERIFY(diff(lenet(), bare).empty());
    }

    void fingerprintKnowsWhatComputes() {
        const Design design = lenet();
        Design moved = design;
        layer(moved.network, "fc1").position = Point{1, 2};
        layer(moved.network, "fc1").note = "moved";
        layer(moved.network, "fc1").pinned = true;
        moved.network.wires[0].via = {{1, 2}};
        moved.network.frames.clear();
        moved.network.comments.clear();
        moved.devices[1].colour = 5;
        QVERIFY(computesTheSame(moved, design));
        std::swap(moved.network.wires[0], moved.network.wires[1]);
        moved.name = "other";
        QCOMPARE(fingerprint(moved), fingerprint(design));

        Design other = design;
        layer(other.network, "fc1").attributes.set("units", std::int64_t{501});
        QVERIFY(fingerprint(other) != fingerprint(design));
        QVERIFY(!computesTheSame(other, design));
        other = design;
        layer(other.network, "fc1").assignment.reset();
        QVERIFY(fingerprint(other) != fingerprint(design));
        QVERIFY(!computesTheSame(other, design));
        other = design;
        other.training.seed = 8;
        QVERIFY(fingerprint(other) != fingerprint(design));
        QVERIFY(!computesTheSame(other, design));
        other = design;
        other.network.wires.pop_back();
        QVERIFY(fingerprint(other) != fingerprint(design));
        QVERIFY(!computesTheSame(other, design));
    }
};

std::unique_ptr<QObject> makeTestDiff() { return std::make_unique<TestDiff>(); }

#include "tst_diff.moc"
