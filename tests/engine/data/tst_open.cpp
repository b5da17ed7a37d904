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
    void opensNothingThatIsFaulty_data();
    void opensNothingThatIsFaulty();
    void takesAWholeNumberForARealAndOneForAList();
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
    const std::set<std::string> generated = {"digits", "random", "solids", "textures"};
    std::set<std::string> names;
    for (const SourceKind& kind : kinds_) {
        QVERIFY2(names.insert(kind.name).second, kind.name.c_str());
        QVERIFY(!kind.title.empty() && kind.help.ends_with('.') && kind.open != nullptr);
        std::set<std::string> attributes;
        for (const AttributeSpec& spec : kind.attributes) {
            QVERIFY2(attributes.insert(spec.name).second, spec.name.c_str());
            QVERIFY2(spec.help.ends_with('.'), spec.name.c_str());
        }
        // Sources that read files say how to get them, and which attributes name them.
        QCOMPARE(!kind.origin.empty(), !generated.contains(kind.name));
        QCOMPARE(std::ranges::any_of(kind.attributes, &AttributeSpec::namesFiles),
                 !generated.contains(kind.name));
    }
    QCOMPARE(names, (std::set<std::string>{"idx", "cifar", "npy", "npz", "pictures", "csv", "text",
                                           "frames", "digits", "random", "solids", "textures"}));
}

void TestOpen::opensNothingThatIsFaulty_data() {
    QTest::addColumn<DataSettings>("settings");
    QTest::addColumn<QString>("remedy");
    const auto row = [](const char* name, const char* remedy, auto change) {
        DataSettings settings = digits();
        change(settings);
        QTest::newRow(name) << settings << QString(remedy);
    };
    row("no source", "choose one of", [](auto& data) { data.source.clear(); });
    row("unknown source", "choose one of", [](auto& data) { data.source = "imagenet"; });
    row("unknown attribute", "remove it", [](auto& data) { data.attributes.set("colour", true); });
    row("wrong type", "set it back", [](auto& data) { data.attributes.set("count", 1.5); });
    row("too small", "set it to 1",
        [](auto& data) { data.attributes.set("count", std::int64_t{0}); });
    row("not a number", "set it back", [](auto& data) {
        data.attributes.set("distortion", std::numeric_limits<double>::quiet_NaN());
    });
    row("missing", "choose the file", [](auto& data) {
        data.source = "text";
        data.attributes = {};
    });
    row("share", "below 1", [](auto& data) { data.validation = 1; });
}

void TestOpen::opensNothingThatIsFaulty() {
    QFETCH(DataSettings, settings);
    QFETCH(QString, remedy);
    const auto error = errorOf([&] { (void)openData(settings, {}, kinds_); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::design);
    QVERIFY2(QString::fromStdString(error->remedy()).contains(remedy), error->what());
}

void TestOpen::takesAWholeNumberForARealAndOneForAList() {
    DataSettings settings = digits();
    settings.attributes.set("distortion", std::int64_t{1});
    settings.attributes.set("mean", std::int64_t{0});
    QCOMPARE(openData(settings, {}, kinds_).training->size(), std::int64_t{40});
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
