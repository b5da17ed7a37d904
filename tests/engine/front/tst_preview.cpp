// SPDX-License-Identifier: Apache-2.0
// A preview with the caches of earlier ones equals a preview from scratch.
#include "preview_difference.h"
#include "support/places.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/edits.h>
#include <weft/preview.h>

#include <QTest>
#include <functional>

using namespace weft;

namespace {

Design digits() {
    Design design =
        loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", catalogue())
            .design;
    design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}, {.name = "cuda:0", .sheet = "t4"}};
    design.assignment.devices = {"cpu:0", "cpu:1"};
    design.assignment.words = {AxisWord::data};
    return design;
}

LayerId idOf(const Design& design, std::string_view name) {
    return findLayer(design.network, name)->id;
}

bool isSame(const Preview& a, const Preview& b) { return test::differenceOf(a, b).empty(); }

Preview shown(const Design& design, PreviewCache& cache, PreviewRequest request = {}) {
    request.until = PreviewPart::run;
    return *preview(design, cache, request);
}

const LayerPreview& layerOf(const Preview& preview, std::string_view name) {
    return *std::ranges::find(preview.layers, name, &LayerPreview::name);
}

} // namespace

class TestPreview : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEditIsSeenAsIfFromNothing() {
        const NetworkPath top;
        Design design = digits();
        const LayerId fc1 = idOf(design, "fc1");
        const LayerId conv2 = idOf(design, "conv2");
        const LayerId relu1 = idOf(design, "relu1");
        const std::vector<std::function<void()>> edits = {
            [&] {
                moveLayers(design, top, {fc1}, {5, 5});
            },
            [&] { setAttribute(design, top, fc1, "units", std::int64_t{96}); },
            [&] { assign(design, top, {fc1}, Assignment{.words = {AxisWord::modelStack}}); },
            [&] { assign(design, top, {fc1}, Assignment{.words = {AxisWord::modelAdd}}); },
            [&] { setNote(design, top, fc1, "wide"); },
            [&] { assign(design, top, {fc1}, std::nullopt); },
            [&] { setBypassed(design, top, {relu1}, true); },
            [&] { setAttribute(design, top, conv2, "filters", std::int64_t{24}); },
            [&] {
                weft::disconnect(design, top, {fc1, "y"}, {idOf(design, "relu2"), "x"});
            },
            [&] {
                weft::connect(design, top, {fc1, "y"}, {idOf(design, "relu2"), "x"});
            },
            [&] { design.training.optimizer = "adam"; },
            [&] { design.data.batch = 30; },
            [&] { renameLayer(design, top, fc1, "wide"); },
        };
        PreviewCache kept;
        QVERIFY(shown(design, kept).isComplete);
        for (std::size_t k = 0; k < edits.size(); ++k) {
            edits[k]();
            PreviewCache fresh;
            const Preview expected = shown(design, fresh);
            QVERIFY2(isSame(shown(design, kept), expected), qPrintable(QString("edit %1").arg(k)));
        }
    }

    void anOutputWhoseShapeIsRefusedIsNotOffered_data() {
        QTest::addColumn<int>("units");
        QTest::addColumn<QString>("offered");
        QTest::newRow("it fits") << 8 << "connect x.y to gate.b";
        QTest::newRow("it does not fit") << 3 << "add an input layer for gate.b";
    }
    void anOutputWhoseShapeIsRefusedIsNotOffered() {
        QFETCH(const int, units);
        QFETCH(const QString, offered);
        const NetworkPath top;
        Design design;
        Layer x{.name = "x", .kind = "input"};
        x.attributes.set("shape", Shape{8});
        Layer fc{.name = "fc", .kind = "dense"};
        fc.attributes.set("units", std::int64_t{units});
        const LayerId input = addLayer(design, top, x).layer();
        const LayerId dense = addLayer(design, top, fc).layer();
        const LayerId gate = addLayer(design, top, {.name = "gate", .kind = "multiply"}).layer();
        weft::connect(design, top, {input, "y"}, {dense, "x"});
        weft::connect(design, top, {dense, "y"}, {gate, "a"});
        PreviewCache cache;
        const auto shown = preview(design, cache, {.until = PreviewPart::shapes});
        const auto unwired = std::ranges::find(shown->problems, "E009", &Diagnostic::code);
        QVERIFY(unwired != shown->problems.end());
        QCOMPARE(QString::fromStdString(unwired->fix.text), offered);
        QVERIFY(applyFix(design, unwired->fix, catalogue()).isDone());
        for (const Diagnostic& problem : preview(design, cache)->problems) {
            QVERIFY(problem.code != "E009");
            // The added input is a scalar at first; the next fix gives it the shape of the other.
            if (problem.code == "E012") {
                QCOMPARE(QString::fromStdString(problem.fix.text),
                         QString("set shape to [3] in b"));
            }
        }
    }

    void anOutputThatFitsByAnInsertedLayerIsOffered() {
        const NetworkPath top;
        Design design = digits();
        const LayerId flat = idOf(design, "flat");
        removeLayers(design, top, {flat});
        PreviewCache cache;
        const auto shown = preview(design, cache, {.until = PreviewPart::shapes});
        const auto unwired = std::ranges::find(shown->problems, "E009", &Diagnostic::code);
        QVERIFY(unwired != shown->problems.end());
        QCOMPARE(QString::fromStdString(unwired->fix.text), QString("connect pool2.y to fc1.x"));
    }

    void whatOnlyMovedIsNotComputedAgain() {
        Design design = digits();
        PreviewCache cache;
        const auto first = preview(design, cache);
        moveLayers(design, {}, {idOf(design, "fc1")}, {7, 7});
        QCOMPARE(preview(design, cache).get(), first.get());
    }

    void devicesAreNamedWithWhatFillsThem() {
        PreviewCache cache;
        const Preview made = shown(digits(), cache, {.machine = {}, .wantsLegal = false});
        QCOMPARE(made.devices.size(), std::size_t{3});
        QCOMPARE(made.devices[0].step->largestLayer, std::string("conv1"));
        QVERIFY(!made.devices[2].isPresent);
        QCOMPARE(made.devices[2].available.count, std::int64_t{16'000'000'000});
        const auto busyOf = [&](std::size_t device) {
            return made.devices[device].step->totals.compute;
        };
        QVERIFY(busyOf(2) < busyOf(0));
        QVERIFY(busyOf(0).count > 0);
        QVERIFY(layerOf(made, "fc1").step->communicate.count >= 0);
        QVERIFY(layerOf(made, "conv2").step->compute().count > 0);
    }

    void aDeviceThatWouldOverflowIsAProblemWithItsMending() {
        Design design = digits();
        PreviewCache cache;
        const auto overflowOf = [](const Preview& made) {
            const auto found = std::ranges::find(made.problems, "W070", &Diagnostic::code);
            return found == made.problems.end() ? Diagnostic{} : *found;
        };
        QCOMPARE(overflowOf(shown(design, cache)).code, std::string());
        design.devices = {{.name = "cuda:0", .sheet = "t4"}, {.name = "cuda:1", .sheet = "t4"}};
        design.assignment.devices = {};
        design.data.batch = 4'000'000;
        const Diagnostic many = overflowOf(shown(design, cache));
        QCOMPARE(many.severity, Severity::warning);
        QVERIFY2(many.text.starts_with("cuda:0 would run out of memory: "), many.text.c_str());
        QVERIFY2(many.text.ends_with("layer conv1 uses the most"), many.text.c_str());
        QCOMPARE(many.layerName, std::string("conv1"));
        QVERIFY2(many.fix.text.starts_with("lower the batch to "), many.fix.text.c_str());
        QVERIFY(applyFix(design, many.fix, catalogue()).isDone());
        // No more than it takes.
        QVERIFY(design.data.batch < 4'000'000 / 2);
        design.data.batch *= 2;
        const Diagnostic half = overflowOf(shown(design, cache));
        QVERIFY2(half.fix.text.starts_with("halve the batch to "), half.fix.text.c_str());
        QVERIFY(applyFix(design, half.fix, catalogue()).isDone());
        QCOMPARE(overflowOf(shown(design, cache)).code, std::string());
        // Weights that lie whole on both devices are split, where the halves fit.
        design.data.batch = 32;
        setAttribute(design, {}, idOf(design, "fc1"), "units", std::int64_t{5'000'000});
        const Diagnostic wide = overflowOf(shown(design, cache));
        QCOMPARE(wide.layerName, std::string("fc1"));
        QVERIFY2(applyFix(design, wide.fix, catalogue()).isDone(), toString(wide).c_str());
        QCOMPARE(findLayer(design.network, std::string_view("fc1"))->assignment->words,
                 std::vector{AxisWord::modelStack});
        QCOMPARE(overflowOf(shown(design, cache)).code, std::string());
        // Where they do not, neither does another batch.
        setAttribute(design, {}, idOf(design, "fc1"), "units", std::int64_t{40'000'000});
        const Diagnostic over = overflowOf(shown(design, cache));
        QVERIFY2(over.fix.text.starts_with("even with a batch of 1") && over.fix.edits.empty(),
                 over.fix.text.c_str());
    }

    void whatDevicesOfOneHostHoldIsSummed() {
        MachineSheet machine;
        machine.devices = {{.name = "cpu:0", .backend = "cpu", .cores = 2}};
        Design design = digits();
        design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
        PreviewCache cache;
        const auto shownWith = [&](Bytes memory, int hosts) {
            machine.devices.front().memory = memory;
            return shown(design, cache, {.machine = machine, .ranks = 2, .hosts = hosts});
        };
        const auto overflows = [](const Preview& made) {
            return std::ranges::count(made.problems, "W070", &Diagnostic::code);
        };
        const Preview ample = shownWith({std::int64_t{1} << 40}, 1);
        QCOMPARE(overflows(ample), std::ptrdiff_t{0});
        const DevicePreview& first = ample.devices[0];
        const Bytes own = first.run->takes;
        const Bytes together = first.run->together;
        QVERIFY(together > own && together == ample.devices[1].run->together);
        const Preview tight = shownWith(together - Bytes{1}, 1);
        QCOMPARE(overflows(tight), std::ptrdiff_t{1});
        const auto problem = std::ranges::find(tight.problems, "W070", &Diagnostic::code);
        QVERIFY2(problem->text.starts_with(
                     "cpu:0 and 1 more devices of its host would run out of memory: "),
                 problem->text.c_str());
        QVERIFY(tight.devices[0].overflows() && tight.devices[1].overflows());
        // Each host has as much.
        QCOMPARE(overflows(shownWith(together - Bytes{1}, 2)), std::ptrdiff_t{0});
        QCOMPARE(overflows(shownWith(own - Bytes{1}, 2)), std::ptrdiff_t{2});
    }

    void aWordThatCannotBeHadIsMendedByAClick() {
        Design design = digits();
        design.assignment.devices = {};
        assign(design, {}, {idOf(design, "fc1")}, Assignment{.words = {AxisWord::spaceRows}});
        PreviewCache cache;
        const Preview refused = shown(design, cache);
        const auto problem = std::ranges::find(refused.problems, "E074", &Diagnostic::code);
        QVERIFY(problem != refused.problems.end());
        const Fix fix = problem->fix;
        QVERIFY(applyFix(design, fix, catalogue()).isDone());
        QVERIFY(!hasErrors(shown(design, cache).problems));
    }

    void lookedUpOnceASecondTimeIsLookedUpTheSame() {
        const Design design = digits();
        PreviewCache cache;
        const Preview first = shown(design, cache);
        QVERIFY(isSame(shown(design, cache), first));
        QVERIFY(!isSame(*preview(design, cache, {.until = PreviewPart::shapes}), first));
        QVERIFY(isSame(shown(design, cache), first));
    }

    void partsComeOneAfterTheOtherAndAreAbsentBefore() {
        const Design design = digits();
        PreviewCache cache;
        std::vector<std::shared_ptr<const Preview>> parts;
        const auto last = preview(design, cache,
                                  {.until = PreviewPart::run,
                                   .deliver = [&](const auto& part) { parts.push_back(part); }});
        QCOMPARE(parts.size(), std::size_t{3});
        QCOMPARE(parts.back(), last);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            QCOMPARE(parts[k]->step.has_value(), k >= 1);
            QCOMPARE(parts[k]->run.has_value(), k >= 2);
            QCOMPARE(parts[k]->layers.front().step.has_value(), k >= 1);
            QCOMPARE(parts[k]->devices.front().run.has_value(), k >= 2);
            QCOMPARE(parts[k]->layers.size(), last->layers.size());
        }
    }

    void whatIsNotWantedAnyMoreIsLeftOut() {
        const Design design = digits();
        PreviewCache cache;
        int asked = 0;
        const auto first = preview(
            design, cache, {.until = PreviewPart::run, .isWanted = [&] { return ++asked < 4; }});
        QVERIFY(!first->run);
        const auto again = preview(design, cache, {.until = PreviewPart::run});
        QVERIFY(again->run);
    }

    void inputsLieAsTheyAreRead() {
        Design design = digits();
        assign(design, {}, {idOf(design, "fc1")}, Assignment{.words = {AxisWord::modelStack}});
        PreviewCache cache;
        const Preview made = shown(design, cache);
        const LayerPreview& fc1 = layerOf(made, "fc1");
        QCOMPARE(fc1.inputs.front().placement, std::string("R"));
        QCOMPARE(layerOf(made, "flat").outputs.front().placement, std::string("S(0)"));
        QCOMPARE(fc1.parameters.front().placement, std::string("S(0)"));
        QCOMPARE(fc1.inputs.front().bytes.count,
                 elementsOf(fc1.inputs.front().shape) * std::int64_t{4});
        QCOMPARE(fc1.parameters.front().bytes.count,
                 elementsOf(fc1.parameters.front().shape) * std::int64_t{2});
    }

    void aRunTakesItsProgramSet() {
        Design design = digits();
        PreviewCache cache;
        const PreviewData data{.folder = {}};
        const Preview made = shown(design, cache, {.data = data});
        QVERIFY(made.run->isDataKnown);
        QVERIFY(std::ranges::find(made.run->members, "train observed") != made.run->members.end());
        QVERIFY(!shown(design, cache).run->isDataKnown);
        for (const DevicePreview& device : made.devices) {
            QVERIFY(device.run->takes >= device.step->holds());
            QVERIFY(std::ranges::find(made.run->members, device.run->largest) !=
                    made.run->members.end());
        }
    }

    void oneWireLessNeverBlanksMoreThanItReaches_data() {
        QTest::addColumn<QString>("sample");
        for (const char* sample :
             {"quickstart-digits", "two-tower-fusion", "resnet18-cifar", "tiny-gpt"}) {
            QTest::newRow(sample) << sample;
        }
    }
    void oneWireLessNeverBlanksMoreThanItReaches() {
        QFETCH(QString, sample);
        const Design whole =
            loadDesign(test::sourceFolder() / "projects" / sample.toStdString() / "design.weft",
                       catalogue())
                .design;
        PreviewCache cache;
        for (std::size_t w = 0; w < whole.network.wires.size(); ++w) {
            Design design = whole;
            const Layer* from = findLayer(design.network, design.network.wires[w].from.layer);
            if (from->kind == "input") {
                continue; // nothing may be left behind it
            }
            design.network.wires.erase(design.network.wires.begin() + static_cast<int>(w));
            const auto made =
                preview(design, cache, {.wantsLegal = false, .until = PreviewPart::step});
            QVERIFY(!hasErrors(made->problems) || !made->isComplete);
            QVERIFY(made->planned != Planned::nothing);
            QVERIFY(made->step && made->step->time.count > 0);
        }
    }
};

std::unique_ptr<QObject> makeTestPreview() { return std::make_unique<TestPreview>(); }
#include "tst_preview.moc"
