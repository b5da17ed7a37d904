// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/accessible_canvas.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_fixture.h"

#include <QAccessible>

using namespace weft;
using namespace weft::ui;

class TestAccessibleCanvas : public QObject {
    Q_OBJECT

    using Fixture = test::CanvasFixture;

    static QStringList names(QAccessibleInterface& canvas) {
        QStringList all;
        for (int i = 0; i < canvas.childCount(); ++i) {
            all << canvas.child(i)->text(QAccessible::Name);
        }
        return all;
    }

private Q_SLOTS:
    void layersBadgesAndPortsAreChildren() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        fixture.document.edit("Spread", [&](Design& design) {
            return assign(design, {}, {fixture.named("fc1")},
                          Assignment{{}, {}, {AxisWord::modelStack}});
        });
        QVERIFY(fixture.waitForCheck());
        QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&fixture.view);
        QVERIFY(canvas != nullptr);
        const QString all = names(*canvas).join('\n');
        QVERIFY2(all.contains("conv1, conv2d, data over 2 devices, "), qPrintable(all));
        QVERIFY2(all.contains("all-gather from flat to fc1, "), qPrintable(all));
        QVERIFY2(all.contains("fc1, input x, from flat"), qPrintable(all));
        QVERIFY2(all.contains("picture, output y, to conv1"), qPrintable(all));
        QVERIFY(canvas->child(0)->rect().isValid());
        QCOMPARE(canvas->indexOfChild(canvas->child(3)), 3);
    }

    void namesSayWhatTheDrawingShows() {
        NodeView node;
        node.name = "conv2";
        node.kind = "conv2d";
        node.assignment = QStringLiteral("data ×4");
        QCOMPARE(spokenName(node, 0.0129),
                 QStringLiteral("conv2, conv2d, data over 4 devices, 12.9\u202Fms, no problems"));
    }

    void whatIsPressedIsSelected() {
        Fixture fixture;
        QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&fixture.view);
        QAccessibleInterface* layer = canvas->child(1);
        layer->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(fixture.selection.has(fixture.fc));
        QVERIFY(layer->state().selected);
        QVERIFY(!canvas->child(0)->state().selected);
        QTest::keyClick(&fixture.view, Qt::Key_Down);
        QVERIFY(canvas->focusChild() != nullptr);
        QVERIFY(canvas->focusChild()
                    ->text(QAccessible::Name)
                    .startsWith(fixture.view.list().node(fixture.relu)->name));
    }

    void whatIsGoneIsNoChild() {
        Fixture fixture;
        QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&fixture.view);
        const auto before = names(*canvas).size();
        fixture.document.edit(
            "Delete", [&](Design& design) { return removeLayers(design, {}, {fixture.relu}); });
        QVERIFY(names(*canvas).size() < before);
    }
};

std::unique_ptr<QObject> makeTestAccessibleCanvas() {
    return std::make_unique<TestAccessibleCanvas>();
}

#include "tst_accessible_canvas.moc"
