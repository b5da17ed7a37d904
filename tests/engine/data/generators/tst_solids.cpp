// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "engine/data/made_source.h"

#include <QTest>
#include <algorithm>
#include <numeric>

namespace weft {

using test::fieldOf;

namespace {

Data open(const Attributes& attributes) {
    DataSettings settings;
    settings.source = "solids";
    settings.attributes = attributes;
    return openData(settings, {}, sourceKinds());
}
double meanOf(const std::vector<float>& x) {
    return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

} // namespace

class TestSolids : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawsTheSameObjectAlways();
    void showsFormInDepthAlone();
    void showsHueInColourAlone();
    void drawsOtherObjectsForTesting();
};

void TestSolids::drawsTheSameObjectAlways() {
    const Attributes attributes = {{"side", std::int64_t{24}}, {"hues", std::int64_t{5}}};
    const Data one = open(attributes);
    const Data two = open(attributes);
    QCOMPARE(one.training->fields()[0].shape, (Shape{3, 24, 24}));
    QCOMPARE(one.training->fields()[2].classes, std::int64_t{15});
    QCOMPARE(one.classNames.size(), std::size_t{15});
    for (const char* field : {"colours", "depths"}) {
        const auto x = fieldOf<float>(*one.training, field, {7, 3});
        QCOMPARE(fieldOf<float>(*two.training, field, {7, 3}), x);
        QVERIFY(fieldOf<float>(*two.training, field, {8, 3}) != x);
    }
    std::vector<std::int64_t> many(500);
    std::iota(many.begin(), many.end(), 0);
    auto labels = fieldOf<std::int32_t>(*one.training, "labels", many);
    std::ranges::sort(labels);
    labels.erase(std::ranges::unique(labels).begin(), labels.end());
    QCOMPARE(labels.size(), std::size_t{15});
    QCOMPARE(labels.back(), 14);
}

// With one hue the class is the form, and the other way round: what does not depend on the class is
// drawn alike.
void TestSolids::showsFormInDepthAlone() {
    const auto of = [](std::int64_t forms, const char* field) {
        return fieldOf<float>(*open({{"side", std::int64_t{32}},
                                     {"forms", forms},
                                     {"hues", std::int64_t{1}},
                                     {"noise", 0.0}})
                                   .training,
                              field, {0, 1, 2, 3, 4, 5, 6, 7});
    };
    QCOMPARE(of(1, "colours"), of(5, "colours"));
    QVERIFY(of(1, "depths") != of(5, "depths"));
}

void TestSolids::showsHueInColourAlone() {
    const auto of = [](std::int64_t hues, const char* field) {
        return fieldOf<float>(*open({{"side", std::int64_t{32}},
                                     {"forms", std::int64_t{1}},
                                     {"hues", hues},
                                     {"noise", 0.0}})
                                   .training,
                              field, {0, 1, 2, 3, 4, 5, 6, 7});
    };
    QCOMPARE(of(1, "depths"), of(9, "depths"));
    QVERIFY(of(1, "colours") != of(9, "colours"));
    const auto depths = of(9, "depths");
    QVERIFY(meanOf(depths) < 0.99 && meanOf(depths) > 0.5);
    QVERIFY(*std::ranges::max_element(depths) <= 1);
}

void TestSolids::drawsOtherObjectsForTesting() {
    const Data data = open({{"side", std::int64_t{16}}, {"test_count", std::int64_t{20}}});
    QCOMPARE(data.test->size(), std::int64_t{20});
    QVERIFY(fieldOf<float>(*data.training, "colours", {0}) !=
            fieldOf<float>(*data.test, "colours", {0}));
    QVERIFY(fieldOf<float>(*data.training, "colours", {1}) !=
            fieldOf<float>(*data.test, "colours", {0}));
}

} // namespace weft

std::unique_ptr<QObject> makeTestSolids() { return std::make_unique<weft::TestSolids>(); }
#include "tst_solids.moc"
