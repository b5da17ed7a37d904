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
    void holdsOutTheShareOfEachClass();
    void augmentsTheTrainingPartAlone();
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
    const TrainingSplit parts = holdOut(source, 0.1);
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
    const TrainingSplit parts = holdOut(std::make_shared<MadeSource>(10), 0.5);
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
            const TrainingSplit parts = holdOut(source, share);
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

void TestSplit::holdsOutTheShareOfEachClass() {
    // 1, 2, 7 and 90 examples, in turns as far as there are some.
    std::vector<std::int32_t> strata;
    for (std::int32_t k = 0; k < 90; ++k) {
        for (const auto& [stratum, count] : {std::pair{0, 1}, {1, 2}, {2, 7}, {3, 90}}) {
            if (k < count) {
                strata.push_back(stratum);
            }
        }
    }
    const auto source = std::make_shared<MadeSource>(100);
    for (const auto& [share, quotas] : {std::pair{0.1, Examples{0, 0, 1, 9}},
                                        {0.5, Examples{0, 1, 4, 45}},
                                        {0.02, Examples{0, 0, 0, 2}},
                                        {0.99, Examples{1, 2, 7, 89}}}) {
        const TrainingSplit parts = holdOut(source, share, 3, strata);
        Examples counts(4);
        for (const std::int64_t example : all(*parts.validation)) {
            ++counts[static_cast<std::size_t>(strata[static_cast<std::size_t>(example)])];
        }
        QCOMPARE(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}),
                 heldOutCount(100, share));
        if (share < 0.9) {
            QCOMPARE(counts, quotas);
        }
        QCOMPARE(all(*holdOut(source, share, 3, strata).validation), all(*parts.validation));
    }
}

void TestSplit::augmentsTheTrainingPartAlone() {
    class Moved final : public MadeSource {
    public:
        Moved() : MadeSource(10) {}
        void readIn(std::int64_t epoch, std::span<const std::int64_t> examples, std::size_t field,
                    std::span<std::byte> destination) const override {
            std::vector<std::int64_t> moved(examples.begin(), examples.end());
            std::ranges::for_each(moved, [&](std::int64_t& each) { each = (each + epoch) % 10; });
            read(moved, field, destination);
        }
    };
    const TrainingSplit parts = holdOut(std::make_shared<Moved>(), 0.5);
    const auto idIn = [](const Source& source, std::int64_t epoch) {
        std::int64_t id = 0;
        const std::int64_t first = 0;
        source.readIn(epoch, {&first, 1}, 1, std::as_writable_bytes(std::span(&id, 1)));
        return id;
    };
    QCOMPARE(idIn(*parts.training, 3), (idIn(*parts.training, 0) + 3) % 10);
    QCOMPARE(idIn(*parts.validation, 3), idIn(*parts.validation, 0));
}

} // namespace weft

std::unique_ptr<QObject> makeTestSplit() { return std::make_unique<weft::TestSplit>(); }
#include "tst_split.moc"
