// SPDX-License-Identifier: Apache-2.0
// Drawing a network by hand: every gesture and key of the canvas, through the window.
#include "panels/palette/palette_panel.h"
#include "shell/docks/docks.h"
#include "shell/export_picture.h"
#include "shell/files.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "workspace/mend.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>
#include <QTreeView>
#include <algorithm>

using namespace weft;
using namespace weft::test;

class TestDrawing : public QObject {
    Q_OBJECT

    /// Adds a layer by Tab at a place of the view.
    static LayerId add(WindowStory& story, QPoint at, const QString& typed) {
        Q_EMIT story.page().view().addWanted(story.page().view().viewport().toScene(at));
        story.type(typed);
        story.key(Qt::Key_Return);
        return story.page().design().selection().current();
    }

private Q_SLOTS:
    void keysAreGivenOnce() {
        WindowStory story;
        QCOMPARE(story.keysGivenTwice(), QStringList());
    }

    void aNetworkIsDrawnByHand() {
        WindowStory story;
        story.command("file.new");
        QVERIFY(story.window().page() != nullptr);
        story.page().view().camera().zoomTo(1, {});
        const LayerId input = add(story, {400, 100}, "input");
        // "fc" is what others call a dense layer.
        const LayerId dense = add(story, {400, 300}, "fc");
        QCOMPARE(QString::fromStdString(findLayer(story.design().network, dense)->kind),
                 QStringLiteral("dense"));
        story.drag(story.port(input, false), story.port(dense, true));
        QCOMPARE(story.design().network.wires.size(), std::size_t{1});
        // A wire let go over nothing offers what fits, and wires it.
        const QPoint from = story.port(dense, false);
        story.drag(from, from + QPoint(20, 120));
        story.type("relu");
        story.key(Qt::Key_Return);
        QCOMPARE(story.design().network.layers.size(), std::size_t{3});
        QCOMPARE(story.design().network.wires.size(), std::size_t{2});
        // Each is one step back.
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(story.design().network.layers.size(), std::size_t{2});
        story.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(story.design().network.layers.size(), std::size_t{3});
    }

    void anEmptyNetworkIsBegunByItsButton() {
        WindowStory story;
        story.command("file.new");
        auto* begin = story.page().findChild<QPushButton*>(QStringLiteral("begin"));
        QVERIFY(begin != nullptr && begin->isVisible());
        story.picture(QStringLiteral("empty-network"));
        QTest::mouseClick(begin, Qt::LeftButton);
        QCOMPARE(story.design().network.layers.size(), std::size_t{1});
        QCOMPARE(story.design().network.layers.front().kind, std::string("input"));
        QVERIFY(!begin->isVisible());
        story.picture(QStringLiteral("begun-network"));
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(begin->isVisible());
    }

    void anAddedLayerIsWiredToTheSelectedOne() {
        WindowStory story;
        story.command("file.new");
        story.page().view().camera().zoomTo(1, {});
        const LayerId input = add(story, {400, 100}, "input");
        story.page().design().selection().select({input});
        Q_EMIT story.page().context().placeWanted(QStringLiteral("dense")); // as the palette does
        const LayerId dense = story.page().design().selection().current();
        const LayerId loss = add(story, {100, 100}, "softmax_cross_entropy");
        const Network& network = story.design().network;
        QCOMPARE(network.wires.size(), std::size_t{2});
        QCOMPARE(network.wires[0].from.layer, input);
        QCOMPARE(network.wires[0].to.layer, dense);
        QCOMPARE(network.wires[1].from.layer, dense);
        QCOMPARE(network.wires[1].to.layer, loss);
        QVERIFY(findLayer(network, input)->position->y < findLayer(network, dense)->position->y);
        QVERIFY(findLayer(network, dense)->position->y < findLayer(network, loss)->position->y);
        // The first fix of a loss without labels adds an input for them.
        QVERIFY(story.waitForCheck());
        story.command("problem.fix");
        QCOMPARE(network.layers.size(), std::size_t{4});
        QCOMPARE(network.layers.back().kind, std::string("input"));
        QCOMPARE(network.wires.back().to, (Endpoint{loss, "target"}));
        // What has no inputs is added unwired, and a loss feeds nothing.
        Q_EMIT story.page().context().placeWanted(QStringLiteral("input"));
        story.page().design().selection().select({loss});
        Q_EMIT story.page().context().placeWanted(QStringLiteral("relu"));
        QCOMPARE(story.design().network.wires.size(), std::size_t{3});
    }

    void aDoubleClickAndThePaletteAddBelowTheSelectedLayer() {
        WindowStory story;
        story.command("file.new");
        story.page().view().camera().zoomTo(1, {});
        const LayerId input = add(story, {300, 60}, "input");
        const auto isReadBy = [&](LayerId from, LayerId to) {
            const Wire& wire = story.design().network.wires.back();
            const auto place = [&](LayerId layer) {
                return *findLayer(story.design().network, layer)->position;
            };
            return wire.from.layer == from && wire.to.layer == to && place(from).y < place(to).y;
        };
        // The first of the two clicks clears the selection.
        const QPoint ground(500, 40);
        story.click(input);
        QTest::mouseClick(&story.page().view(), Qt::LeftButton, {}, ground);
        QVERIFY(story.page().design().selection().isEmpty());
        story.click(input);
        QTest::mouseClick(&story.page().view(), Qt::LeftButton, {}, ground);
        QTest::mouseDClick(&story.page().view(), Qt::LeftButton, {}, ground);
        story.type("dense");
        story.key(Qt::Key_Return);
        const LayerId dense = story.page().design().selection().current();
        QVERIFY(isReadBy(input, dense));
        auto* palette = story.window().findChild<ui::PalettePanel*>();
        auto* field = palette->findChild<QLineEdit*>();
        field->setFocus();
        story.type("relu");
        story.key(Qt::Key_Return);
        const LayerId relu = story.page().design().selection().current();
        QVERIFY(isReadBy(dense, relu));
        field->setText(QStringLiteral("tanh"));
        auto* tree = palette->findChild<QTreeView*>();
        const QPoint row = tree->visualRect(tree->model()->index(0, 0)).center();
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, row);
        QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, row);
        QVERIFY(isReadBy(relu, story.page().design().selection().current()));
        QCOMPARE(story.design().network.layers.size(), std::size_t{4});
    }

    void readersOfOneOutputStandSideBySide() {
        WindowStory story;
        story.command("file.new");
        story.page().view().camera().zoomTo(1, {});
        const LayerId input = add(story, {300, 60}, "input");
        std::vector<LayerId> readers;
        for (const char* kind : {"dense", "relu", "input", "tanh"}) {
            story.page().design().selection().select({input});
            story.key(Qt::Key_Tab);
            story.type(QString::fromUtf8(kind));
            story.key(Qt::Key_Return);
            readers.push_back(story.page().design().selection().current());
        }
        QCOMPARE(story.design().network.wires.size(), std::size_t{3});
        const auto box = [&](LayerId layer) { return story.page().view().list().node(layer)->box; };
        for (const LayerId one : readers) {
            QVERIFY(box(input).bottom() < box(one).top());
            QVERIFY(story.page().view().camera().visibleArea().contains(box(readers.back())));
            for (const LayerId other : readers) {
                QVERIFY(one == other || !box(one).intersects(box(other)));
            }
        }
    }

    void anAddedGroupIsWiredAndIsOneStep() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        story.page().view().setFocus();
        story.page().design().selection().select(
            {story.layerNamed("conv2"), story.layerNamed("pool2")});
        story.key(Qt::Key_G, Qt::ControlModifier);
        const std::string group = story.design().groups.front().name;
        const LayerId pool = story.layerNamed("pool1");
        story.page().design().selection().select({pool});
        const Design before = story.design();
        story.key(Qt::Key_Tab);
        story.type(QString::fromStdString(group));
        story.key(Qt::Key_Return);
        const LayerId made = story.page().design().selection().current();
        QCOMPARE(findLayer(story.design().network, made)->group, group);
        QCOMPARE(story.design().network.wires.size(), before.network.wires.size() + 1);
        QVERIFY(story.design().network.wires.back().from.layer == pool);
        QVERIFY(story.design().network.wires.back().to.layer == made);
        // What is added below an instance reads its output.
        story.key(Qt::Key_Tab);
        story.type("relu");
        story.key(Qt::Key_Return);
        QVERIFY(story.design().network.wires.back().from.layer == made);
        story.key(Qt::Key_Z, Qt::ControlModifier);
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(story.design() == before);
    }

    void aNetworkIsDrawnWithKeysAlone_data() {
        QTest::addColumn<QStringList>("kinds");
        QTest::newRow("classes") << QStringList{"input", "dense", "softmax cross"};
        QTest::newRow("numbers") << QStringList{"input", "dense", "mse"};
        QTest::newRow("pictures") << QStringList{"input", "conv2d", "relu", "dense",
                                                 "softmax cross"};
    }
    void aNetworkIsDrawnWithKeysAlone() {
        QFETCH(const QStringList, kinds);
        WindowStory story;
        story.key(Qt::Key_N, Qt::ControlModifier);
        for (const QString& kind : kinds) {
            story.key(Qt::Key_Tab);
            story.type(kind);
            story.key(Qt::Key_Return);
        }
        const auto errors = [&] {
            QStringList found;
            for (const Diagnostic& problem : ui::problemsOf(story.page().design())) {
                if (problem.severity == Severity::error && !problem.layer.isNone()) {
                    found << QString::fromStdString(problem.text + ": " + problem.fix.text);
                }
            }
            return found;
        };
        QVERIFY(story.waitForCheck());
        constexpr int most = 6;
        for (int i = 0; i < most && !errors().isEmpty(); ++i) {
            story.key(Qt::Key_Period, Qt::ControlModifier);
            QVERIFY(story.waitForCheck());
        }
        QVERIFY2(errors().isEmpty(), qPrintable(errors().join('\n')));
        const Network& network = story.design().network;
        const auto labels = std::ranges::find_if(network.layers, [](const Layer& layer) {
            return layer.kind == "input" && layer.name == "target";
        });
        QVERIFY(labels != network.layers.end());
        const std::vector<ui::NodeView>& nodes = story.page().view().list().nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                QVERIFY(!nodes[i].box.intersects(nodes[k].box));
            }
        }
        story.picture(QStringLiteral("keys-alone-") + QString::fromUtf8(QTest::currentDataTag()));
    }

    void portsAreConnectedWithKeysAlone() {
        WindowStory story;
        story.command("file.new");
        std::vector<LayerId> added;
        for (const char* kind : {"input", "add", "relu"}) {
            story.key(Qt::Key_Escape);
            story.key(Qt::Key_Tab);
            story.type(QString::fromUtf8(kind));
            story.key(Qt::Key_Return);
            added.push_back(story.page().design().selection().current());
        }
        const Network& network = story.design().network;
        const std::size_t before = network.wires.size();
        story.page().design().selection().select({added[0]});
        story.key(Qt::Key_W);
        story.type("relu");
        story.picture(QStringLiteral("connect-with-keys"));
        story.key(Qt::Key_Return);
        QCOMPARE(network.wires.size(), before + 1);
        QCOMPARE(network.wires.back().from.layer, added[0]);
        QCOMPARE(network.wires.back().to, (Endpoint{added[2], "x"}));
        // An input that has a wire gets this one instead, and the canvas has the keys again.
        story.page().design().selection().select({added[1]});
        story.key(Qt::Key_W);
        story.type("relu");
        story.key(Qt::Key_Return);
        QCOMPARE(network.wires.size(), before + 1);
        QCOMPARE(network.wires.back().from.layer, added[1]);
        story.key(Qt::Key_W);
        story.key(Qt::Key_Escape);
        story.key(Qt::Key_Z, Qt::ControlModifier);
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(network.wires.size(), before);
    }

    void fourGpusAreDeclaredInOneStep() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        const Design before = story.design();
        story.window().docks().reveal(QStringLiteral("devices"));
        QWidget* panel = story.window().docks().panel(QStringLiteral("devices"));
        auto* count = panel->findChild<QSpinBox*>(QStringLiteral("count"));
        count->setFocus();
        count->selectAll();
        QTest::keyClicks(count, "4");
        auto* declare = panel->findChild<QPushButton*>(QStringLiteral("declare"));
        // The last entry is a data sheet. Its menu runs until it is closed.
        QTimer::singleShot(0, declare, [declare] {
            QTest::keyClick(declare->menu(), Qt::Key_Up);
            QTest::keyClick(declare->menu(), Qt::Key_Return);
        });
        QTest::mouseClick(declare, Qt::LeftButton);
        const auto& devices = story.design().devices;
        QCOMPARE(devices.size(), before.devices.size() + 4);
        QCOMPARE(devices.back().name, std::string("cuda:3"));
        QVERIFY(!devices.back().sheet.empty());
        story.command("edit.undo");
        QVERIFY(story.design() == before);
    }

    void escapeLeavesTheLensLast() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        story.page().view().setFocus();
        const auto lens = [&] { return story.page().view().live().lens().info.id; };
        const QString first = lens();
        story.command("lens.time");
        QVERIFY(lens() != first);
        story.page().design().selection().select({story.layerNamed("conv1")});
        story.key(Qt::Key_Escape);
        QVERIFY(lens() != first && story.page().design().selection().isEmpty());
        story.key(Qt::Key_Escape);
        QCOMPARE(lens(), first);
    }

    void keysOfOneLetterActOnWhatIsSelected() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        const LayerId layer = story.design().network.layers[2].id;
        story.page().view().setFocus();
        story.page().design().selection().select({layer});
        story.key(Qt::Key_M);
        QVERIFY(findLayer(story.design().network, layer)->muted);
        story.key(Qt::Key_B);
        QVERIFY(findLayer(story.design().network, layer)->bypassed);
        story.key(Qt::Key_D, Qt::ControlModifier);
        const std::size_t layers = story.design().network.layers.size();
        story.key(Qt::Key_Delete);
        QCOMPARE(story.design().network.layers.size(), layers - 1);
    }

    void layersTravelAsText() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        story.page().view().setFocus();
        story.command("edit.select-all");
        const std::size_t layers = story.design().network.layers.size();
        story.key(Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().startsWith('{'));
        story.command("file.new");
        story.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(story.design().network.layers.size(), layers);
    }

    void groupsAreMadeEnteredAndLeft() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        const auto& layers = story.design().network.layers;
        story.page().design().selection().select({layers[2].id, layers[3].id});
        const std::size_t before = layers.size();
        story.page().view().setFocus();
        story.key(Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(story.design().network.layers.size(), before - 1);
        story.key(Qt::Key_Return);
        QVERIFY(!story.page().design().selection().path().group.empty());
        story.key(Qt::Key_Escape);
        story.key(Qt::Key_Escape);
        QVERIFY(story.page().design().selection().path().group.empty());
    }

    void savingAndOpeningLeadBack() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        story.page().view().setFocus();
        story.page().design().selection().select({story.design().network.layers[2].id});
        story.key(Qt::Key_M);
        QVERIFY(story.page().design().document().isModified());
        story.command("file.save");
        QVERIFY(!story.page().design().document().isModified());
        const Design saved = story.design();
        const QString file = story.page().design().document().file();
        story.command("file.close");
        QVERIFY(story.window().page() == nullptr);
        QVERIFY(story.window().files().open(file));
        QVERIFY(story.design() == saved);
    }

    void aDroppedDesignOpensAndABrokenOneIsToldOf() {
        WindowStory story;
        QFile broken(story.folder() + "/broken.weft");
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write(R"({"weft": 1, "layers": [)");
        broken.close();
        QSignalSpy notices(&story.window().context(), &ui::WindowContext::notice);
        story.window().files().openDropped({broken.fileName()});
        QCOMPARE(notices.count(), 1);
        QVERIFY(story.window().page() == nullptr);
    }

    void theCanvasIsSavedAsAPicture() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        for (const char* ending : {"svg", "png", "pdf"}) {
            const QString file = story.folder() + "/canvas." + ending;
            ui::savePictureOf(story.page(), file);
            QVERIFY(QFileInfo(file).size() > 1000);
        }
    }

    void thePaletteRunsCommands() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        story.command("help.palette");
        story.type("select all");
        story.key(Qt::Key_Return);
        QCOMPARE(story.page().design().selection().layers().size(),
                 story.design().network.layers.size());
    }
};

std::unique_ptr<QObject> makeTestDrawing() { return std::make_unique<TestDrawing>(); }

#include "tst_drawing.moc"
