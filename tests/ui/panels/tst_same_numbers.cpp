// SPDX-License-Identifier: Apache-2.0
// Whatever place shows what is predicted of a design shows the same: what the one preview says.
#include "canvas/view/canvas_view.h"
#include "panels/assignment/assignment_panel.h"
#include "panels/assignment/choice_row.h"
#include "panels/devices/devices_panel.h"
#include "panels/prediction/prediction_panel.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/quantity.h"
#include "timeline/memory_view.h"
#include "workspace/prediction_words.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/devices.h>

#include <QComboBox>
#include <QTest>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>

using namespace weft;
using namespace weft::ui;

class TestSameNumbers : public QObject {
    Q_OBJECT

    static constexpr int patience = 240'000;

    struct Scene {
        WindowContext context;
        OpenDesign& design;
        std::shared_ptr<const Preview> said;

        Scene(Look& look, Design sample)
            : context(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
              design(context.designs.add(
                  std::make_unique<OpenDesign>(context.kinds, context.previewQueue))) {
            auto report = std::make_shared<MachineReport>();
            report->machine = thisMachine();
            context.setMachine(report);
            design.document().setDesign(std::move(sample), false);
            context.designs.setCurrent(&design);
            QTRY_VERIFY_WITH_TIMEOUT(design.check().isWhole(), patience);
            said = design.check().answer()->preview;
        }
        [[nodiscard]] const StepPreview& step() const { return *said->step; }
        [[nodiscard]] double mostBusy() const {
            double most = 0;
            for (const DevicePreview& device : said->devices) {
                most = std::max(most, quantity::seconds(device.step->totals.compute));
            }
            return most;
        }
    };

    static QString bytes(Bytes amount) {
        return quantity::bytes(static_cast<double>(amount.count));
    }

    static void showsInThePrediction(Scene& scene) {
        PredictionPanel panel(scene.context);
        panel.resize(1200, 140);
        panel.show();
        QTRY_COMPARE(panel.figures().size(), std::size_t{4});
        QCOMPARE(panel.figures()[0].predicted,
                 quantity::predicted(quantity::time(scene.step().time)));
        QCOMPARE(panel.figures()[3].predicted,
                 quantity::predicted(quantity::bytes(peakRunBytes(scene.said.get()))));
        QVERIFY(panel.note().isEmpty());
        QVERIFY(std::ranges::none_of(panel.figures(), &PredictionPanel::Figure::isOlder));
    }

    static void showsOfItsDevices(Scene& scene) {
        DevicesPanel panel(scene.context);
        panel.show();
        auto* list = panel.findChild<QTreeWidget*>();
        const auto count = static_cast<int>(scene.said->devices.size());
        QTRY_COMPARE(list->topLevelItemCount(), count);
        for (int k = 0; k < count; ++k) {
            const DevicePreview& device = scene.said->devices[static_cast<std::size_t>(k)];
            const QTreeWidgetItem& item = *list->topLevelItem(k);
            QCOMPARE(item.text(2), bytes(device.run->takes));
            QCOMPARE(item.text(4), bytes(device.sent));
            QCOMPARE(item.text(5),
                     quantity::predicted(quantity::time(device.step->totals.compute)));
            QVERIFY(item.toolTip(2).contains(bytes(device.step->holds())));
        }
    }

    static void showsOnTheCanvas(Scene& scene) {
        const CanvasView view(scene.design.document(), scene.design.selection(),
                              scene.design.check(), scene.context.look);
        double said = 0;
        for (const LayerPreview& layer : scene.said->layers) {
            said += layer.step ? quantity::seconds(layer.step->compute()) : 0;
        }
        double shown = 0;
        for (const NodeView& node : view.list().nodes) {
            shown += node.predicted;
            QVERIFY(!node.isOlder);
        }
        QVERIFY(said > 0);
        QVERIFY2(std::abs(shown - said) < 1e-9 * said, qPrintable(QString::number(shown / said)));
    }

    static void showsInTheMap(Scene& scene) {
        MemoryView view(scene.context);
        view.resize(1000, 360);
        view.show();
        for (const DevicePreview& device : scene.said->devices) {
            QTRY_COMPARE(view.devices().count(), static_cast<int>(scene.said->devices.size()));
            view.showDevice(QString::fromStdString(device.name));
            QVERIFY(view.plot().picture().map == *device.step->memory);
            QVERIFY2(view.amounts().contains(bytes(device.step->holds())),
                     qPrintable(view.amounts()));
            QVERIFY2(view.amounts().contains(bytes(device.run->takes)), qPrintable(view.amounts()));
        }
    }

    /// The choice that is taken is priced as all are, and told what the check tells.
    static void showsInTheChoiceThatIsTaken(Scene& scene, const std::string& layer) {
        AssignmentPanel panel(scene.context);
        panel.resize(760, 800);
        panel.show();
        scene.design.selection().select(
            {findLayer(scene.design.document().design().network, layer)->id});
        const auto taken = [&]() -> const ChoiceRow* {
            for (const auto* row : panel.findChildren<ChoiceRow*>()) {
                if (row->isVisible() && row->isPresent()) {
                    return row;
                }
            }
            return nullptr;
        };
        const auto isPriced = [&] {
            const ChoiceRow* row = taken();
            return row != nullptr && row->price().step > 0 &&
                   (row->price().memory > 0 || !scene.said->run);
        };
        QTRY_VERIFY_WITH_TIMEOUT(isPriced(), patience);
        const ChoicePrice& price = taken()->price();
        QCOMPARE(price.step, quantity::seconds(scene.step().time));
        QCOMPARE(price.busy, scene.mostBusy());
        std::int64_t sent = 0;
        for (const DevicePreview& device : scene.said->devices) {
            sent = std::max(sent, device.sent.count);
        }
        QCOMPARE(price.sent, static_cast<double>(sent));
        QCOMPARE(price.memory, peakRunBytes(scene.said.get()));
        QVERIFY(price.previewed->preview->step->timeline == nullptr);
    }

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    void everyPlaceShowsTheSame_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("layer");
        QTest::newRow("small") << "quickstart-digits"
                               << "fc1";
        QTest::newRow("as it is spread") << "alexnet-one-weird-trick"
                                         << "fc6";
        for (const char* sample : {"first", "lenet-mnist", "cifar-quick", "resnet18-cifar",
                                   "two-tower-fusion", "tiny-gpt", "lca-classify"}) {
            QTest::newRow(sample) << sample << QString();
        }
    }
    void everyPlaceShowsTheSame() {
        QFETCH(const QString, sample);
        QFETCH(const QString, layer);
        Design design =
            loadDesign(test::sourceFolder() / "projects" / sample.toStdString() / "design.weft",
                       catalogue())
                .design;
        if (design.devices.size() < 2) {
            design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
            design.assignment.words = {AxisWord::batch};
        }
        Scene scene(look_, std::move(design));
        QVERIFY(scene.said->step && scene.said->run);
        showsInThePrediction(scene);
        showsOfItsDevices(scene);
        showsOnTheCanvas(scene);
        showsInTheMap(scene);
        if (!layer.isEmpty()) {
            showsInTheChoiceThatIsTaken(scene, layer.toStdString());
        }
    }

    /// A layer that nobody has wired yet takes nothing from the others.
    void ofADesignWithAnErrorThePartWithoutIsShown() {
        Design design =
            loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", catalogue())
                .design;
        design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
        design.assignment.words = {AxisWord::data};
        addLayer(design, {}, {.name = "loose", .kind = "dense"});
        Scene scene(look_, std::move(design));
        QVERIFY(!scene.said->isComplete && scene.said->step && !scene.said->run);
        PredictionPanel panel(scene.context);
        panel.resize(1200, 140);
        panel.show();
        QTRY_COMPARE(panel.figures().size(), std::size_t{4});
        QCOMPARE(panel.figures()[0].predicted,
                 quantity::predicted(quantity::time(scene.step().time)));
        QCOMPARE(panel.figures()[3].predicted, quantity::none());
        QVERIFY2(panel.note().contains("the part without errors"), qPrintable(panel.note()));
        showsOnTheCanvas(scene);
        showsInTheChoiceThatIsTaken(scene, "fc1");
    }

    /// As `weft devices` and `weft explain` do: how far kernels are proved, what does not hold of
    /// them on such a chip, and what of a memory nobody has taken.
    void devicesSayWhatDoesNotHoldOfThem() {
        Design design =
            loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", catalogue())
                .design;
        design.devices = {{.name = "cpu:0"},
                          {.name = "cuda:0", .sheet = "v100"},
                          {.name = "cuda:1", .sheet = "v100"}};
        design.assignment.words = {AxisWord::data};
        Scene scene(look_, std::move(design));
        auto report = std::make_shared<MachineReport>(*scene.context.machine());
        report->freeMemory["cpu:0"] = {123'000'000};
        report->freeMemory["cuda:0"] = {1}; // another than that of the sheet
        scene.context.setMachine(report);
        DevicesPanel panel(scene.context);
        panel.resize(980, 240);
        panel.show();
        auto* list = panel.findChild<QTreeWidget*>();
        QTRY_COMPARE(list->topLevelItemCount(), 3);
        QVERIFY(list->topLevelItem(0)->text(3).endsWith(bytes({123'000'000}) + " free"));
        QVERIFY(!list->topLevelItem(1)->text(3).contains("free"));
        QCOMPARE(list->topLevelItem(0)->text(7), QString());
        const QString said = list->topLevelItem(2)->text(7);
        const std::string proof(proofOf("cuda"));
        QVERIFY(proof.starts_with("verified on"));
        QVERIFY2(said.startsWith(QString::fromStdString(proof)), qPrintable(said));
        std::vector<DeviceSheet> chips = dataSheets();
        std::erase_if(chips, [](const DeviceSheet& sheet) { return sheet.name != "v100"; });
        for (const std::string& remark : remarksOn(chips)) {
            QVERIFY2(said.contains(QString::fromStdString(remark).remove("v100: ")),
                     qPrintable(said));
        }
        test::saveBothThemes(look_, panel, QStringLiteral("devices"));
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestSameNumbers() { return std::make_unique<TestSameNumbers>(); }

#include "tst_same_numbers.moc"
