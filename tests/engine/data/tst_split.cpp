// SPDX-License-Identifier: Apache-2.0
#include "data/split.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"

#include <QTest>
#include <algorithm>
#include <numeric>

namespace weft {

using test::errorOf;
using test::fieldOf;
using test::MadeSource;
using Examples = std::vector<std::int64_t>;

class TestSplit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsOutAShareThatIsTheSameEveryTime();
    void holdsOutAtLeastOneAndNeverAll();
    void readsOtherFieldsOfTheSameExamples();
    void findsEveryMemberWhateverTheSize();
    void refusesSharesThatAreNone();
};

namespace {

Examples all(const Source& source) {
    Examples examples(static_cast<std::size_t>(source.size()));
    std::iota(examples.begin(), examples.end(), 0);
    return fieldOf<std::int64_t>(source, "id", examples);
}

} // namespace

void TestSplit::holdsOutAShareThatIsTheSameEveryTime() {
    const auto source = std::make_shared<MadeSource>(1000);
    const HeldOut parts = holdOut(source, 0.1);
    QCOMPARE(parts.validation->size(), std::int64_t{100});
    const Examples training = all(*parts.training);
    const Examples validation = all(*parts.validation);
    QVERIFY(std::is_sorted(training.begin(), training.end()));
    QVERIFY(std::is_sorted(validation.begin(), validation.end()));
    Examples both;
    std::merge(training.begin(), training.end(), validation.begin(), validation.end(),
               std::back_inserter(both));
    QCOMPARE(both, all(*source));
    QCOMPARE(all(*holdOut(source, 0.1).validation), validation);
    // Spread over the file, which may be sorted by class.
    const auto early = std::count_if(validation.begin(), validation.end(),
                                     [](std::int64_t example) { return example < 500; });
    QVERIFY(early > 25 && early < 75);
}

void TestSplit::holdsOutAtLeastOneAndNeverAll() {
    const auto source = std::make_shared<MadeSource>(3);
    QCOMPARE(holdOut(source, 0.001).validation->size(), std::int64_t{1});
    QCOMPARE(holdOut(source, 0.999).training->size(), std::int64_t{1});
}

void TestSplit::readsOtherFieldsOfTheSameExamples() {
    const HeldOut parts = holdOut(std::make_shared<MadeSource>(10), 0.5);
    const Examples ids = all(*parts.validation);
    const auto x = fieldOf<float>(*parts.validation, "x", {3, 1});
    QCOMPARE(x[0], static_cast<float>(ids[3]));
    QCOMPARE(x[3], static_cast<float>(ids[1]) + 0.25F);
}

void TestSplit::findsEveryMemberWhateverTheSize() {
    // Sizes around words and blocks of the bits that hold the members.
    for (const std::int64_t size : {2, 63, 64, 65, 511, 512, 513, 2000}) {
        for (const double share : {0.02, 0.5, 0.9}) {
            const auto source = std::make_shared<MadeSource>(size);
            const HeldOut parts = holdOut(source, share);
            const Examples training = all(*parts.training);
            const Examples validation = all(*parts.validation);
            Examples both;
            std::merge(training.begin(), training.end(), validation.begin(), validation.end(),
                       std::back_inserter(both));
            QCOMPARE(both, all(*source));
        }
    }
}

void TestSplit::refusesSharesThatAreNone() {
    const auto source = std::make_shared<MadeSource>(10);
    for (const double share : {0.0, 1.0, -0.5, std::numeric_limits<double>::quiet_NaN()}) {
        QCOMPARE(errorOf([&] { (void)holdOut(source, share); })->code(), ErrorCode::design);
    }
    QCOMPARE(errorOf([&] { (void)holdOut(std::make_shared<MadeSource>(1), 0.5); })->code(),
             ErrorCode::design);
}

} // namespace weft

std::unique_ptr<QObject> makeTestSplit() { return std::make_unique<weft::TestSplit>(); }
#include "tst_split.moc"
