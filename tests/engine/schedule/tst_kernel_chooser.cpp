// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/kernel_chooser.h"

#include <QTest>

using namespace weft;

namespace {

KernelMaker makerOf(const std::string& implementation) {
    return {"relu", implementation, [implementation](const KernelRequest&) {
                return ChoiceOrRefusal(KernelChoice{.implementation = implementation});
            }};
}

} // namespace

class TestKernelChooser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Those that round come first where they may, and are not asked where they may not; one memory
    /// keeps both answers apart.
    void asksWhatRoundsWhereItMay() {
        Backend backend;
        backend.kernels.add(makerOf("own"));
        backend.rounding[Precision::tf32].add(makerOf("rounding"));
        backend.rounding[Precision::bf16].add(makerOf("halving"));
        const KernelList lastResort;
        KernelChoiceCache memory;
        for (int asked = 0; asked < 2; ++asked) {
            const auto chosen = [&](Precision precision) {
                return KernelChooser(backend, lastResort, &memory, precision)
                    .choose({.op = "relu"})
                    ->implementation;
            };
            QCOMPARE(chosen(Precision::exact), std::string("own"));
            QCOMPARE(chosen(Precision::tf32), std::string("rounding"));
            QCOMPARE(chosen(Precision::bf16), std::string("halving"));
        }
    }

    /// A kernel maker may lack a library on this machine but not on another; the cache keeps both
    /// cases apart.
    void passesOverWhatLacksSomethingHere() {
        Backend backend;
        KernelMaker planned = makerOf("planned");
        planned.lacks = [] { return std::string("there is no library"); };
        backend.kernels.add(std::move(planned));
        backend.kernels.add(makerOf("own"));
        const KernelList lastResort;
        KernelChoiceCache memory;
        for (int asked = 0; asked < 2; ++asked) {
            std::vector<std::string> heard;
            const auto chosen = [&](bool isHere) {
                return KernelChooser(backend, lastResort, &memory, Precision::exact, isHere)
                    .choose({.op = "relu"},
                            [&](const Refusal& why) {
                                heard.push_back(why.implementation + ": " + why.reason);
                            })
                    ->implementation;
            };
            QCOMPARE(chosen(true), std::string("own"));
            QCOMPARE(heard, std::vector<std::string>{"planned: there is no library"});
            QCOMPARE(chosen(false), std::string("planned"));
        }
        QVERIFY(backend.kernels.whyNone(true).empty());
        KernelList alone;
        alone.add(backend.kernels.of("relu").front());
        QVERIFY(alone.whyNone(false).empty());
        QCOMPARE(alone.whyNone(true), std::string("there is no library"));
        QVERIFY(!KernelList().whyNone(false).empty());
    }

    /// Makers learn for which chip they are asked; one memory keeps answers for others apart.
    void saysForWhatChipItIs() {
        Backend backend;
        backend.kernels.add({"relu", "own", [](const KernelRequest& request) {
                                 return ChoiceOrRefusal(
                                     KernelChoice{.implementation = "for " + request.chip.library,
                                                  .scratch = {request.chip.generation}});
                             }});
        const KernelList lastResort;
        KernelChoiceCache memory;
        for (int asked = 0; asked < 2; ++asked) {
            const auto chosen = [&](const ChipKind& chip) {
                return KernelChooser(backend, lastResort, &memory, Precision::exact, true, chip)
                    .choose({.op = "relu"});
            };
            QCOMPARE(chosen({})->scratch.count, 0);
            QCOMPARE(chosen({80, "9.19.0"})->scratch.count, 80);
            QCOMPARE(chosen({90, "9.19.0"})->scratch.count, 90);
            QCOMPARE(chosen({90, "9.20.0"})->implementation, std::string("for 9.20.0"));
            QCOMPARE(chosen({90, "9.19.0"})->implementation, std::string("for 9.19.0"));
        }
    }

    /// Makers learn what was measured, and one memory keeps answers apart by that; what an earlier
    /// attempt chose without is had again.
    void saysWhatWasMeasured() {
        Backend backend;
        backend.kernels.add({"relu", "own", [](const KernelRequest& request) {
                                 const bool isMeasured = request.chip.plans != nullptr;
                                 return ChoiceOrRefusal(KernelChoice{
                                     .implementation = isMeasured
                                                           ? request.chip.plans->at("relu").engine
                                                           : "first"});
                             }});
        const KernelList lastResort;
        KernelChoiceCache memory;
        DeviceSheet sheet{.name = "cuda:0", .backend = "cuda", .model = "one", .library = "9"};
        const auto chooser = [&](const char* engine, const char* library) {
            sheet.plans = {"one", library, {{"relu", {engine, {}, {5}}}}};
            return KernelChooser(backend, lastResort, &memory, Precision::exact, true,
                                 chipKindOf(sheet));
        };
        for (int asked = 0; asked < 2; ++asked) {
            const auto chosen = [&](const char* engine, const char* library) {
                return chooser(engine, library).choose({.op = "relu"})->implementation;
            };
            QCOMPARE(chosen("second", "9"), std::string("second"));
            QCOMPARE(chosen("third", "9"), std::string("third"));
            QCOMPARE(chosen("third", "8"), std::string("first"));
        }
        const auto suits = [](const char* name) {
            return [name](const KernelChoice& choice) { return choice.implementation == name; };
        };
        const KernelChooser second = chooser("second", "9");
        QVERIFY(second.chooseSuitable({.op = "relu"}, suits("first")) != nullptr);
        QVERIFY(second.chooseSuitable({.op = "relu"}, suits("second")) != nullptr);
        QVERIFY(second.chooseSuitable({.op = "relu"}, suits("third")) == nullptr);
    }

    void comesToTheOthersWhereNothingRounds() {
        Backend backend;
        backend.kernels.add(makerOf("own"));
        const KernelList lastResort;
        const KernelChooser chooser(backend, lastResort, nullptr, Precision::tf32);
        QCOMPARE(chooser.choose({.op = "relu"})->implementation, std::string("own"));
    }
};

std::unique_ptr<QObject> makeTestKernelChooser() { return std::make_unique<TestKernelChooser>(); }

#include "tst_kernel_chooser.moc"
