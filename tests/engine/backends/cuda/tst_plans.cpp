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
        QTest::addColumn<int>("generation");
        for (const int generation : sheetGenerations()) {
            QTest::addRow("%d", generation) << generation;
        }
    }
    void fitTheKeptTable() {
        QFETCH(int, generation);
        const std::string fault = faultOfTable(cases_, generation);
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void differFromChipToChip() {
        const auto on = [](int generation) {
            return [properties = propertiesOf(generation)](const PlannedConvolution& one) {
                return plans::make(one, anyWorkspace, properties);
            };
        };
        QVERIFY(differing(on(80), on(90)) > 0);
    }

    void takeOtherEnginesInTf32() {
        const auto in = [](Precision precision) {
            return [precision, properties = propertiesOf(90)](PlannedConvolution one) {
                one.precision = precision;
                return plans::make(one, anyWorkspace, properties);
            };
        };
        const std::ptrdiff_t most = static_cast<std::ptrdiff_t>(cases_.size()) / 2;
        QVERIFY(differing(in(Precision::exact), in(Precision::tf32)) > most);
    }

    /// Several are offered for most, each of a name of its own, by which it is had again.
    void areHadByName() {
        const std::string properties = propertiesOf(90);
        std::vector<PlannedConvolution> cases = cases_;
        std::erase_if(cases, [k = 0](const auto&) mutable { return k++ % 5 != 0; });
        std::size_t several = 0;
        for (const PlannedConvolution& one : cases) {
            const std::int64_t workspace =
                workspaceFor(one, {90, planRows().front().version}).value_or(0);
            const auto all = plans::makeAll(one, workspace, properties);
            std::set<std::string> names;
            for (const auto& plan : all) {
                QVERIFY2(names.insert(plan->engine()).second, plan->engine().c_str());
                QVERIFY(plan->workspace() <= workspace);
            }
            QCOMPARE(all.front()->engine(), plans::make(one, workspace, properties)->engine());
            const auto last = plans::make(one, workspace, properties, all.back()->engine());
            QCOMPARE(last->engine(), all.back()->engine());
            QCOMPARE(last->workspace(), all.back()->workspace());
            QVERIFY(plans::make(one, workspace, properties, "engine none") == nullptr);
            several += all.size() > 1 ? 1 : 0;
        }
        QVERIFY2(2 * several > cases.size(), std::to_string(several).c_str());
    }

    void areNoneOfNonsense() {
        const PlannedConvolution one = cases_.front();
        PlannedConvolution odd = one;
        odd.of.windowRows -= 1;
        QVERIFY(plans::make(one, anyWorkspace, propertiesOf(90)) != nullptr);
        QVERIFY(plans::make(odd, anyWorkspace, propertiesOf(90)) == nullptr);
        QVERIFY(plans::make(one, anyWorkspace, "no chip") == nullptr);
        QVERIFY(plans::make(one, -1, propertiesOf(90)) == nullptr);
    }
};

std::unique_ptr<QObject> makeTestPlans() { return std::make_unique<TestPlans>(); }

#include "tst_plans.moc"
