// SPDX-License-Identifier: Apache-2.0
// A wide panel compares the choice that is pointed at with what is now, and gives it to as many
// layers as one says.
#include "panels/assignment/assignment_panel.h"
#include "panels/assignment/choice_comparison.h"
#include "panels/assignment/choice_row.h"
#include "panels/assignment/neighbourhood.h"
#include "support/heard.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/group_edits.h>

#include <QApplication>
#include <QComboBox>
#include <QPushButton>
#include <QRadioButton>
#include <QTest>
#include <algorithm>
#include <array>

using namespace weft;
using namespace weft::ui;

class TestAssignmentPanel : public QObject {
    Q_OBJECT

    static constexpr QSize wide{1340, 760};
    static constexpr QSize middle{760, 980};
    static constexpr QSize narrow{340, 760};
    static constexpr int patience = 60'000;

    struct Scene {
        WindowContext context;
        OpenDesign& design;
        AssignmentPanel panel{context};

        explicit Scene(Look& look, QSize size)
            : context(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
              design(context.designs.add(
                  std::make_unique<OpenDesign>(context.kinds, context.previewQueue))) {
            design.document().setDesign(
                loadDesign(test::sourceFolder() / "projects/alexnet-one-weird-trick/design.weft",
                           catalogue())
                    .design,
                false);
            context.designs.setCurrent(&design);
            panel.resize(size);
            panel.show();
            select({"fc6"});
        }
        [[nodiscard]] const Layer& layer(const char* name) {
            return *findLayer(design.document().design().network, std::string_view(name));
        }
        void select(const std::vector<const char*>& names) {
            std::vector<LayerId> layers;
            layers.reserve(names.size());
            for (const char* name : names) {
                layers.push_back(layer(name).id);
            }
            design.selection().select(layers);
        }
        [[nodiscard]] ChoiceRow* row(const QString& title) {
            for (auto* row : panel.findChildren<ChoiceRow*>()) {
                if (row->isVisible() && row->choice().title == title) {
                    return row;
                }
            }
            return nullptr;
        }
        [[nodiscard]] bool isPriced(const QString& title) {
            const ChoiceRow* found = row(title);
            return found != nullptr && found->price().step > 0;
        }
        /// Prices come one by one, and until the last any may be the fastest.
        [[nodiscard]] bool isAllPriced() {
            return std::ranges::all_of(
                std::array{"data", "model.stack", "model.add", "batch", "replicate", "one device"},
                [&](const char* title) { return isPriced(title); });
        }
        /// The ways to cross into the layer, which are priced after the choices; where the panel
        /// compares nothing there are none.
        [[nodiscard]] bool areWaysPriced() {
            const auto ways = panel.findChildren<QRadioButton*>();
            return std::ranges::all_of(ways, [](const QRadioButton* way) {
                return !way->isVisible() || way->text().contains("ms");
            });
        }
        /// One that is neither what is now nor the fastest.
        [[nodiscard]] ChoiceRow* other() {
            for (auto* row : panel.findChildren<ChoiceRow*>()) {
                if (row->isVisible() && row->price().step > 0 && !row->isPresent() &&
                    !row->isFastest()) {
                    return row;
                }
            }
            return nullptr;
        }
        [[nodiscard]] QPushButton* use() {
            for (auto* button : panel.findChildren<QPushButton*>()) {
                if (button->isVisible() && button->text().startsWith("Use ") &&
                    button->objectName().isEmpty()) {
                    return button;
                }
            }
            return nullptr;
        }
        [[nodiscard]] QComboBox* reach() {
            for (auto* box : panel.findChildren<QComboBox*>()) {
                if (box->accessibleName() == QLatin1String("Layers that a choice applies to")) {
                    return box;
                }
            }
            return nullptr;
        }
        [[nodiscard]] bool compares() { return panel.findChild<ChoiceComparison*>()->isVisible(); }
        [[nodiscard]] std::vector<AxisWord> words(const char* name) {
            const Layer& found = layer(name);
            return found.assignment ? found.assignment->words : std::vector<AxisWord>{};
        }
    };

    Look look_;

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    /// Its layers had assignments of their own: the choice counts for them, its price is that of
    /// the design as it would be, and what one of them cannot have the group cannot have.
    void aGroupIsSpreadAsItIsChosen() {
        Scene scene(look_, narrow);
        LayerId group;
        scene.design.document().edit("group", [&](Design& design) {
            std::vector<LayerId> layers;
            for (const char* name : {"conv2", "relu2", "pool2"}) {
                layers.push_back(findLayer(design.network, std::string_view(name))->id);
            }
            Edited made = makeGroup(design, {}, layers, "block");
            group = made.layer();
            return made;
        });
        scene.design.selection().select({group});
        QTRY_VERIFY_WITH_TIMEOUT(scene.isPriced("data") && scene.isPriced("one device"), patience);
        QVERIFY(scene.row("data")->isPresent());
        QVERIFY(scene.row("one device")->price().step > 1.2 * scene.row("data")->price().step);
        QVERIFY2(scene.row("space.rows") == nullptr, "one of its layers cannot be cut so");
        QTest::mouseClick(scene.row("one device"), Qt::LeftButton);
        const auto placedOn = [&](const std::string& name) {
            const auto known = scene.design.check().answer();
            const auto& layers = known->preview->layers;
            const auto found = std::ranges::find(layers, name, &LayerPreview::name);
            return found == layers.end() ? std::size_t{0} : found->devices.size();
        };
        for (const char* name : {"block1/conv2", "block1/relu2", "block1/pool2"}) {
            QTRY_COMPARE_WITH_TIMEOUT(placedOn(name), std::size_t{1}, patience);
        }
        QTRY_VERIFY_WITH_TIMEOUT(
            scene.row("one device") != nullptr && scene.row("one device")->isPresent(), patience);
    }

    /// Rounds in which devices talk, beside a dictionary that travels once in a while.
    void whatIsSentInEveryRoundIsSaidToBe() {
        Scene scene(look_, narrow);
        Design design =
            loadDesign(test::sourceFolder() / "projects/lca-dictionary/design.weft", catalogue())
                .design;
        design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
        design.assignment.words = {AxisWord::batch};
        design.training.syncEvery = 3;
        scene.design.document().setDesign(std::move(design), false);
        scene.select({"code"});
        QTRY_VERIFY_WITH_TIMEOUT(scene.isPriced("batch") && scene.isPriced("model.stack") &&
                                     scene.isPriced("one device"),
                                 patience);
        const ChoiceRow* stack = scene.row("model.stack");
        const ChoiceRow* batch = scene.row("batch");
        QCOMPARE(stack->sendFrequency(), QString::fromUtf8("131\u202fkB × 50 iterations"));
        QCOMPARE(batch->sendFrequency(), QString::fromUtf8("16.6\u202fkB once in 3 updates"));
        QVERIFY(stack->toolTip().contains(stack->sendFrequency()));
        QVERIFY(stack->price().sent > 100 * batch->price().sent);
        // Where nothing is out of the way the row is as low as ever.
        QVERIFY(scene.row("one device")->sendFrequency().isEmpty());
        QVERIFY(scene.row("one device")->height() < batch->height());
        (void)test::saveBothThemes(look_, scene.panel, QStringLiteral("assignment-rounds"));
    }

    /// Another theme is another paint, and prices are what they were.
    void anotherThemeAsksForNoPrices() {
        Scene scene(look_, wide);
        QTRY_VERIFY_WITH_TIMEOUT(scene.isAllPriced() && scene.areWaysPriced(), patience);
        const auto isDark = [&] { return look_.choice() == Look::Choice::dark; };
        const Look::Choice before = look_.choice();
        const ChoiceRow* row = scene.row("model.stack");
        const QImage light = scene.panel.grab().toImage();
        look_.choose(isDark() ? Look::Choice::light : Look::Choice::dark);
        QTRY_VERIFY(scene.panel.grab().toImage().pixel(4, 4) != light.pixel(4, 4));
        QTest::qWait(0); // the panel has heard of it
        QCOMPARE(scene.row("model.stack"), row);
        QVERIFY(scene.isAllPriced() && scene.areWaysPriced());
        look_.choose(before);
    }

    void onlyAWidePanelCompares() {
        Scene scene(look_, narrow);
        QTRY_VERIFY_WITH_TIMEOUT(scene.isPriced("model.stack"), patience);
        QVERIFY(!scene.compares());
        QVERIFY(!scene.reach()->isVisible());
        scene.panel.resize(middle);
        QTRY_VERIFY(scene.compares());
        const auto* comparison = scene.panel.findChild<ChoiceComparison*>();
        const auto placeOf = [&](const QWidget* widget) {
            return widget->mapTo(&scene.panel, QPoint());
        };
        QTRY_VERIFY_WITH_TIMEOUT(scene.isPriced("model.stack"), patience);
        QVERIFY(placeOf(comparison).y() > placeOf(scene.row("model.stack")).y());
        scene.panel.resize(wide);
        QTRY_VERIFY(placeOf(comparison).x() > scene.row("model.stack")->width() - 1);
        scene.panel.resize(narrow);
        QTRY_VERIFY(!scene.compares());
    }

    void whatIsPointedAtIsComparedAndUsed() {
        Scene scene(look_, wide);
        QTRY_VERIFY_WITH_TIMEOUT(
            scene.isAllPriced() && scene.use() != nullptr && scene.use()->isEnabled(), patience);
        ChoiceRow* row = scene.other();
        const QString title = row->choice().title;
        const std::vector<AxisWord> wanted = row->choice().assignment.words;
        QVERIFY(scene.use()->text() != "Use " + title);
        QTest::mouseMove(row, row->rect().center());
        QTRY_COMPARE(scene.use()->text(), "Use " + title);
        // It stays while the hand goes to the button.
        QTest::mouseMove(scene.use());
        QCOMPARE(scene.use()->text(), "Use " + title);
        QTest::mouseClick(scene.use(), Qt::LeftButton);
        QCOMPARE(scene.words("fc6"), wanted);
        QCOMPARE(scene.design.document().history().count(), 1);
    }

    void theKeyboardComparesToo() {
        Scene scene(look_, wide);
        QTRY_VERIFY_WITH_TIMEOUT(scene.isAllPriced(), patience);
        ChoiceRow* row = scene.other();
        row->setFocus(Qt::TabFocusReason);
        QTRY_COMPARE(scene.use()->text(), "Use " + row->choice().title);
    }

    void aChoiceReachesAllOfAKind() {
        Scene scene(look_, wide);
        QTRY_VERIFY_WITH_TIMEOUT(scene.isPriced("data"), patience);
        QComboBox* reach = scene.reach();
        QCOMPARE(reach->count(), 2);
        reach->setFocus();
        QTest::keyClick(reach, Qt::Key_Down);
        QVERIFY2(reach->currentText().startsWith("all dense"), qPrintable(reach->currentText()));
        QTRY_VERIFY_WITH_TIMEOUT(scene.isPriced("replicate"), patience);
        QTest::mouseClick(scene.row("replicate"), Qt::LeftButton);
        for (const Layer& layer : scene.design.document().design().network.layers) {
            if (layer.kind == "dense") {
                QCOMPARE(layer.assignment->words.front(), AxisWord::replicate);
            }
        }
        QVERIFY(scene.words("conv1").empty() ||
                scene.words("conv1").front() != AxisWord::replicate);
        QCOMPARE(scene.design.document().history().count(), 1);
    }

    void theBoundaryIsCrossedAsOneSays() {
        Scene scene(look_, wide);
        const auto way = [&](const QString& word) -> QRadioButton* {
            for (auto* button : scene.panel.findChildren<QRadioButton*>()) {
                if (button->accessibleName() == "Cross the boundary " + word) {
                    return button;
                }
            }
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(way("whole") != nullptr && way("whole")->text().contains("ms"),
                                 patience);
        QVERIFY(way("cheapest")->isChecked());
        QTest::mouseClick(way("whole"), Qt::LeftButton, {}, {8, way("whole")->height() / 2});
        const auto& wires = scene.design.document().design().network.wires;
        QCOMPARE(std::ranges::count(wires, std::string("whole"), &Wire::scheme), 1);
        QTRY_VERIFY(way("whole") != nullptr && way("whole")->isChecked());
    }

    void whatNothingHidesIsInkAtTheEndOfTheBar() {
        const QColor ink = look_.theme().accent.ink;
        const auto inked = [&](double busy) {
            ChoiceRow row(look_, {.title = "data"}, false);
            row.resize(700, row.height());
            row.setPrice({.step = 2, .busy = busy});
            row.setScale(2, 2, 0, false);
            const QImage picture = row.grab().toImage();
            const int middle = picture.height() / 2;
            int count = 0;
            for (int x = 0; x < picture.width(); ++x) {
                count += picture.pixelColor(x, middle) == ink ? 1 : 0;
            }
            return count;
        };
        const int none = inked(2);
        const int half = inked(1) - none;
        QVERIFY2(half > 20, std::to_string(half).c_str());
        QVERIFY(std::abs(inked(1.5) - none - half / 2) <= 2);
    }

    void neighboursStandInAColumnWhileThereIsRoom() {
        Scene scene(look_, narrow);
        QTRY_VERIFY(scene.design.check().isCurrent());
        const auto of = [&](double height) {
            return neighbourhoodOf({.design = &scene.design.document().design(),
                                    .preview = scene.design.check().answer()->preview.get(),
                                    .kinds = scene.context.kinds.get(),
                                    .layer = scene.layer("fc6").id,
                                    .height = height});
        };
        QCOMPARE(of(0).nodes.size(), std::size_t{1});
        QVERIFY(neighbourhoodOf({.design = &scene.design.document().design(),
                                 .kinds = scene.context.kinds.get(),
                                 .layer = LayerId{9999}})
                    .nodes.empty());
        QCOMPARE(of(300).nodes.size(), std::size_t{3});
        const DisplayList list = of(500);
        QVERIFY(list.nodes.size() > 3);
        QCOMPARE(list.wires.size(), list.nodes.size() - 1);
        QVERIFY(list.bounds().height() <= 500);
        for (const NodeView& node : list.nodes) {
            QCOMPARE(node.isCompact, node.id != scene.layer("fc6").id);
        }
    }

    void asPictures() {
        for (const auto& [name, size] :
             {std::pair{"wide", wide}, std::pair{"middle", middle}, std::pair{"narrow", narrow}}) {
            Scene scene(look_, size);
            std::vector<QImage> seen;
            for (const auto theme : {Look::Choice::dark, Look::Choice::light}) {
                look_.choose(theme);
                test::waitUntilHeard();
                QTRY_VERIFY_WITH_TIMEOUT(scene.isAllPriced() && scene.areWaysPriced(), patience);
                ChoiceRow* row = scene.other();
                QVERIFY(row != nullptr);
                QTest::mouseMove(row, row->rect().center());
                QTRY_VERIFY(!scene.compares() ||
                            scene.use()->text() == "Use " + row->choice().title);
                seen.push_back(test::savePicture(
                    scene.panel, QString("assignment-%1-%2")
                                     .arg(name, theme == Look::Choice::dark ? "dark" : "light")));
            }
            QVERIFY(seen.front() != seen.back());
        }
    }
};

std::unique_ptr<QObject> makeTestAssignmentPanel() {
    return std::make_unique<TestAssignmentPanel>();
}
#include "tst_assignment_panel.moc"
