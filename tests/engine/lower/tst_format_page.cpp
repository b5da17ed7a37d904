// SPDX-License-Identifier: Apache-2.0
// projects/README.md tells how a design is written by hand; every example on it is one that can be
// opened and has no fault.
#include "layers/layers.h"
#include "lower/expand.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/design_file.h>

#include <QRegularExpression>
#include <QTest>
#include <fstream>
#include <set>
#include <sstream>

using namespace weft;

namespace {

std::vector<std::string> examples() {
    std::ifstream page(test::sourceFolder() / "projects/README.md");
    std::vector<std::string> found;
    bool isInside = false;
    for (std::string line; std::getline(page, line);) {
        if (line == "```json") {
            isInside = true;
            found.emplace_back();
        } else if (line == "```") {
            isInside = false;
        } else if (isInside) {
            found.back() += line + "\n";
        }
    }
    return found;
}

std::vector<LayerKindInfo> kinds() {
    LayerList list;
    layers::fill(list);
    std::vector<LayerKindInfo> infos;
    for (const LayerKind* kind : list.all()) {
        infos.push_back(kind->info);
    }
    return infos;
}

} // namespace

class TestFormatPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyExampleHasNoFault_data() {
        QTest::addColumn<QString>("text");
        const std::vector<std::string> found = examples();
        QVERIFY(found.size() >= 7);
        for (std::size_t i = 0; i < found.size(); ++i) {
            QTest::newRow(qPrintable(QString("example %1").arg(i + 1)))
                << QString::fromStdString(found[i]);
        }
    }
    void everyExampleHasNoFault() {
        QFETCH(QString, text);
        const LoadedDesign loaded = parseDesign(text.toStdString(), kinds());
        for (const Diagnostic& problem : loaded.diagnostics) {
            QVERIFY2(problem.severity != Severity::error, toString(problem).c_str());
        }
        for (const Diagnostic& problem : expand(loaded.design, kinds()).problems) {
            QVERIFY2(problem.severity != Severity::error, toString(problem).c_str());
        }
    }

    void examplesWithIdsAreInTheCanonicalForm() {
        for (const std::string& text : examples()) {
            if (text.find("\"id\"") != std::string::npos) {
                const std::string canonical = toText(parseDesign(text, kinds()).design);
                QVERIFY2(canonical == text, canonical.c_str());
            }
        }
    }

    void everyCodeOfTheEngineIsInTheTable() {
        const std::filesystem::path engine = test::sourceFolder() / "engine";
        const QRegularExpression code("\"([EWN][0-9]{3})\"");
        std::set<QString> known;
        for (const DiagnosticCode& each : diagnosticCodes()) {
            QVERIFY2(known.insert(QString::fromUtf8(each.code.data(), qsizetype(each.code.size())))
                         .second,
                     each.code.data());
        }
        std::set<QString> used;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(engine)) {
            if (entry.path().extension() != ".cpp" ||
                entry.path().filename() == "diagnostic_codes.cpp") {
                continue;
            }
            std::ifstream stream(entry.path());
            std::stringstream text;
            text << stream.rdbuf();
            auto matches = code.globalMatch(QString::fromStdString(text.str()));
            while (matches.hasNext()) {
                const QString found = matches.next().captured(1);
                used.insert(found);
                QVERIFY2(known.contains(found), qPrintable(found + " in " + entry.path().c_str()));
            }
        }
        for (const QString& each : known) {
            QVERIFY2(used.contains(each), qPrintable(each + " is used nowhere"));
        }
    }
};

std::unique_ptr<QObject> makeTestFormatPage() { return std::make_unique<TestFormatPage>(); }

#include "tst_format_page.moc"
