// SPDX-License-Identifier: Apache-2.0
// A sparse network from its card on the start page to its dictionary: run, observed, an element
// followed, atoms put in order; on screens of two sizes.
#include "shell/docks/docks.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "tensors/tensors_view.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QToolButton>

using namespace weft;
using namespace weft::test;

class TestSparse : public QObject {
    Q_OBJECT

    static constexpr int longWait = 120'000;

    static ui::RunHub& hubOf(WindowStory& story) { return story.window().context().hub; }

    static void open(WindowStory& story, int devices) {
        auto* card =
            story.window().findChild<QAbstractButton*>(QStringLiteral("sample/lca-dictionary"));
        QVERIFY(card != nullptr);
        QTest::mouseClick(card, Qt::LeftButton);
        QTRY_VERIFY(story.window().page() != nullptr);
        story.page().design().document().edit("steps", [devices](Design& design) {
            design.training.epochs = 0;
            design.training.steps = 1'000'000;
            design.training.evaluateEvery = design.training.steps;
            design.training.seconds = 600; // limits the run if the test crashes
            for (int device = 0; devices > 1 && device < devices; ++device) {
                declareDevice(design, {.name = "cpu:" + std::to_string(device)});
                design.assignment.words = {AxisWord::batch};
            }
            return Edited{};
        });
        QVERIFY(story.waitForCheck());
    }

    static ui::TensorsView* tensorsOf(WindowStory& story) {
        return static_cast<ui::TensorsView*>(
            story.window().docks().panel(QStringLiteral("tensors")));
    }

    static void observe(ui::TensorsView& tensors) {
        for (auto* one : tensors.findChildren<QToolButton*>()) {
            if (one->text() == QStringLiteral("Observe next step")) {
                QTRY_VERIFY_WITH_TIMEOUT(one->isEnabled(), longWait);
                QTest::mouseClick(one, Qt::LeftButton);
            }
        }
    }

    static void pictures(WindowStory& story, const QString& name) {
        for (const auto& [choice, theme] : {std::pair(ui::Look::Choice::dark, "-dark"),
                                            std::pair(ui::Look::Choice::light, "-light")}) {
            story.look().choose(choice);
            QVERIFY(story.waitForAnswers());
            story.picture(name + theme);
        }
    }

private Q_SLOTS:
    void fromTheStartPageToTheDictionary_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("devices");
        QTest::newRow("1600") << QSize(1600, 1000) << 2;
        QTest::newRow("1366") << QSize(1366, 768) << 1;
    }
    void fromTheStartPageToTheDictionary() {
        QFETCH(const QSize, size);
        QFETCH(const int, devices);
        WindowStory story(size);
        open(story, devices);
        const LayerId code = story.layerNamed("code");
        pictures(story, QStringLiteral("sparse-design-") + QTest::currentDataTag());
        const QString before = hubOf(story).folder();
        story.command("run.start");
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).folder() != before && hubOf(story).lastStep() > 10,
                                 longWait);
        // Nothing is selected: the layer of networks is watched, and goes on while it is seen.
        ui::TensorsView& tensors = *tensorsOf(story);
        story.window().docks().reveal(QStringLiteral("tensors"));
        QVERIFY(tensors.isInColumns());
        ui::SparseView& sparse = tensors.sparse();
        QTRY_VERIFY_WITH_TIMEOUT(sparse.shown() != nullptr, longWait);
        QTRY_VERIFY_WITH_TIMEOUT(sparse.dictionary().shown() != nullptr, longWait);
        QCOMPARE(sparse.shown()->elements, std::int64_t{16});
        QCOMPARE(sparse.shown()->energies.size(), std::size_t{16});
        QVERIFY(sparse.columns().count() > 3);
        // An element is followed through all rows and as a curve.
        QTest::mouseClick(&sparse.columns(), Qt::LeftButton, {},
                          sparse.columns().column(2).center());
        QCOMPARE(sparse.columns().chosen(), 2);
        QCOMPARE(sparse.curves().plot().curves().back().name, QString("element 2"));
        // The next observed step takes the place of this one.
        const std::int64_t first = sparse.shown()->step;
        story.click(code);
        observe(tensors);
        QTRY_VERIFY_WITH_TIMEOUT(sparse.shown()->step > first, longWait);
        QCOMPARE(sparse.columns().chosen(), 2);
        QVERIFY(sparse.dictionary().shown()->step >= first);
        // Atoms by use, most first; one is looked at.
        auto* order = sparse.dictionary().findChild<QComboBox*>();
        QTest::keyClick(order, Qt::Key_Down);
        QCOMPARE(order->currentText(), QString("by use"));
        ui::AtomMosaic& mosaic = sparse.dictionary().mosaic();
        const std::vector<double>& use = sparse.shown()->atomNumbers.front().use;
        QVERIFY(std::ranges::is_sorted(mosaic.order(), [&](auto a, auto b) {
            return use[static_cast<std::size_t>(a)] > use[static_cast<std::size_t>(b)];
        }));
        const std::int64_t most = mosaic.order().front();
        QTest::mouseClick(&mosaic, Qt::LeftButton, {}, mosaic.atomRect(most).center());
        QCOMPARE(mosaic.chosen(), most);
        QCOMPARE(sparse.columns().atom(), most); // its code, in each element
        pictures(story, QStringLiteral("sparse-run-") + QTest::currentDataTag());
        QCOMPARE(story.window().size(), size);
        story.command("run.stop");
        QTRY_VERIFY_WITH_TIMEOUT(!hubOf(story).isLiving(), longWait);
    }
};

std::unique_ptr<QObject> makeTestSparse() { return std::make_unique<TestSparse>(); }
#include "tst_sparse.moc"
