// SPDX-License-Identifier: Apache-2.0
#include "panels/data/feed_lines.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

namespace {

const SampleSource source{.fields = {{.name = "images", .shape = {1, 28, 28}},
                                     {.name = "labels", .classes = 10, .dtype = DType::i32}}};

InputFeed feed(const char* input, Shape shape, const char* dtype, const char* field, FeedFit fit) {
    return {.layer = LayerId{7},
            .input = input,
            .shape = std::move(shape),
            .dtype = dtype,
            .field = field,
            .fit = fit};
}

} // namespace

class TestFeedLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatFitsIsShownWithoutWords() {
        const auto lines =
            feedLines({feed("x", {1, 28, 28}, "f32", "images", FeedFit::fits)}, &source);
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(lines[0].fieldShape, QStringLiteral("1×28×28 f32"));
        QCOMPARE(lines[0].inputShape, lines[0].fieldShape);
        QVERIFY(lines[0].problem.isEmpty() && lines[0].fixText.isEmpty());
        // The field that nothing takes.
        QCOMPARE(lines[1].field, QStringLiteral("labels"));
        QVERIFY(lines[1].layer.isNone() && lines[1].problem.isEmpty());
        QCOMPARE(lines[1].fieldShape, QStringLiteral("i32, 10 classes"));
    }

    void whatDoesNotFitSaysBothAndWhatMendsIt() {
        const auto lines =
            feedLines({feed("x", {1, 32, 32}, "f32", "images", FeedFit::wrong)}, &source);
        QVERIFY(lines[0].problem.contains(QStringLiteral("1×32×32 f32")));
        QVERIFY(lines[0].problem.contains(QStringLiteral("images has 1×28×28 f32")));
        QCOMPARE(lines[0].fixText, QStringLiteral("Take 1×28×28 f32"));
        QCOMPARE(lines[0].fixField, QStringLiteral("images"));
    }

    void anotherTypeIsReadAsTheInputs() {
        const auto lines = feedLines({feed("y", {}, "i64", "labels", FeedFit::converts)}, &source);
        QCOMPARE(lines[0].problem, QStringLiteral("Read as i64"));
        QCOMPARE(lines[0].fixText, QStringLiteral("Take i32"));
    }

    void aFieldThatIsNotThereHasOneThatWasMeant() {
        InputFeed missing = feed("y", {}, "i64", "label", FeedFit::missing);
        missing.meant = "labels";
        const auto lines = feedLines({missing}, &source);
        QCOMPARE(lines[0].problem, QStringLiteral("The data has no field label"));
        QCOMPARE(lines[0].fixText, QStringLiteral("Feed it labels"));
        QCOMPARE(lines.size(), std::size_t{3}); // and two that nothing takes
        missing.field.clear();
        missing.meant.clear();
        const auto bare = feedLines({missing}, &source);
        QCOMPARE(bare[0].problem, QStringLiteral("Nothing feeds it"));
        QVERIFY(bare[0].fixText.isEmpty());
    }

    void ofDataThatCannotBeReadNothingIsSaid() {
        const auto lines = feedLines({feed("x", {4}, "f32", "images", FeedFit::missing)}, nullptr);
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0].field, QStringLiteral("images"));
        QVERIFY(lines[0].problem.isEmpty() && lines[0].fieldShape.isEmpty());
        QCOMPARE(lines[0].inputShape, QStringLiteral("4 f32"));
    }
};

std::unique_ptr<QObject> makeTestFeedLines() { return std::make_unique<TestFeedLines>(); }

#include "tst_feed_lines.moc"
