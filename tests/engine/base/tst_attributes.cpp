// SPDX-License-Identifier: Apache-2.0
#include "support/bug.h"
#include <weft/attributes.h>

#include <QTest>
#include <memory>

using namespace weft;

class TestAttributes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersInTheTypeAskedFor() {
        const Attributes attributes{{"units", std::int64_t{100}},
                                    {"rate", 0.5},
                                    {"bias", true},
                                    {"padding", std::string("same")},
                                    {"stride", std::vector<std::int64_t>{2, 3}}};
        QCOMPARE(attributes.integer("units"), 100);
        QCOMPARE(attributes.real("units"), 100.0);
        QCOMPARE(attributes.real("rate"), 0.5);
        QVERIFY(attributes.boolean("bias"));
        QCOMPARE(attributes.text("padding"), std::string("same"));
        QVERIFY(attributes.integers("stride") == (std::vector<std::int64_t>{2, 3}));
        QVERIFY(attributes.integers("units") == std::vector<std::int64_t>{100});
        QVERIFY(attributes.reals("stride") == (std::vector<double>{2, 3}));
        QVERIFY(attributes.reals("rate") == std::vector<double>{0.5});
    }

    void whatIsMissingOrOfAnotherTypeIsABug() {
        const Attributes attributes{{"rate", 0.5}};
        QVERIFY(test::isBug([&] { static_cast<void>(attributes.integer("rate")); }));
        QVERIFY(test::isBug([&] { static_cast<void>(attributes.integer("units")); }));
        QVERIFY(!test::isBug([&] { static_cast<void>(attributes.real("rate")); }));
    }

    void printsAsInAFile() {
        QCOMPARE(toString(AttributeValue(true)), std::string("true"));
        QCOMPARE(toString(AttributeValue(std::int64_t{-3})), std::string("-3"));
        QCOMPARE(toString(AttributeValue(0.5)), std::string("0.5"));
        QCOMPARE(toString(AttributeValue(1.0)), std::string("1.0"));
        QCOMPARE(toString(AttributeValue(std::string("a,b\"c"))), std::string("\"a,b\\\"c\""));
        QCOMPARE(toString(AttributeValue(std::vector<std::int64_t>{2, 2})), std::string("[2, 2]"));
        QCOMPARE(toString(AttributeValue(std::vector<double>{})), std::string("[]"));
    }

    void completesWithDefaultsOnly() {
        const std::vector<AttributeSpec> specs{{"stride", std::int64_t{1}, "the step"},
                                               {"bias", true, "whether a bias is added"}};
        const Attributes full = completed({{"stride", std::int64_t{2}}}, specs);
        QCOMPARE(full.integer("stride"), 2);
        QVERIFY(full.boolean("bias"));
        QCOMPARE(full.entries().size(), std::size_t{2});
        QVERIFY(typeOf(specs[0].defaultValue) == AttributeType::integer);
        QVERIFY(nameOf(typeOf(std::vector<double>{})) == "reals");
    }
};

std::unique_ptr<QObject> makeTestAttributes() { return std::make_unique<TestAttributes>(); }
#include "tst_attributes.moc"
