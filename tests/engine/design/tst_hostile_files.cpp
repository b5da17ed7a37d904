// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"
#include "design/edit/verify.h"
#include "support/heap.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <QTest>
#include <algorithm>
#include <fstream>
#include <sstream>

using namespace weft;

namespace {

std::string lenetText() {
    std::ifstream stream(test::sourceFolder() / "tests/engine/design/golden/lenet.weft",
                         std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

// The tests write ' where JSON has its quotes.
std::string quoted(std::string text) {
    std::ranges::replace(text, '\'', '"');
    return text;
}

// Opens or refuses, nothing else; what was opened is whole and can be saved.
bool isSafe(const std::string& text) {
    try {
        const LoadedDesign loaded = parseDesign(text);
        return brokenInvariant(loaded.design).empty() && !toText(loaded.design).empty();
    } catch (const Error& error) {
        return error.code() == ErrorCode::format && !error.remedy().empty();
    }
}

std::string repeated(const std::string& head, const std::string& entry, const std::string& tail,
                     std::size_t bytes) {
    std::string text = head;
    text.reserve(bytes + 100);
    while (text.size() < bytes) {
        text += entry;
    }
    text.pop_back();
    return text + tail;
}

} // namespace

class TestHostileFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPrefixOpensOrIsRefused() {
        const std::string text = lenetText();
        for (std::size_t length = 0; length < text.size(); ++length) {
            QVERIFY2(isSafe(text.substr(0, length)), qPrintable(QString::number(length)));
        }
    }

    void everyFlippedByteOpensOrIsRefused() {
        const std::string text = lenetText();
        for (std::size_t i = 0; i < text.size(); ++i) {
            for (const int flip : {0x01, 0x10, 0x20, 0x80}) {
                std::string broken = text;
                broken[i] = static_cast<char>(broken[i] ^ flip);
                QVERIFY2(isSafe(broken), qPrintable(QString::number(i)));
            }
        }
    }

    void memoryStaysInProportion_data() {
        QTest::addColumn<QString>("head");
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("tail");
        QTest::newRow("empty layers") << "{'weft':1,'layers':["
                                      << "{},"
                                      << "]}";
        QTest::newRow("equal names") << "{'weft':1,'layers':["
                                     << "{'name':'a'},"
                                     << "]}";
        QTest::newRow("bad layers") << "{'weft':1,'layers':["
                                    << "1,"
                                    << "]}";
        QTest::newRow("wires") << "{'weft':1,'layers':[{'name':'a'}],'wires':["
                               << "'a->a',"
                               << "]}";
        QTest::newRow("dangling wires") << "{'weft':1,'wires':["
                                        << "'a->b',"
                                        << "]}";
        QTest::newRow("groups") << "{'weft':1,'groups':["
                                << "{},"
                                << "]}";
        QTest::newRow("groups of lists") << "{'weft':1,'groups':["
                                         << "{'layers':[{}]},"
                                         << "]}";
        QTest::newRow("devices") << "{'weft':1,'devices':["
                                 << "'a',"
                                 << "]}";
        QTest::newRow("frames") << "{'weft':1,'frames':["
                                << "{},"
                                << "]}";
        QTest::newRow("a list of numbers") << "{'weft':1,'layers':[{'with':{'a':["
                                           << "1,"
                                           << "]}}]}";
        QTest::newRow("unknown lists") << "{'weft':1,'zz':["
                                       << "[],"
                                       << "]}";
        QTest::newRow("a long text") << "{'weft':1,'note':'"
                                     << "abcdefgh"
                                     << "'}";
        QTest::newRow("a long name") << "{'weft':1,'layers':[{'name':'"
                                     << "abcdefgh"
                                     << "'}]}";
        QTest::newRow("a long kind") << "{'weft':1,'layers':[{'name':'a','kind':'"
                                     << "abcdefgh"
                                     << "'}]}";
        QTest::newRow("not a regular file") << "{'weft':1,'note':'"
                                            << "abcdefgh"
                                            << "";
    }
    void memoryStaysInProportion() {
        QFETCH(QString, head);
        QFETCH(QString, entry);
        QFETCH(QString, tail);
        for (const std::size_t bytes :
             {std::size_t{50} << 10U, std::size_t{1} << 20U, std::size_t{6} << 20U}) {
            const std::string text = quoted(
                repeated(head.toStdString(), entry.toStdString(), tail.toStdString(), bytes));
            const test::HeapPeak peak;
            QVERIFY(isSafe(text));
            const std::size_t allowed = (std::size_t{192} << 20U) + 8 * text.size();
            QVERIFY2(
                peak.bytes() <= allowed,
                qPrintable(QString("%1 bytes of text took %2").arg(text.size()).arg(peak.bytes())));
        }
    }

    void takesAsManyLayersAsADesignMayHave() {
        const auto number = [](std::size_t k) { return std::to_string(k); };
        std::string layers;
        std::string wires;
        for (std::size_t k = 0; k < limits::layers; ++k) {
            layers += (k == 0 ? "" : ",") + std::string("{'id':") + number(k + 1) +
                      ",'name':'layer" + number(k) + "','kind':'dense','with':{'units':8},'at':[" +
                      number(k) + ",0]}";
            wires += (k < 2 ? "" : ",") +
                     (k == 0 ? "" : "'layer" + number(k - 1) + ".y -> layer" + number(k) + ".x'");
        }
        const LoadedDesign loaded =
            parseDesign(quoted("{'weft':1,'layers':[" + layers + "],'wires':[" + wires + "]}"));
        QCOMPARE(loaded.design.network.layers.size(), limits::layers);
        QCOMPARE(loaded.design.network.wires.size(), limits::layers - 1);
    }

    void manyDifferentKeysTakeNoTime() {
        std::string text = "{'weft':1,'layers':[{'with':{";
        for (int i = 0; i < 60000; ++i) {
            text += "'k" + std::to_string(i) + "':1,";
        }
        text.pop_back();
        text += "}}]}";
        QVERIFY(isSafe(quoted(text)));
        text = "{'weft':1";
        for (int i = 0; i < 60000; ++i) {
            text += ",'k" + std::to_string(i) + "':1";
        }
        QVERIFY(isSafe(quoted(text + "}")));
    }

    void deepNestingIsRefused() {
        for (const char* open : {"[", "{'a':"}) {
            std::string text = "{'weft':1,'a':";
            for (int i = 0; i < 100000; ++i) {
                text += open;
            }
            QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(parseDesign(quoted(text))));
        }
    }

    void thousandsOfProblemsAreNotAllListed() {
        std::string text = "{'weft':1,'wires':[";
        for (int i = 0; i < 20000; ++i) {
            text += "'a->b',";
        }
        text.pop_back();
        const LoadedDesign loaded = parseDesign(quoted(text + "]}"));
        QVERIFY(loaded.diagnostics.size() < 1000);
        QVERIFY(QString::fromStdString(loaded.diagnostics.back().text).contains("19500 more"));
    }
};

std::unique_ptr<QObject> makeTestHostileFiles() { return std::make_unique<TestHostileFiles>(); }

#include "tst_hostile_files.moc"
