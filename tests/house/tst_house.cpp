// SPDX-License-Identifier: Apache-2.0
// The maps are law: the checks of the house, on the repository itself.

#include "checks.h"
#include "support/places.h"
#include "support/test_main.h"

#include <QTest>
#include <cstdio>

using namespace weft::house;

class TestHouse : public QObject {
    Q_OBJECT

private:
    SourceTree tree_;

    static void verify(const Findings& findings) {
        for (const Finding& finding : findings) {
            std::fprintf(stderr, "%s:%d: %s\n", finding.path.c_str(), finding.line,
                         finding.text.c_str());
        }
        QVERIFY2(findings.empty(), "the lines above say where");
    }

private Q_SLOTS:
    void initTestCase() {
        tree_ = readTree(weft::test::sourceFolder());
        QVERIFY(tree_.files.size() > 20);
    }

    void tableNamesEveryFolder() { verify(checkTable(tree_, readMap(tree_, "engine"))); }
    void tableOfTheWorkbenchNamesEveryFolder() { verify(checkTable(tree_, readMap(tree_, "ui"))); }
    void everyFolderOfTheWorkbenchsTableIsThere() {
        verify(checkRows(tree_, readMap(tree_, "ui")));
    }
    void includesAreThoseOfTheTable() { verify(checkIncludes(tree_, readMap(tree_, "engine"))); }
    void includesOfTheWorkbenchAreThoseOfItsTable() {
        verify(checkIncludes(tree_, readMap(tree_, "ui")));
    }
    void noHeaderLeadsBackToItself() { verify(checkCircles(tree_)); }
    void faceIsStdOnly() { verify(checkFace(tree_)); }
    void thirdPartyHeadersStayInSources() { verify(checkThirdPartyInHeaders(tree_)); }
    void noFolderHoldsTooMany() { verify(checkFolderSizes(tree_)); }
    void topLevelIsFixed() { verify(checkTopLevel(tree_)); }
    void quotesAreTheFilesTheyQuote() { verify(checkQuotes(tree_)); }

    void everyFileHasItsLicence() { verify(checkLicences(tree_)); }
    void everyHeaderBeginsWithWhatItIs() { verify(checkHeaders(tree_)); }
    void noFileIsTooLong() { verify(checkLengths(tree_)); }
    void namesSaySomething() { verify(checkNames(tree_)); }
    void everyTypeHasItsOwnName() { verify(checkTypesAreOne(tree_)); }
    void nothingIsMarkedUnfinished() { verify(checkMarks(tree_)); }

    void engineKnowsNoQt() { verify(checkQt(tree_)); }
    void conditionsStayInBackendsAndComm() { verify(checkPreprocessor(tree_)); }
    void engineNeverEndsTheProcess() { verify(checkProcess(tree_)); }
    void oneSourceNamesTheRuntimeOfGpus() { verify(checkRuntimeOfGpus(tree_)); }
    void nobodyAsksForAKindByName() { verify(checkComparisons(tree_)); }
    void filesDeclareTheirOwnName() { verify(checkDeclaredNames(tree_)); }
    void everyIconExists() { verify(checkIcons(tree_)); }
    void everyTestCanFail() { verify(checkTestsCanFail(tree_)); }
};

std::unique_ptr<QObject> makeTestHouse() { return std::make_unique<TestHouse>(); }

#include "tst_house.moc"
