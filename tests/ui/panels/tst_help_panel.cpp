// SPDX-License-Identifier: Apache-2.0
#include "panels/help/help_pages.h"
#include "panels/help/help_panel.h"
#include "support/test_main.h"
#include "theme/style.h"
#include <weft/catalogue.h>
#include <weft/diagnostics.h>
#include <weft/settings.h>

#include <QApplication>
#include <QCoreApplication>
#include <QTest>
#include <QTextDocument>

using namespace weft;
using namespace weft::ui;

class TestHelpPanel : public QObject {
    Q_OBJECT

    static QString plain(const QString& html) {
        QTextDocument document;
        document.setHtml(html);
        return document.toPlainText();
    }

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    void everyKindHasAPageWithAllItDeclares() {
        for (const LayerKindInfo& kind : catalogue()) {
            const QString page = plain(kindPage(kind, tokens().dark));
            QVERIFY2(!page.contains('`'), kind.kind.c_str()); // encloses code in the catalogue
            const auto says = [&](const std::string& text) {
                const QString words = QString::fromStdString(text).remove('`').simplified();
                return page.simplified().contains(words);
            };
            QVERIFY2(says(kind.title) && says(kind.kind) && says(kind.help), kind.kind.c_str());
            for (const AttributeSpec& spec : kind.attributes) {
                QVERIFY2(says(spec.name) && says(spec.help), kind.kind.c_str());
            }
            for (const PortInfo& port : kind.inputs) {
                QVERIFY2(says(port.name) && says(port.help), kind.kind.c_str());
            }
        }
    }

    void theContentsLeadToEveryKind() {
        const QString page = contentsPage(catalogue(), tokens().light);
        for (const LayerKindInfo& kind : catalogue()) {
            QVERIFY2(page.contains("'kind:" + QString::fromStdString(kind.kind) + "'"),
                     kind.kind.c_str());
        }
    }

    void everyCodeIsExplained() {
        const QString page = plain(problemsPage(tokens().dark));
        for (const DiagnosticCode& code : diagnosticCodes()) {
            QVERIFY(page.contains(QString::fromStdString(std::string(code.code))));
        }
    }

    void wordsOfTimeAreThoseOfTheProgram() {
        const QString page = timeWordsPage(look_.theme());
        QCOMPARE(timeWords().size(), std::size_t{4});
        for (const GlossaryWord& word : timeWords()) {
            QVERIFY(page.contains(htmlOf(QString::fromStdString(word.meaning))));
        }
        // A layer that goes on from step to step leads there.
        const std::vector<LayerKindInfo> kinds = catalogue();
        const auto leads = [&](const char* kind) {
            return kindPage(*findKind(kinds, kind), look_.theme()).contains("page:words");
        };
        QVERIFY(leads("lca") && !leads("relu"));
        QVERIFY(contentsPage(kinds, look_.theme()).contains("page:words"));
    }

    void whatGoesToHostsIsSaid() {
        const QString page = plain(hostsPage(look_.theme()));
        for (const char* heading : {"Sent to the host", "Received from the host", "Never sent"}) {
            QVERIFY2(page.contains(heading), heading);
        }
        QVERIFY(contentsPage(catalogue(), look_.theme()).contains("page:hosts"));
    }

    void itFollowsTheSelection() {
        WindowContext context(look_,
                              std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
        context.designs.setCurrent(&context.designs.add(
            std::make_unique<OpenDesign>(context.kinds, context.previewQueue)));
        OpenDesign& design = *context.designs.current();
        std::vector<LayerId> made;
        for (const char* kind : {"dense", "relu"}) {
            design.document().edit("add", [&](Design& target) {
                Edited edited = addLayer(target, {}, {.kind = kind});
                made.push_back(edited.layer());
                return edited;
            });
        }
        HelpPanel panel(context);
        panel.show();
        QTRY_COMPARE(panel.page(), QStringLiteral("page:contents"));
        design.selection().select({made[0]});
        QTRY_COMPARE(panel.page(), QStringLiteral("kind:dense"));
        QVERIFY(panel.text().contains(QStringLiteral("units")));
        design.selection().select({made[1]});
        QTRY_COMPARE(panel.page(), QStringLiteral("kind:relu"));
        panel.showKind(QStringLiteral("conv2d"));
        QCoreApplication::processEvents();
        QCOMPARE(panel.page(), QStringLiteral("kind:conv2d"));
        // A page requested before the panel is visible is shown, whatever is selected.
        HelpPanel asked(context);
        asked.showPage(QStringLiteral("page:hosts"));
        asked.show();
        QCoreApplication::processEvents();
        QCOMPARE(asked.page(), QStringLiteral("page:hosts"));
        QVERIFY(asked.text().contains(QStringLiteral("Never sent")));
        panel.showKind(QStringLiteral("no such kind"));
        QCOMPARE(panel.page(), QStringLiteral("page:contents"));
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestHelpPanel() { return std::make_unique<TestHelpPanel>(); }

#include "tst_help_panel.moc"
