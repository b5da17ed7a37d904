// SPDX-License-Identifier: Apache-2.0
// Every reader, whatever it is given: it succeeds or throws weft::Error that names the file and
// says what to do, and its memory stays in proportion to the file.
#include "data/open.h"
#include "fuzz/readers.h"
#include "support/heap.h"
#include "support/places.h"
#include <weft/error.h>

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace weft {

using test::Reader;

class TestReaders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsEverySourceOfFiles();
    void readsItsSamples_data() { addReaders(); }
    void readsItsSamples();
    void survivesEveryPrefix_data() { addReaders(); }
    void survivesEveryPrefix();
    void survivesEveryFlippedByte_data() { addReaders(); }
    void survivesEveryFlippedByte();
    void survivesItsCorpus_data() { addReaders(); }
    void survivesItsCorpus();

private:
    static void addReaders() {
        QTest::addColumn<int>("index");
        for (std::size_t index = 0; index < test::readers().size(); ++index) {
            QTest::newRow(std::string(test::readers()[index].name).c_str())
                << static_cast<int>(index);
        }
    }
    static const Reader& reader() {
        QFETCH(int, index);
        return test::readers()[static_cast<std::size_t>(index)];
    }
    /// True when the reader kept its promise, whether or not it could read the bytes.
    bool keepsItsPromise(const Reader& reader, const std::string& content, const QString& what);

    // In memory where the system has a folder there: tens of thousands of small files.
    QTemporaryDir folder_{QFileInfo("/dev/shm").isWritable()
                              ? QString("/dev/shm/weft_readers_XXXXXX")
                              : QDir::tempPath() + "/weft_readers_XXXXXX"};
};

bool TestReaders::keepsItsPromise(const Reader& reader, const std::string& content,
                                  const QString& what) {
    const test::HeapPeak peak;
    QString fault;
    try {
        reader.attempt(folder_.path().toStdString(), content);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::format && error.code() != ErrorCode::design) {
            fault = QString("is an error of another sort: %1").arg(error.what());
        } else if (error.remedy().empty() ||
                   (error.code() == ErrorCode::format && error.where().file.empty())) {
            fault = QString("leaves the user alone: %1").arg(error.what());
        }
    } catch (const std::exception& exception) {
        fault = QString("lets through: %1").arg(exception.what());
    }
    const std::size_t limit = (std::size_t{64} << 20U) + 8 * content.size();
    if (peak.bytes() > limit) {
        fault = QString("takes %1 bytes").arg(peak.bytes());
    }
    if (!fault.isEmpty()) {
        qWarning("%s", qPrintable(QString("%1 %2").arg(what, fault)));
    }
    return fault.isEmpty();
}

void TestReaders::knowsEverySourceOfFiles() {
    for (const SourceKind& kind : sourceKinds()) {
        const bool readsFiles =
            std::any_of(kind.attributes.begin(), kind.attributes.end(), [](const auto& spec) {
                return spec.name == "folder" || spec.name == "file";
            });
        const bool isKnown =
            std::any_of(test::readers().begin(), test::readers().end(),
                        [&](const Reader& reader) { return reader.source == kind.name; });
        QVERIFY2(isKnown == readsFiles,
                 qPrintable(QString("give tests/fuzz/readers.cpp a sample of '%1'")
                                .arg(QString::fromStdString(kind.name))));
    }
}

void TestReaders::readsItsSamples() {
    for (const std::string& sample : reader().samples()) {
        try {
            reader().attempt(folder_.path().toStdString(), sample);
        } catch (const Error& error) {
            QFAIL(error.what());
        }
    }
}

void TestReaders::survivesEveryPrefix() {
    for (const std::string& sample : reader().samples()) {
        for (std::size_t length = 0; length < sample.size(); ++length) {
            QVERIFY(keepsItsPromise(reader(), sample.substr(0, length),
                                    QString("the first %1 bytes").arg(length)));
        }
    }
}

void TestReaders::survivesEveryFlippedByte() {
    for (const std::string& sample : reader().samples()) {
        for (std::size_t at = 0; at < sample.size(); ++at) {
            // All of its bits, the lowest, the highest, and a digit into another.
            for (const int pattern : {0xFF, 0x01, 0x80, 0x08}) {
                std::string flipped = sample;
                flipped[at] = static_cast<char>(flipped[at] ^ pattern);
                QVERIFY(keepsItsPromise(reader(), flipped,
                                        QString("byte %1 flipped by %2").arg(at).arg(pattern)));
            }
        }
    }
}

void TestReaders::survivesItsCorpus() {
    const auto folder = test::sourceFolder() / "tests" / "fuzz" / "corpus" / reader().name;
    int files = 0;
    std::error_code missing;
    for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string content(std::istreambuf_iterator<char>(file), {});
        QVERIFY(keepsItsPromise(reader(), content,
                                QString::fromStdString(entry.path().filename().string())));
        ++files;
    }
    QVERIFY2(files > 0, "the corpus of this reader is empty: run tests/fuzz/run");
}

} // namespace weft

std::unique_ptr<QObject> makeTestReaders() { return std::make_unique<weft::TestReaders>(); }
#include "tst_readers.moc"
