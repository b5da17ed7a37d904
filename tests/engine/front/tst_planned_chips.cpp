// SPDX-License-Identifier: Apache-2.0
// Designs for chips that are not there, planned and priced: what joins them, what several workers
// on one come to, what goes through the host.
#include "compile/registry.h"
#include "device/settled_formats.h"
#include "front/machine/features.h"
#include "front/preview/compile_step.h"
#include "support/places.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/explain.h>
#include <weft/preview.h>

#include <QTest>
#include <algorithm>
#include <filesystem>

using namespace weft;

namespace {

/// On devices of one data sheet, split by data.
Design digitsOn(const std::vector<std::string>& devices, const std::string& sheet,
                const char* sample = "quickstart-digits/design.weft") {
    Design design = loadDesign(test::sourceFolder() / "projects" / sample, catalogue()).design;
    design.devices.clear();
    for (const std::string& name : devices) {
        design.devices.push_back(
            {.name = name, .sheet = name.starts_with("cuda") ? sheet : "cpu16"});
    }
    design.assignment = {.words = {AxisWord::data}};
    design.data.batch = 4096;
    return design;
}

Preview planned(const Design& design, int ranks = 1, int hosts = 1) {
    PreviewCache cache;
    return *preview(
        design, cache,
        {.ranks = ranks, .hosts = hosts, .wantsLegal = false, .until = PreviewPart::run});
}

const CollectivePreview& gradients(const Preview& made) {
    return *std::ranges::find_if(made.collectives, [](const CollectivePreview& one) {
        return one.name.starts_with("gradients");
    });
}

} // namespace

class TestPlannedChips : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsNameTheLinkThatTheyArePricedBy_data() {
        QTest::addColumn<QString>("sheet");
        QTest::addColumn<QString>("second");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("hosts");
        QTest::addColumn<QString>("link");
        QTest::newRow("one process") << "h200"
                                     << "cuda:1" << 1 << 1 << "NVLink 4";
        QTest::newRow("two processes") << "h200"
                                       << "cuda:1" << 2 << 1 << "NVLink 4";
        QTest::newRow("two hosts") << "h200"
                                   << "cuda:1" << 2 << 2 << "network";
        QTest::newRow("boards") << "l4"
                                << "cuda:1" << 1 << 1 << "PCIe 4";
        QTest::newRow("for games") << "rtx4090"
                                   << "cuda:1" << 1 << 1 << "PCIe 4 and threads";
        QTest::newRow("one chip") << "h200"
                                  << "cuda:0/1" << 1 << 1 << "one chip";
        QTest::newRow("and a processor") << "h200"
                                         << "cpu:0" << 1 << 1 << "PCIe 5 and threads";
    }
    void rowsNameTheLinkThatTheyArePricedBy() {
        QFETCH(const QString, sheet);
        QFETCH(const QString, second);
        QFETCH(const int, ranks);
        QFETCH(const int, hosts);
        const std::string other = second.toStdString();
        const bool isShared = other.find('/') != std::string::npos;
        const Preview made = planned(
            digitsOn({isShared ? "cuda:0/0" : "cuda:0", other}, sheet.toStdString()), ranks, hosts);
        QTEST(QString::fromStdString(gradients(made).link), "link");
        QVERIFY(print(made).find(gradients(made).link) != std::string::npos);
        QVERIFY(gradients(made).step->time.count > 0);
    }

    void twoWorkersOfAChipAreNotTwiceAsFast() {
        const Nanoseconds one = planned(digitsOn({"cuda:0"}, "h200")).step->time;
        const Nanoseconds shared = planned(digitsOn({"cuda:0/0", "cuda:0/1"}, "h200")).step->time;
        const Nanoseconds two = planned(digitsOn({"cuda:0", "cuda:1"}, "h200")).step->time;
        QVERIFY2(shared >= one, qPrintable(QString("%1 %2").arg(shared.count).arg(one.count)));
        QVERIFY(two < shared);
    }

    void roundingIsFasterWhereUnitsAreForIt_data() {
        QTest::addColumn<QString>("sheet");
        QTest::addColumn<bool>("isFaster");
        QTest::newRow("h100") << "h100" << true;
        QTest::newRow("a100") << "a100" << true;
        QTest::newRow("v100") << "v100" << false;
        QTest::newRow("p100") << "p100" << false;
    }
    void roundingIsFasterWhereUnitsAreForIt() {
        QFETCH(const QString, sheet);
        QFETCH(const bool, isFaster);
        Design design =
            digitsOn({"cuda:0"}, sheet.toStdString(), "alexnet-one-weird-trick/design.weft");
        design.data.batch = 128;
        const auto took = [&design](const char* precision) {
            design.training.precision = precision;
            return static_cast<double>(planned(design).step->time.count);
        };
        const double exact = took("exact");
        const double times = exact / took("tf32");
        const double inBf16 = exact / took("bf16");
        const auto registry = makeRegistry();
        const Backend* cuda = registry->backends.find("cuda");
        const bool rounds = cuda != nullptr && !cuda->rounding.empty();
        QVERIFY2(isFaster && rounds ? times > 2 : times == 1, qPrintable(QString::number(times)));
        QVERIFY2(isFaster && rounds ? inBf16 > times : inBf16 == 1,
                 qPrintable(QString::number(inBf16)));
        // A precision that changes nothing gives a note; one that is not allowed is refused. A
        // build without the backend knows neither.
        const auto said = [&design](const char* precision) {
            design.training.precision = precision;
            const std::vector<Diagnostic> problems = planned(design).problems;
            const auto found = std::ranges::find(problems, "precision", &Diagnostic::attribute);
            return found == problems.end() ? std::string() : found->code;
        };
        const bool isSaid = cuda != nullptr && !(isFaster && rounds);
        QCOMPARE(said("tf32"), std::string(isSaid ? "W072" : ""));
        QCOMPARE(said("bf16"), std::string(isSaid ? "E077" : ""));
    }

    /// Chips of 8.0 want more room for plans of convolutions than those of 9.0; who is between them
    /// is given what the older ones are, and is said to be.
    void booksWhatPlansWantOnThatChip() {
        const auto registry = makeRegistry();
        const Backend* cuda = registry->backends.find("cuda");
        if (cuda == nullptr || cuda->rounding.empty()) {
            QSKIP("this build plans no convolutions");
        }
        const auto on = [](const char* sheet) {
            Design design = digitsOn({"cuda:0"}, sheet, "resnet18-cifar/bench.weft");
            design.data.batch = 128;
            design.training.precision = "tf32";
            return planned(design);
        };
        const auto taken = [&](const char* sheet) {
            return on(sheet).devices.front().step->holds().count;
        };
        QVERIFY(taken("h100") < taken("a100"));
        QVERIFY(taken("h100") < taken("l4"));
        std::vector<DeviceSheet> sheets = dataSheets();
        std::erase_if(sheets, [](const DeviceSheet& sheet) {
            return sheet.name != "l4" && sheet.name != "a100" && sheet.name != "h100";
        });
        const std::vector<std::string> remarks = remarksOn(sheets);
        QCOMPARE(remarks.size(), std::size_t{1});
        QVERIFY2(remarks.front().starts_with("l4: ") &&
                     remarks.front().ends_with("GPUs of compute capability 8.0"),
                 remarks.front().c_str());
    }

    /// The next batch comes while a step runs, in memory of its own; where that takes longer than
    /// the step, this is what a step takes, and it is said.
    void batchesComeAhead_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<qint64>("side");
        QTest::addColumn<bool>("comesAhead");
        QTest::addColumn<bool>("waits");
        QTest::newRow("what computes much") << "cuda:0" << qint64{224} << true << false;
        QTest::newRow("what computes little") << "cuda:0" << qint64{0} << true << true;
        QTest::newRow("a processor") << "cpu:0" << qint64{0} << false << false;
    }
    void batchesComeAhead() {
        QFETCH(const QString, device);
        QFETCH(const qint64, side);
        QFETCH(const bool, comesAhead);
        QFETCH(const bool, waits);
        const bool isLarge = side > 0;
        Design design =
            digitsOn({device.toStdString()}, isLarge ? "h100" : "v100",
                     isLarge ? "alexnet-one-weird-trick/design.weft" : "first/design.weft");
        design.data.batch = isLarge ? 128 : 4096;
        const bool knows = makeRegistry()->backends.find("cuda") != nullptr || !comesAhead;
        const Preview made = planned(design);
        const auto& spans = made.step->timeline->spans;
        const auto feed = std::ranges::find_if(spans, [&](const TimelineSpan& span) {
            return made.step->timeline->siteOf(span).kind == SpanKind::feed;
        });
        QCOMPARE(feed != spans.end(), comesAhead && knows);
        const DevicePreview& only = made.devices.front();
        const Bytes ahead = only.run->takes - only.step->holds();
        const std::int64_t bytes =
            isLarge ? 128 * 3 * side * side * 4 : std::int64_t{4096} * 28 * 28 * 4;
        QVERIFY2((ahead.count >= bytes) == (comesAhead && knows), toString(ahead).c_str());
        const auto said = std::ranges::find(made.problems, "W075", &Diagnostic::code);
        QCOMPARE(said != made.problems.end(), waits && knows);
        if (waits && knows) {
            QCOMPARE(made.step->time.count, feed->duration.count);
            QVERIFY2(said->text.starts_with("cuda:0 waits for its data: copying the next batch"),
                     said->text.c_str());
            QVERIFY(only.step->totals.compute + only.step->totals.idle == made.step->time);
        }
    }

    /// Maps and filters lie channels-last where products are rounded, from one end of a net to the
    /// other and in its state: only pictures as they are fed are laid anew, for what takes them so.
    void staysChannelsLastWhereItRounds_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("precision");
        QTest::addColumn<int>("reorders");
        for (const char* sample : {"alexnet-one-weird-trick", "googlenet", "resnet18-cifar"}) {
            for (const auto& [precision, reorders] :
                 {std::pair{"exact", 0}, {"tf32", 1}, {"bf16", 0}}) {
                QTest::addRow("%s, %s", sample, precision)
                    << QString(sample) + "/bench.weft" << precision << reorders;
            }
        }
    }
    void staysChannelsLastWhereItRounds() {
        QFETCH(const QString, sample);
        QFETCH(const QString, precision);
        QFETCH(const int, reorders);
        Design design = digitsOn({"cuda:0"}, "h100", qPrintable(sample));
        design.data.batch = 128;
        design.training.precision = precision.toStdString();
        const auto registry = makeRegistry();
        const Backend* cuda = registry->backends.find("cuda");
        if (cuda == nullptr || cuda->rounding.empty()) {
            QSKIP("this build rounds nowhere");
        }
        const Study studied = study({.design = &design, .registry = registry.get()});
        const CompiledStep step =
            compileEachDevice(studied, {.design = &design, .registry = registry.get()});
        const Program& program = step.programOf(DeviceId{0});
        const auto isReorder = [](const Step& one) { return one.name.ends_with("reorder"); };
        QCOMPARE(std::ranges::count_if(program.steps, isReorder), reorders);
        const auto isLast = [](const SlotBuffer& slot) {
            return slot.part.format == channelsLast();
        };
        QCOMPARE(std::ranges::any_of(program.slots, isLast), precision != "exact");
    }

    /// Whatever lies how, nothing that is kept is laid anew as it is written.
    void plansEveryProjectRounded() {
        const auto registry = makeRegistry();
        int planned = 0;
        for (const auto& folder :
             std::filesystem::directory_iterator(test::sourceFolder() / "projects")) {
            const std::string sample = folder.path().filename() / "design.weft";
            if (!std::filesystem::exists(folder.path() / "design.weft")) {
                continue;
            }
            for (const char* precision : {"tf32", "bf16"}) {
                Design design = digitsOn({"cuda:0"}, "h100", sample.c_str());
                design.assignment = {};
                design.data.batch = 16;
                design.training.precision = precision;
                const Study studied = study({.design = &design, .registry = registry.get()});
                if (studied.plan != nullptr) {
                    const CompiledStep step =
                        compileEachDevice(studied, {.design = &design, .registry = registry.get()});
                    planned += step.programOf(DeviceId{0}).steps.empty() ? 0 : 1;
                }
            }
        }
        QVERIFY2(planned >= 20, qPrintable(QString::number(planned)));
    }

    /// Nothing is assumed about a chip that is neither present nor described.
    void whatIsNotKnownIsNotHeldToRound() {
        Design design = digitsOn({"cuda:0"}, "");
        const bool knowsBackend = makeRegistry()->backends.find("cuda") != nullptr;
        for (const char* precision : {"tf32", "bf16"}) {
            design.training.precision = precision;
            const std::vector<Diagnostic> problems = planned(design).problems;
            const auto found = std::ranges::find(problems, "precision", &Diagnostic::attribute);
            QCOMPARE(found != problems.end(), knowsBackend);
            QVERIFY(!knowsBackend ||
                    found->text.ends_with("is unknown: set a data sheet for the device"));
        }
    }

    void whatWorkersOfAChipTakeIsSummed() {
        Design design = digitsOn({"cuda:0/0", "cuda:0/1", "cuda:1"}, "t4");
        design.data.batch = 700'000;
        const Preview made = planned(design);
        const auto takes = [&](std::size_t k) { return made.devices[k].run->takes.count; };
        QCOMPARE(made.devices[0].run->together.count, takes(0) + takes(1));
        QCOMPARE(made.devices[2].run->together.count, takes(2));
        QVERIFY(takes(0) < made.devices[0].available.count);
        const auto overflow = std::ranges::find(made.problems, "W070", &Diagnostic::code);
        QVERIFY(overflow != made.problems.end());
        QVERIFY2(overflow->text.starts_with(
                     "cuda:0/0 and 1 more devices of its chip would run out of memory: "),
                 overflow->text.c_str());
        const auto shared = std::ranges::find(made.problems, "W071", &Diagnostic::code);
        QVERIFY(shared != made.problems.end());
    }

    /// Transfers between chip and host in a round are paid in every round, while the chip is idle.
    void stagedWorkIsPricedInEveryRound() {
        const Design design = digitsOn({"cuda:0"}, "h100", "lca-dictionary/design.weft");
        const auto registry = makeRegistry();
        const Study studied = study({.design = &design, .registry = registry.get()});
        const Backend bare{.name = "bare", .space = MemorySpace::device}; // it has no kernels
        const DeviceSheet sheet =
            studyDevices(studied, {.design = &design, .registry = registry.get()}).sheets.front();
        const Program program =
            schedule(studied.plan, DeviceId{0}, bare, sheet, {.fallback = &registry->reference});
        const auto repeat =
            std::ranges::find_if(program.steps, [](const Step& step) { return step.count > 1; });
        QVERIFY(repeat != program.steps.end() && repeat->rounds != nullptr);
        const StepBody& rounds = *repeat->rounds;
        Nanoseconds sum;
        std::int64_t staged = 0;
        std::int64_t shared = 0;
        for (std::size_t k = 0; k < rounds.steps.size(); ++k) {
            const BodyStep& one = rounds.steps[k];
            const Bytes there = rounds.kernels.kernels[k].choices.front()->staged;
            Nanoseconds expected = roundTripPrice(sheet, there).time;
            if (!one.rounds) {
                expected = hostFallbackPrice(sheet, one.op, one.flops, one.traffic, there).time;
            }
            for (std::size_t m = 0; one.rounds && m < one.rounds->steps.size(); ++m) {
                const BodyStep& member = one.rounds->steps[m];
                expected += hostPrice(member.op, member.flops, member.traffic).time;
            }
            QCOMPARE(one.predicted.count, expected.count);
            staged += there.count > 0 ? 1 : 0;
            shared += one.rounds ? 1 : 0;
            sum += one.predicted * rounds.kernels.kernels[k].runs();
        }
        QVERIFY(staged > 0 && shared > 0);
        QCOMPARE(repeat->predicted.count, sum.count);
        QCOMPARE(repeat->chip, ChipUse{});
    }

    void whatIsExplainedOfAChipSaysHowFarItIsProved() {
        QVERIFY(!proofOf("cuda").empty() && proofOf("cpu").empty());
        const bool isBuilt = makeRegistry()->backends.find("cuda") != nullptr;
        const auto saysSo = [](const Design& design) {
            const std::string text = explain(design, {.stage = Stage::kernels});
            return text.find(proofOf("cuda")) != std::string::npos;
        };
        QCOMPARE(saysSo(digitsOn({"cuda:0"}, "h100")), isBuilt);
        QVERIFY(!saysSo(digitsOn({"cpu:0"}, "")));
    }

    /// Kernels that a chip cannot run, and plans for one of which nothing was found.
    void whatDoesNotHoldOfAChipIsSaid_data() {
        QTest::addColumn<QString>("sheet");
        QTest::addColumn<QString>("said");
        QTest::newRow("older") << "v100"
                               << "cuda:0, cuda:1: for planning only";
        QTest::newRow("in between") << "rtx4090"
                                    << "cuda:0, cuda:1: the workspace of cuDNN convolutions";
        QTest::newRow("found") << "h100"
                               << "";
    }
    void whatDoesNotHoldOfAChipIsSaid() {
        QFETCH(const QString, sheet);
        QFETCH(const QString, said);
        const auto registry = makeRegistry();
        const Backend* cuda = registry->backends.find("cuda");
        if (cuda == nullptr || cuda->rounding.empty()) {
            QSKIP("built without a toolkit or without cuDNN");
        }
        const std::string text =
            explain(digitsOn({"cuda:0", "cuda:1"}, sheet.toStdString()), {.stage = Stage::kernels});
        const bool isSaid = text.find("cuda:0, cuda:1: ") != std::string::npos;
        QCOMPARE(isSaid, !said.isEmpty());
        QVERIFY2(text.find(said.toStdString()) != std::string::npos, text.c_str());
    }

    void theDriversOwnLineTellsItsVersion() {
        QCOMPARE(driverVersionIn(
                     "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 "
                     "01:15:15 UTC 2023"),
                 std::string("535.104.05"));
        QCOMPARE(
            driverVersionIn("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  "
                            "Release Build"),
            std::string("580.65.06"));
        QCOMPARE(driverVersionIn(""), std::string());
        QCOMPARE(driverVersionIn("NVRM version: something else"),
                 std::string("of an unknown version"));
    }
};

std::unique_ptr<QObject> makeTestPlannedChips() { return std::make_unique<TestPlannedChips>(); }
#include "tst_planned_chips.moc"
