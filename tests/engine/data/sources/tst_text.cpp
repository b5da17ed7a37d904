// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"
#include "engine/data/real_data.h"

#include <QTemporaryDir>
#include <QTest>

namespace weft {

using test::errorOf;
using test::fieldOf;
using test::writeBytes;
using CharacterIds = std::vector<std::int32_t>;

class TestText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWindowsAndWhatFollows();
    void sortsItsVocabularyByByte();
    void holdsOutTheEnd();
    void stridesThroughTraining();
    void refusesTextsThatAreTooShort();
    void refusesATextThatChanges();
    void readsTinyshakespeare();

private:
    [[nodiscard]] std::filesystem::path path(const char* name) const {
        return folder_.filePath(name).toStdString();
    }
    [[nodiscard]] Data open(const std::string& content, std::int64_t length,
                            std::int64_t stride = 0, double validation = 0) const {
        writeBytes(path("text.txt"), content);
        DataSettings settings;
        settings.source = "text";
        settings.attributes = {
            {"file", std::string("text.txt")}, {"length", length}, {"stride", stride}};
        settings.validation = validation;
        return openData(settings, {.base = folder_.path().toStdString()}, sourceKinds());
    }
    QTemporaryDir folder_;
};

void TestText::readsWindowsAndWhatFollows() {
    const Data data = open("abcdefgh", 3);
    // The third window would ask for a character behind the end.
    QCOMPARE(data.training->size(), std::int64_t{2});
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "ids", {1, 0}),
             (CharacterIds{3, 4, 5, 0, 1, 2}));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "targets", {1}), (CharacterIds{4, 5, 6}));
    QCOMPARE(data.training->fields()[0].classes, std::int64_t{8});
    QCOMPARE(open("abcd", 3).training->size(), std::int64_t{1});
}

void TestText::sortsItsVocabularyByByte() {
    const Data data = open("z\xE4\nA z", 2);
    QCOMPARE(data.classNames, (std::vector<std::string>{"\\n", " ", "A", "z", "\\xe4"}));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "ids", {0}), (CharacterIds{3, 4}));
}

void TestText::holdsOutTheEnd() {
    const Data data = open("aaaaaaaaaaaaaaaabbbb", 3, 1, 0.2);
    QCOMPARE(data.training->size(), std::int64_t{13});
    QCOMPARE(data.validation->size(), std::int64_t{1});
    QCOMPARE(fieldOf<std::int32_t>(*data.validation, "ids", {0}), (CharacterIds{1, 1, 1}));
    // No training window sees what is held out, not even as its last target.
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "targets", {12}), (CharacterIds{0, 0, 0}));
    QCOMPARE(data.validation->fields()[0].classes, std::int64_t{2});
}

void TestText::stridesThroughTraining() {
    const Data data = open("0123456789", 4, 2);
    QCOMPARE(data.training->size(), std::int64_t{3});
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "ids", {2}), (CharacterIds{4, 5, 6, 7}));
}

void TestText::refusesTextsThatAreTooShort() {
    for (const char* content : {"", "abc"}) {
        const auto error = errorOf([&] { (void)open(content, 3); });
        QVERIFY(error.has_value());
        QCOMPARE(error->code(), ErrorCode::format);
    }
    QVERIFY(errorOf([&] { (void)open("abcdefghij", 3, 0, 0.1); }).has_value());
}

void TestText::refusesATextThatChanges() {
    const Data data = open("abcdefgh", 3);
    writeBytes(path("text.txt"), "abcdXfgh");
    QCOMPARE(
        errorOf([&] { (void)fieldOf<std::int32_t>(*data.training, "ids", {1}); })->where().offset,
        std::int64_t{4});
    writeBytes(path("text.txt"), "abcd");
    QCOMPARE(errorOf([&] { (void)fieldOf<std::int32_t>(*data.training, "ids", {1}); })->code(),
             ErrorCode::format);
}

void TestText::readsTinyshakespeare() {
    const auto folder = test::realData("text");
    if (!folder) {
        QSKIP("tinyshakespeare is not here: set WEFT_DATA to the folder that holds text/");
    }
    DataSettings settings;
    settings.source = "text";
    settings.attributes = {{"file", (*folder / "tinyshakespeare.txt").string()}};
    settings.validation = 0.1;
    const DataDescription description = describeData(settings, {}, sourceKinds());
    QCOMPARE(description.classNames.size(), std::size_t{65});
    QCOMPARE(description.fields[0].classes, std::int64_t{65});
    QCOMPARE(description.training, std::int64_t{(1115394 - 111539 - 65) / 64 + 1});
    QCOMPARE(description.validation, std::int64_t{(111539 - 65) / 64 + 1});
}

} // namespace weft

std::unique_ptr<QObject> makeTestText() { return std::make_unique<weft::TestText>(); }
#include "tst_text.moc"
