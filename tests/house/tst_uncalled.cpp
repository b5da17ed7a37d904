// SPDX-License-Identifier: Apache-2.0
// Tests the search for uncalled functions on a small program.

#include "support/places.h"
#include "support/test_main.h"
#include "uncalled.h"

#include <QTest>

using namespace weft::house;

namespace {

const std::string folder = "tests/house";

std::vector<UncalledFunction> inTheMadeUpProgram() {
    const auto build = weft::test::buildFolder();
    return uncalledFunctions(objectsOf(build, {folder + "/CMakeFiles/house_madeup.dir",
                                               folder + "/CMakeFiles/house_madeup_program.dir"}),
                             {build / folder / "house_madeup_program"}, weft::test::sourceFolder());
}

} // namespace

class TestUncalled : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(weft::test::buildFolder() / folder / "house_madeup_program")) {
            QSKIP("needs GCC, whose calls can be kept as they are written");
        }
    }

    void findsExactlyWhatNothingCalls() {
        QStringList names;
        for (const UncalledFunction& function : inTheMadeUpProgram()) {
            names << QString::fromStdString(function.name).remove("weft::madeup::");
        }
        const QStringList uncalled{"NeverMade::NeverMade()",
                                   "NeverMade::corners() const",
                                   "Triangle::sizeCalledByNobody() const",
                                   "alone()",
                                   "calledByNobody()",
                                   "calledByUncalled()"};
        QCOMPARE(names, uncalled);
    }

    void namesFileAndLine() {
        const auto found = inTheMadeUpProgram();
        const auto alone =
            std::ranges::find(found, "weft::madeup::alone()", &UncalledFunction::name);
        QVERIFY(alone != found.end());
        QCOMPARE(alone->place, "tests/house/uncalled/alone.cpp:8");
    }

    void anExceptionHasAReasonAndIsNeeded() {
        const std::vector<UncalledFunction> functions{{"weft::a()", "engine/a.cpp:1"},
                                                      {"weft::b(int)", "engine/b.cpp:2"}};
        const auto judged = [&](std::string_view exceptions) {
            return judgeUncalled(functions, readExceptions(exceptions));
        };
        QCOMPARE(judged("# what stays\n\nweft::a()  # a debugger does\nweft::b(int)  # as a\n"),
                 std::vector<std::string>());
        QCOMPARE(judged("engine/a.cpp  # a debugger does\nweft::b(int)  # as a\n"),
                 std::vector<std::string>());
        QCOMPARE(judged("weft::a()  # a debugger does\n"),
                 std::vector<std::string>({"engine/b.cpp:2: nothing calls weft::b(int)"}));
        QCOMPARE(judged("weft::a()\nweft::b(int)  # as a\nweft::c()  # gone\n"),
                 std::vector<std::string>({"weft::a() is excepted without a reason",
                                           "weft::c() is excepted, and called or gone"}));
    }
};

std::unique_ptr<QObject> makeTestUncalled() { return std::make_unique<TestUncalled>(); }

#include "tst_uncalled.moc"
