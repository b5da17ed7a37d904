// SPDX-License-Identifier: Apache-2.0
// The library plans convolutions for chips that are not there, exactly, in TF32 or in bf16 as it is
// asked, within the workspace that the kept table allows them. No plan is run here.

#include "plan_cases.h"

#include <QTest>
#include <algorithm>
#include <set>

using namespace weft;
using namespace weft::cuda;
using namespace weft::test;

class TestPlans : public QObject {
    Q_OBJECT

    std::vector<PlannedConvolution> cases_;

    /// In how many cases, exact and in TF32, two asked otherwise take different engines.
    template <class First, class Second>
    std::ptrdiff_t differing(First&& first, Second&& second) {
        return std::ranges::count_if(cases_, [&](const PlannedConvolution& one) {
            return first(one)->engine() != second(one)->engine();
        });
    }

private Q_SLOTS:
    void initTestCase() {
        const std::string why = whyNoPlans();
        if (!why.empty()) {
            QSKIP(why.c_str());
        }
        cases_ = planCases({32}, Precision::exact);
        std::ranges::copy(planCases({32}, Precision::tf32), std::back_inserter(cases_));
        std::ranges::copy(planCases({32}, Precision::bf16), std::back_inserter(cases_));
        std::erase_if(cases_, [k = 0](const auto&) mutable { return k++ % 13 != 0; });
    }

    /// All of them, and for other batches: tst_all_plans.
    void fitTheKeptTable_data() {
        QTest::addColumn<int>("sheet");
        int sheet = 0;
        for (const ChipSheet& chip : chipSheets()) {
            QTest::addRow("%s", chip.name.c_str()) << sheet++;
        }
    }
    void fitTheKeptTable() {
        QFETCH(const int, sheet);
        const std::string fault =
            faultOfTable(cases_, chipSheets().at(static_cast<std::size_t>(sheet)));
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void differFromChipToChip() {
        const auto on = [](const ChipSheet& chip) {
            return [properties = chip.properties()](const PlannedConvolution& one) {
                return plans::make(one, anyWorkspace, properties);
            };
        };
        QVERIFY(differing(on(chipSheets().front()), on(h200())) > 0);
    }

    void takeOtherEnginesInTf32() {
        const auto in = [](Precision precision) {
            return [precision, properties = h200().properties()](PlannedConvolution one) {
                one.precision = precision;
                return plans::make(one, anyWorkspace, properties);
            };
        };
        const std::ptrdiff_t most = static_cast<std::ptrdiff_t>(cases_.size()) / 2;
        QVERIFY(differing(in(Precision::exact), in(Precision::tf32)) > most);
    }

    /// Several are offered for most, each of a name of its own, by which it is had again: engines
    /// come with several values of their knobs. Engine 0 is the last.
    void areHadByName() {
        const std::string properties = h200().properties();
        std::vector<PlannedConvolution> cases = cases_;
        std::erase_if(cases, [k = 0](const auto&) mutable { return k++ % 5 != 0; });
        std::size_t several = 0;
        std::size_t engines = 0;
        std::size_t offered = 0;
        for (const PlannedConvolution& one : cases) {
            const std::int64_t workspace = workspaceFor(one, h200().kind()).value_or(0);
            const auto all = plans::makeAll(one, workspace, properties);
            std::set<std::string> names;
            std::set<std::string> withoutKnobs;
            for (const auto& plan : all) {
                const std::string& name = plan->engine();
                QVERIFY2(names.insert(name).second, name.c_str());
                withoutKnobs.insert(name.substr(0, name.find(',')));
                QVERIFY(plan->workspace() <= workspace);
                QVERIFY2(!isOfLastResort(*plan) || plan == all.back(), nameOf(one).c_str());
                const auto again = plans::make(one, workspace, properties, name);
                QVERIFY2(again != nullptr, (nameOf(one) + " by " + name).c_str());
                QCOMPARE(again->engine(), name);
                QCOMPARE(again->workspace(), plan->workspace());
                QCOMPARE(again->usesTensorCores(), plan->usesTensorCores());
            }
            QCOMPARE(all.front()->engine(), plans::make(one, workspace, properties)->engine());
            for (const char* const none : {"engine none", "engine 9999", "engine 0, 2=", "loops"}) {
                QVERIFY2(plans::make(one, workspace, properties, none) == nullptr, none);
            }
            several += all.size() > 1 ? 1 : 0;
            engines += withoutKnobs.size();
            offered += all.size();
        }
        QVERIFY2(2 * several > cases.size(), std::to_string(several).c_str());
        QVERIFY2(offered > engines, std::to_string(offered).c_str());
    }

    /// AlexNet's first layer, whose forward pass ran by engine 0 on an H200: 16 ms of 28.
    void padTheChannelsOfPictures() {
        for (const auto precision : {Precision::tf32, Precision::bf16}) {
            for (PlannedConvolution one : planCases({256}, precision)) {
                if (one.of.inputs != 3 || one.of.kernelRows != 11) {
                    continue;
                }
                const std::int64_t workspace = workspaceFor(one, h200().kind()).value_or(0);
                QVERIFY(plans::make(one, workspace, h200().properties())->usesTensorCores());
                const std::int64_t little = std::int64_t{2} << 20;
                const auto tight = plans::make(one, little, h200().properties());
                QVERIFY(tight == nullptr || !tight->usesTensorCores());
            }
        }
    }

    void areNoneOfNonsense() {
        const PlannedConvolution one = cases_.front();
        PlannedConvolution odd = one;
        odd.of.windowRows -= 1;
        QVERIFY(plans::make(one, anyWorkspace, h200().properties()) != nullptr);
        QVERIFY(plans::make(odd, anyWorkspace, h200().properties()) == nullptr);
        QVERIFY(plans::make(one, anyWorkspace, "no chip") == nullptr);
        QVERIFY(plans::make(one, -1, h200().properties()) == nullptr);
    }
};

std::unique_ptr<QObject> makeTestPlans() { return std::make_unique<TestPlans>(); }

#include "tst_plans.moc"
