// SPDX-License-Identifier: Apache-2.0
// What a preview has of the memos of those before it is what it would have found anew.
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

bool isSame(const Preview& a, const Preview& b) {
    return a.problems == b.problems && a.layers == b.layers && a.collectives == b.collectives &&
           a.devices == b.devices && a.step == b.step && a.sent == b.sent &&
           a.isComplete == b.isComplete;
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
        QVERIFY(preview(design, kept).isComplete);
        for (std::size_t k = 0; k < edits.size(); ++k) {
            edits[k]();
            PreviewCache fresh;
            const Preview& expected = preview(design, fresh);
            QVERIFY2(isSame(preview(design, kept), expected),
                     qPrintable(QString("edit %1").arg(k)));
        }
    }

    void whatOnlyMovedIsNotComputedAgain() {
        Design design = digits();
        PreviewCache cache;
        const Preview* const first = &preview(design, cache);
        const std::string* const name = &first->layers.front().name;
        moveLayers(design, {}, {idOf(design, "fc1")}, {7, 7});
        const Preview* const second = &preview(design, cache);
        QCOMPARE(second, first);
        QCOMPARE(&second->layers.front().name, name);
    }

    void devicesAreNamedWithWhatFillsThem() {
        PreviewCache cache;
        const Preview& shown = preview(digits(), cache, {.machine = {}, .wantsLegal = false});
        QCOMPARE(shown.devices.size(), std::size_t{3});
        QCOMPARE(shown.devices[0].largestLayer, std::string("conv1"));
        QVERIFY(!shown.devices[2].isPresent);
        QCOMPARE(shown.devices[2].available.count, std::int64_t{16'000'000'000});
        QVERIFY(shown.devices[2].busy < shown.devices[0].busy);
        QVERIFY(shown.devices[0].busy.count > 0);
        QVERIFY(layerOf(shown, "fc1").communicate.count >= 0);
        QVERIFY(layerOf(shown, "conv2").compute.count > 0);
    }

    void aDeviceThatWouldOverflowIsAProblemWithItsMending() {
        Design design = digits();
        PreviewCache cache;
        const auto overflowOf = [](const Preview& shown) {
            const auto found = std::ranges::find(shown.problems, "W070", &Diagnostic::code);
            return found == shown.problems.end() ? Diagnostic{} : *found;
        };
        QCOMPARE(overflowOf(preview(design, cache)).code, std::string());
        design.devices = {{.name = "cuda:0", .sheet = "t4"}, {.name = "cuda:1", .sheet = "t4"}};
        design.assignment.devices = {};
        design.data.batch = 4'000'000;
        const Diagnostic many = overflowOf(preview(design, cache));
        QCOMPARE(many.severity, Severity::warning);
        QVERIFY2(many.text.starts_with("cuda:0 would overflow: "), many.text.c_str());
        QVERIFY2(many.text.ends_with("conv1's"), many.text.c_str());
        QCOMPARE(many.layerName, std::string("conv1"));
        QVERIFY2(many.fix.text.starts_with("lower the batch to "), many.fix.text.c_str());
        QVERIFY(applyFix(design, many.fix, catalogue()).isDone());
        // No more than it takes.
        QVERIFY(design.data.batch < 4'000'000 / 2);
        design.data.batch *= 2;
        const Diagnostic half = overflowOf(preview(design, cache));
        QVERIFY2(half.fix.text.starts_with("halve the batch to "), half.fix.text.c_str());
        QVERIFY(applyFix(design, half.fix, catalogue()).isDone());
        QCOMPARE(overflowOf(preview(design, cache)).code, std::string());
        // Weights that lie whole on both devices are split, where the halves fit.
        design.data.batch = 32;
        setAttribute(design, {}, idOf(design, "fc1"), "units", std::int64_t{12'000'000});
        const Diagnostic wide = overflowOf(preview(design, cache));
        QCOMPARE(wide.layerName, std::string("fc1"));
        QVERIFY(applyFix(design, wide.fix, catalogue()).isDone());
        QCOMPARE(findLayer(design.network, std::string_view("fc1"))->assignment->words,
                 std::vector{AxisWord::modelStack});
        QCOMPARE(overflowOf(preview(design, cache)).code, std::string());
        // Where they do not, neither does another batch.
        setAttribute(design, {}, idOf(design, "fc1"), "units", std::int64_t{40'000'000});
        const Diagnostic over = overflowOf(preview(design, cache));
        QVERIFY2(over.fix.text.starts_with("it is ") && over.fix.edits.empty(),
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
            return preview(design, cache, {.machine = machine, .ranks = 2, .hosts = hosts});
        };
        const auto overflows = [](const Preview& shown) {
            return std::ranges::count(shown.problems, "W070", &Diagnostic::code);
        };
        const Preview ample = shownWith({std::int64_t{1} << 40}, 1);
        QCOMPARE(overflows(ample), std::ptrdiff_t{0});
        const DevicePreview& first = ample.devices[0];
        const Bytes own = first.parameters + first.activations;
        QVERIFY(first.together > own && first.together == ample.devices[1].together);
        const Preview tight = shownWith(first.together - Bytes{1}, 1);
        QCOMPARE(overflows(tight), std::ptrdiff_t{1});
        const auto problem = std::ranges::find(tight.problems, "W070", &Diagnostic::code);
        QVERIFY2(problem->text.starts_with("cpu:0 and 1 more of its host would overflow: "),
                 problem->text.c_str());
        QVERIFY(tight.devices[0].overflows() && tight.devices[1].overflows());
        // Each host has as much.
        QCOMPARE(overflows(shownWith(first.together - Bytes{1}, 2)), std::ptrdiff_t{0});
        QCOMPARE(overflows(shownWith(own - Bytes{1}, 2)), std::ptrdiff_t{2});
    }

    void aWordThatCannotBeHadIsMendedByAClick() {
        Design design = digits();
        design.assignment.devices = {};
        assign(design, {}, {idOf(design, "fc1")}, Assignment{.words = {AxisWord::spaceRows}});
        PreviewCache cache;
        const Preview refused = preview(design, cache);
        const auto problem = std::ranges::find(refused.problems, "E074", &Diagnostic::code);
        QVERIFY(problem != refused.problems.end());
        const Fix fix = problem->fix;
        QVERIFY(applyFix(design, fix, catalogue()).isDone());
        QVERIFY(!hasErrors(preview(design, cache).problems));
    }

    void lookedUpOnceASecondTimeIsLookedUpTheSame() {
        const Design design = digits();
        PreviewCache cache;
        const Preview first = preview(design, cache);
        QVERIFY(isSame(preview(design, cache), first));
        QVERIFY(!isSame(preview(design, cache, {.wantsPlan = false}), first));
        QVERIFY(isSame(preview(design, cache), first));
    }
};

std::unique_ptr<QObject> makeTestPreview() { return std::make_unique<TestPreview>(); }
#include "tst_preview.moc"
