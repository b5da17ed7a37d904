// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "engine/data/raises.h"

#include <QTest>
#include <algorithm>
#include <set>

namespace weft {

using test::errorOf;

class TestOpen : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void declaresEverySourceFully();
    void findsEveryFaultOfTheSettings_data();
    void findsEveryFaultOfTheSettings();
    void findsAllFaultsAtOnce();
    void opensNothingThatIsFaulty();
    void holdsOutWhatTheSourceDoesNot();
    void describesAsItOpens();

private:
    static DataSettings digits() {
        DataSettings settings;
        settings.source = "digits";
        settings.attributes = {{"count", std::int64_t{40}}, {"test_count", std::int64_t{10}}};
        return settings;
    }
    const SourceList kinds_ = sourceKinds();
};

void TestOpen::declaresEverySourceFully() {
    const std::set<std::string> generated = {"digits", "random", "solids"};
    std::set<std::string> names;
    for (const SourceKind& kind : kinds_) {
        QVERIFY2(names.insert(kind.name).second, kind.name.c_str());
        QVERIFY(!kind.title.empty() && kind.help.ends_with('.') && kind.open != nullptr);
        std::set<std::string> attributes;
        for (const AttributeSpec& spec : kind.attributes) {
            QVERIFY2(attributes.insert(spec.name).second, spec.name.c_str());
            QVERIFY2(spec.help.ends_with('.'), spec.name.c_str());
        }
        // What reads files says how to get them.
        QCOMPARE(!kind.origin.empty(), !generated.contains(kind.name));
    }
    QCOMPARE(names,
             (std::set<std::string>{"idx", "cifar", "npy", "text", "digits", "random", "solids"}));
}

void TestOpen::findsEveryFaultOfTheSettings_data() {
    QTest::addColumn<DataSettings>("settings");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("attribute");
    const auto row = [](const char* name, const char* code, const char* attribute, auto change) {
        DataSettings settings = digits();
        change(settings);
        QTest::newRow(name) << settings << QString(code) << QString(attribute);
    };
    row("no source", "E501", "source", [](auto& data) { data.source.clear(); });
    row("unknown source", "E501", "source", [](auto& data) { data.source = "imagenet"; });
    row("unknown attribute", "E502", "colour",
        [](auto& data) { data.attributes.set("colour", true); });
    row("wrong type", "E503", "count", [](auto& data) { data.attributes.set("count", 1.5); });
    row("too small", "E503", "count",
        [](auto& data) { data.attributes.set("count", std::int64_t{0}); });
    row("too large", "E503", "distortion",
        [](auto& data) { data.attributes.set("distortion", 3.0); });
    row("not a number", "E503", "distortion", [](auto& data) {
        data.attributes.set("distortion", std::numeric_limits<double>::quiet_NaN());
    });
    row("no choice", "E503", "label_dtype", [](auto& data) {
        data.source = "idx";
        data.attributes = {{"label_dtype", std::string("u8")}};
    });
    row("missing", "E503", "file", [](auto& data) {
        data.source = "text";
        data.attributes = {};
    });
    row("batch", "E504", "batch", [](auto& data) { data.batch = 0; });
    row("validation", "E505", "validation", [](auto& data) { data.validation = 1; });
    row("order", "E506", "order", [](auto& data) { data.order = "backwards"; });
    row("last batch", "E507", "lastBatch", [](auto& data) { data.lastBatch = "eat"; });
}

void TestOpen::findsEveryFaultOfTheSettings() {
    QFETCH(DataSettings, settings);
    QFETCH(QString, code);
    QFETCH(QString, attribute);
    const auto found = checkData(settings, kinds_);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(found[0].code), code);
    QCOMPARE(QString::fromStdString(found[0].attribute), attribute);
    QVERIFY(!found[0].text.empty() && !found[0].fix.text.empty());
}

void TestOpen::findsAllFaultsAtOnce() {
    DataSettings settings = digits();
    settings.batch = -1;
    settings.validation = -1;
    settings.attributes.set("colour", true);
    QCOMPARE(checkData(settings, kinds_).size(), std::size_t{3});
    QVERIFY(checkData(digits(), kinds_).empty());
    // An integer is as good as a real, and one number as a list of one.
    settings = digits();
    settings.attributes.set("distortion", std::int64_t{1});
    settings.attributes.set("mean", std::int64_t{0});
    QVERIFY(checkData(settings, kinds_).empty());
}

void TestOpen::opensNothingThatIsFaulty() {
    DataSettings settings = digits();
    settings.order = "backwards";
    const auto error = errorOf([&] { (void)openData(settings, {}, kinds_); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::design);
    QVERIFY(error->remedy().find("shuffled") != std::string::npos);
}

void TestOpen::holdsOutWhatTheSourceDoesNot() {
    DataSettings settings = digits();
    settings.validation = 0.25;
    const Data data = openData(settings, {}, kinds_);
    QCOMPARE(data.training->size(), std::int64_t{30});
    QCOMPARE(data.validation->size(), std::int64_t{10});
    QCOMPARE(data.test->size(), std::int64_t{10});
    QCOMPARE(data.validation->fields(), data.training->fields());
}

void TestOpen::describesAsItOpens() {
    DataSettings settings = digits();
    settings.validation = 0.25;
    const DataDescription description = describeData(settings, {}, kinds_);
    QCOMPARE(description.training, std::int64_t{30});
    QCOMPARE(description.validation, std::int64_t{10});
    QCOMPARE(description.test, std::int64_t{10});
    QCOMPARE(description.fields, openData(settings, {}, kinds_).training->fields());
    QCOMPARE(description.classNames.size(), std::size_t{10});
}

} // namespace weft

std::unique_ptr<QObject> makeTestOpen() { return std::make_unique<weft::TestOpen>(); }
#include "tst_open.moc"
