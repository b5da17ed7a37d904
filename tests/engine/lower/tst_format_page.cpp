// SPDX-License-Identifier: Apache-2.0
// projects/README.md tells how a design is written by hand; every example on it is one that can be
// opened and has no fault.
#include "layers/layers.h"
#include "lower/check_settings.h"
#include "lower/expand.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/settings.h>

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
        for (const Diagnostic& problem : checkSettings(loaded.design, settings())) {
            // An example that shows something else says nothing of its data.
            QVERIFY2(problem.code == "E501" && loaded.design.data == DataSettings{},
                     toString(problem).c_str());
        }
    }

    /// Every source, optimizer, schedule and attribute stands there as the program has it.
    void tellsAllSettingsAsTheTableHasThem() {
        std::ifstream page(test::sourceFolder() / "projects/README.md");
        std::stringstream text;
        text << page.rdbuf();
        const QString whole = QString::fromStdString(text.str());
        const QString begin = "<!-- weft settings --page -->\n";
        const QString end = "<!-- end of weft settings --page -->\n";
        QVERIFY2(whole.contains(begin) && whole.contains(end), "the page has lost its marks");
        const qsizetype from = whole.indexOf(begin) + begin.size();
        const QString there = whole.mid(from, whole.indexOf(end) - from);
        const QString wanted = QString::fromStdString(settingsPage());
        QVERIFY2(there == wanted,
                 qPrintable("between the marks of projects/README.md should stand:\n" + wanted));
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
