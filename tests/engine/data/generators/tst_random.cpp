// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft {

using test::errorOf;
using test::fieldOf;

class TestRandom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawsGaussianPictures();
    void drawsIdsAndTargets();
    void givesOneExampleTheSameNumbersAlways();
    void refusesGiants();

private:
    static Data open(const Attributes& attributes) {
        DataSettings settings;
        settings.source = "random";
        settings.attributes = attributes;
        return openData(settings, {}, sourceKinds());
    }
};

void TestRandom::drawsGaussianPictures() {
    const Data data = open({{"shape", std::vector<std::int64_t>{3, 100, 100}},
                            {"classes", std::int64_t{7}},
                            {"count", std::int64_t{64}}});
    const auto x = fieldOf<float>(*data.training, "images", {0, 5});
    const auto n = static_cast<double>(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    const double square = std::inner_product(x.begin(), x.end(), x.begin(), 0.0) / n;
    QVERIFY(std::abs(mean) < 0.03);
    QVERIFY(std::abs(square - 1) < 0.05);
    std::vector<std::int64_t> all(64);
    std::iota(all.begin(), all.end(), 0);
    const auto labels = fieldOf<std::int32_t>(*data.training, "labels", all);
    QVERIFY(std::all_of(labels.begin(), labels.end(),
                        [](int label) { return label >= 0 && label < 7; }));
    QVERIFY(std::adjacent_find(labels.begin(), labels.end(), std::not_equal_to<>()) !=
            labels.end());
}

void TestRandom::drawsIdsAndTargets() {
    const Data data = open({{"values", std::string("ids")},
                            {"shape", std::vector<std::int64_t>{64}},
                            {"classes", std::int64_t{65}},
                            {"test_count", std::int64_t{5}}});
    QCOMPARE(data.training->fields()[1].shape, (Shape{64}));
    QCOMPARE(data.test->size(), std::int64_t{5});
    const auto ids = fieldOf<std::int32_t>(*data.training, "ids", {0, 9999});
    const auto targets = fieldOf<std::int32_t>(*data.training, "targets", {0, 9999});
    QVERIFY(ids != targets);
    QVERIFY(*std::max_element(ids.begin(), ids.end()) > 40);
    QVERIFY(*std::max_element(ids.begin(), ids.end()) < 65);
    QVERIFY(*std::min_element(ids.begin(), ids.end()) >= 0);
}

void TestRandom::givesOneExampleTheSameNumbersAlways() {
    const Attributes attributes = {{"shape", std::vector<std::int64_t>{2000000}}};
    const auto one = fieldOf<float>(*open(attributes).training, "images", {3});
    QCOMPARE(fieldOf<float>(*open(attributes).training, "images", {3}), one);
    QVERIFY(fieldOf<float>(*open(attributes).training, "images", {4}) != one);
}

void TestRandom::refusesGiants() {
    QCOMPARE(errorOf([] {
                 (void)open({{"shape", std::vector<std::int64_t>{1 << 24, 1 << 24, 1 << 24}}});
             })->code(),
             ErrorCode::design);
}

} // namespace weft

std::unique_ptr<QObject> makeTestRandom() { return std::make_unique<weft::TestRandom>(); }
#include "tst_random.moc"
