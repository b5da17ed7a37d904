// SPDX-License-Identifier: Apache-2.0
// Missing values are filled in at once or by one click, and layers without a position get one:
// through the window, with mouse and keys.
#include "panels/problems/problems_panel.h"
#include "shell/docks/docks.h"
#include "shell/files.h"
#include "stories/window_story.h"
#include "support/places.h"
#include "support/test_main.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

using namespace weft;
using namespace weft::test;

class TestMending : public QObject {
    Q_OBJECT

    static QString write(WindowStory& story, const char* name, const QByteArray& text) {
        QString file = story.folder() + "/" + name;
        QFile open(file);
        QTest::qVerify(open.open(QIODevice::WriteOnly) && open.write(text) == text.size(),
                       "written", name, __FILE__, __LINE__);
        return file;
    }

    static QByteArray bytesOf(const QString& file) {
        QFile open(file);
        return open.open(QIODevice::ReadOnly) ? open.readAll() : QByteArray();
    }

    /// A dense layer whose units the file leaves out.
    static void openWithoutUnits(WindowStory& story) {
        story.window().files().open(write(story, "missing.weft", R"({"weft": 1, "layers": [
            {"name": "x", "kind": "input", "with": {"shape": [8]}, "at": [0, 0]},
            {"name": "fc", "kind": "dense", "at": [0, 120]}], "wires": ["x -> fc"]})"));
        QVERIFY(story.waitForCheck());
        story.page().view().camera().zoomTo(1, {});
    }

    static const Layer& fc(WindowStory& story) {
        return *findLayer(story.design().network, std::string_view("fc"));
    }
    static bool hasUnits(WindowStory& story) {
        return fc(story).attributes.has("units") && fc(story).attributes.integer("units") == 10;
    }
    static std::size_t problems(WindowStory& story) {
        const auto& all = story.page().design().check().answer()->preview->problems;
        return static_cast<std::size_t>(std::ranges::count(all, "E006", &Diagnostic::code));
    }

    static bool overlap(const ui::DisplayList& list) {
        return std::ranges::any_of(list.nodes, [&](const ui::NodeView& a) {
            return std::ranges::any_of(list.nodes, [&](const ui::NodeView& b) {
                return a.id < b.id && a.box.intersects(b.box);
            });
        });
    }

private Q_SLOTS:
    void aNewLayerHasWhatItNeeds() {
        WindowStory story;
        story.command("file.new");
        story.page().view().camera().zoomTo(1, {});
        QTest::mouseDClick(&story.page().view(), Qt::LeftButton, {}, {300, 180});
        story.type(QStringLiteral("conv2d"));
        story.key(Qt::Key_Return);
        QCOMPARE(story.design().network.layers.size(), std::size_t{1});
        const Attributes& has = story.design().network.layers[0].attributes;
        QCOMPARE(has.integer("filters"), 16);
        QCOMPARE(has.integers("kernel"), (Shape{3, 3}));
        QVERIFY(story.waitForCheck());
        QCOMPARE(problems(story), std::size_t{0});
        // It is one step, and one line of a macro does the same.
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(story.design().network.layers.empty());
        QCOMPARE(story.window().context().commands.perform({"layer.add", "dense"}), QString());
        QCOMPARE(story.design().network.layers[0].attributes.integer("units"), 10);
    }

    void aMissingValueIsShownMissingAndEnterGivesIt() {
        WindowStory story;
        openWithoutUnits(story);
        story.click(fc(story).id);
        story.window().docks().reveal(QStringLiteral("inspector"));
        const auto shown = [&story] {
            return story.window()
                .docks()
                .panel(QStringLiteral("inspector"))
                ->findChild<QLineEdit*>(QStringLiteral("units"));
        };
        QTRY_VERIFY(shown() != nullptr);
        QLineEdit* field = shown();
        QCOMPARE(field->text(), QString());
        QVERIFY2(field->placeholderText().contains("10"), qPrintable(field->placeholderText()));
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(hasUnits(story));
        QTRY_COMPARE(field->text(), QStringLiteral("10"));
    }

    void theFixOnANodeIsAClick() {
        WindowStory story;
        openWithoutUnits(story);
        QCOMPARE(problems(story), std::size_t{1});
        const QRectF fix = story.page().view().list().node(fc(story).id)->fixBox();
        QVERIFY(!fix.isEmpty());
        QTest::mouseClick(&story.page().view(), Qt::LeftButton, {},
                          story.page().view().viewport().toLogical(fix.center()).toPoint());
        QVERIFY(hasUnits(story));
        QVERIFY(story.waitForCheck());
        QCOMPARE(problems(story), std::size_t{0});
    }

    void theFixOnACardIsAClick() {
        WindowStory story;
        openWithoutUnits(story);
        QTest::mouseMove(&story.page().view(), story.centre(fc(story).id));
        const auto fix = [&story] {
            return story.page().view().findChild<QToolButton*>(QStringLiteral("fix"));
        };
        QTRY_VERIFY(fix() != nullptr);
        QTest::mouseClick(fix(), Qt::LeftButton);
        QVERIFY(hasUnits(story));
    }

    void theKeyOfFixesMendsWhatIsSelected() {
        WindowStory story;
        // It is there before anybody has looked at the panel of problems.
        QVERIFY(story.window().findChild<ui::ProblemsPanel*>() == nullptr);
        QVERIFY(story.window().context().commands.find(QStringLiteral("problem.fix")) != nullptr);
        openWithoutUnits(story);
        story.click(fc(story).id);
        story.key(Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(hasUnits(story));
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!fc(story).attributes.has("units"));
        // With nothing selected, the worst that can be mended.
        story.page().design().selection().clear();
        QVERIFY(story.waitForCheck());
        story.key(Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(hasUnits(story));
        QCOMPARE(story.page().design().selection().current(), fc(story).id);
    }

    void aRowOfTheProblemsIsMendedByItsKey() {
        WindowStory story;
        openWithoutUnits(story);
        story.window().docks().reveal(QStringLiteral("problems"));
        auto* list =
            story.window().docks().panel(QStringLiteral("problems"))->findChild<QTreeWidget*>();
        QTRY_VERIFY(
            !list->findItems(QStringLiteral("set units to 10"), Qt::MatchExactly, 2).isEmpty());
        list->setFocus();
        list->setCurrentItem(
            list->findItems(QStringLiteral("set units to 10"), Qt::MatchExactly, 2).front());
        QTest::keyClick(list, Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(hasUnits(story));
    }

    void whatNobodyPlacedIsLaidOutAndNotChanged() {
        WindowStory story;
        for (const char* sample : {"first/design.weft", "mlp/bench.weft", "googlenet/bench.weft"}) {
            const QString source =
                QString::fromStdString((sourceFolder() / "projects" / sample).string());
            const QString own =
                story.folder() + "/" + QString::fromLatin1(sample).replace('/', '-');
            QVERIFY(QFile::copy(source, own));
            QVERIFY(story.window().files().open(own));
            QVERIFY(story.waitForCheck());
            QTRY_VERIFY(!story.page().view().list().nodes.empty());
            QVERIFY2(!overlap(story.page().view().list()), sample);
            QVERIFY2(!story.page().design().document().isModified(), sample);
        }
    }

    void placesAreWrittenOnceTheWindowGaveThem() {
        WindowStory story;
        const QString file = write(story, "bare.weft", R"({"weft": 1, "layers": [
            {"name": "x", "kind": "input", "with": {"shape": [8]}},
            {"name": "fc", "kind": "dense", "with": {"units": 4}}], "wires": ["x -> fc"]})");
        story.window().files().open(file);
        QVERIFY(story.waitForCheck());
        story.click(fc(story).id);
        story.key(Qt::Key_M);
        story.command("file.save");
        const QByteArray text = bytesOf(file);
        QVERIFY2(text.count("\"at\": [") == 2, text.constData());
        QVERIFY2(text.contains("\"at\": [0, 0]"), text.constData());
    }

    void pastedLayersWithoutPlacesLieApart() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        const std::size_t before = story.design().network.layers.size();
        QGuiApplication::clipboard()->setText(
            R"({"weft": 1, "layers": [{"name": "p", "kind": "relu"}, {"name": "q", "kind": "relu"}],
                "wires": ["p -> q"]})");
        story.page().view().setFocus();
        story.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(story.design().network.layers.size(), before + 2);
        const auto& layers = story.design().network.layers;
        QVERIFY(layers[before].position && layers[before + 1].position);
        QVERIFY(*layers[before].position != *layers[before + 1].position);
    }
};

std::unique_ptr<QObject> makeTestMending() { return std::make_unique<TestMending>(); }

#include "tst_mending.moc"
