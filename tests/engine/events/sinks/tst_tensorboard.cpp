// SPDX-License-Identifier: Apache-2.0
#include "../samples.h"
#include "base/files/files.h"
#include "events/sinks/crc32c.h"
#include <weft/sinks.h>

#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

using namespace weft;
namespace fs = std::filesystem;

namespace {

template <class T>
T little(std::string_view bytes) {
    T value = 0;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

/// The fields of a message in protobuf's wire format; numbers as their bits.
struct Field {
    std::uint64_t number = 0;
    std::string_view bytes = {};
};

std::uint64_t takeVarint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.at(0));
        bytes.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        if (byte < 0x80U) {
            return value;
        }
    }
}

std::multimap<std::uint64_t, Field> fieldsOf(std::string_view bytes) {
    std::multimap<std::uint64_t, Field> fields;
    while (!bytes.empty()) {
        const std::uint64_t key = takeVarint(bytes);
        Field field;
        std::size_t size = 0;
        switch (key & 7U) {
        case 0: field.number = takeVarint(bytes); break;
        case 1:
            field.number = little<std::uint64_t>(bytes);
            size = 8;
            break;
        case 2:
            size = takeVarint(bytes);
            field.bytes = bytes.substr(0, size);
            break;
        case 5:
            field.number = little<std::uint32_t>(bytes);
            size = 4;
            break;
        default: throw std::runtime_error("no such wire type");
        }
        bytes.remove_prefix(size);
        fields.emplace(key >> 3U, field);
    }
    return fields;
}

std::uint32_t unmasked(std::uint32_t crc) { return std::rotl(crc - 0xa282ead8U, 15); }

/// The records of a TFRecord file; throws where a checksum is wrong.
std::vector<std::string> recordsOf(std::string_view bytes) {
    std::vector<std::string> records;
    while (!bytes.empty()) {
        const auto length = little<std::uint64_t>(bytes);
        const std::string_view record = bytes.substr(12, length);
        if (unmasked(little<std::uint32_t>(bytes.substr(8))) != crc32c(bytes.substr(0, 8)) ||
            unmasked(little<std::uint32_t>(bytes.substr(12 + length))) != crc32c(record)) {
            throw std::runtime_error("a checksum is wrong");
        }
        records.emplace_back(record);
        bytes.remove_prefix(16 + length);
    }
    return records;
}

} // namespace

class TestTensorboard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void checksumsAgreeWithThePublishedOnes() {
        // RFC 3720, appendix B.4.
        QCOMPARE(crc32c(std::string(32, '\0')), std::uint32_t{0x8a9136aa});
        QCOMPARE(crc32c(std::string(32, '\xff')), std::uint32_t{0x62a8ab43});
        QCOMPARE(crc32c("123456789"), std::uint32_t{0xe3069283});
    }

    void scalarsAreReadBack() {
        test::writeSteps(here(), test::quickSettings(), 1, 300);
        follow();
        const auto files = filesIn(here() / "tensorboard");
        QCOMPARE(files.size(), std::size_t{1});
        QVERIFY(files[0].filename().string().find("tfevents.1700000000") != std::string::npos);
        const std::string bytes = readFile(files[0], 1 << 24);
        const auto records = recordsOf(bytes);
        QCOMPARE(records.size(), std::size_t{301});
        QVERIFY(fieldsOf(records[0]).find(3)->second.bytes == "brain.Event:2");
        const auto event = fieldsOf(records[200]);
        const auto wallTime = std::bit_cast<double>(event.find(1)->second.number);
        QVERIFY(wallTime >= 1'700'000'000 && wallTime < 1'700'100'000);
        QCOMPARE(event.find(2)->second.number, std::uint64_t{200});
        const auto summary = fieldsOf(event.find(5)->second.bytes);
        QCOMPARE(summary.size(), std::size_t{1});
        const auto value = fieldsOf(summary.find(1)->second.bytes);
        QVERIFY(value.find(1)->second.bytes == "train/loss");
        QCOMPARE(std::bit_cast<float>(static_cast<std::uint32_t>(value.find(2)->second.number)),
                 1.0F / 200);
    }

    void eachAttemptHasItsFile() {
        test::writeSteps(here(), test::quickSettings(), 1, 5);
        follow();
        test::writeSteps(here(), test::quickSettings(2, 4), 4, 6);
        follow();
        const auto files = filesIn(here() / "tensorboard");
        QCOMPARE(files.size(), std::size_t{2});
        QCOMPARE(recordsOf(readFile(files[0], 1 << 20)).size(), std::size_t{6});
        QCOMPARE(recordsOf(readFile(files[1], 1 << 20)).size(), std::size_t{4});
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    static std::vector<fs::path> filesIn(const fs::path& folder) {
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(folder)) {
            files.push_back(entry.path());
        }
        std::sort(files.begin(), files.end());
        return files;
    }

    void follow() const {
        SinkPlace place;
        place.folder = here();
        RunReader reader(here());
        const std::unique_ptr<RunSink> sinks[] = {makeSink("tensorboard", place)};
        followRun(reader, sinks, {}, [](const Error& error) { QFAIL(error.what()); });
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestTensorboard() { return std::make_unique<TestTensorboard>(); }
#include "tst_tensorboard.moc"
