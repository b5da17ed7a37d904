// SPDX-License-Identifier: Apache-2.0
#include "run/mpirun_line.h"
#include "support/test_main.h"

#include <QTest>
#include <algorithm>
#include <memory>

using namespace weft;

class TestMpirunLine : public QObject {
    Q_OBJECT

private:
    static bool holds(const std::vector<std::string>& line, const std::string& word) {
        return std::ranges::find(line, word) != line.end();
    }

private Q_SLOTS:
    void endsWithTheCommandOfEveryRank() {
        const LaunchRequest request{.ranks = 3, .command = {"weft", "run", "a.weft"}};
        const auto line = mpirunArguments(request, false, {});
        QCOMPARE(line.front(), std::string("mpirun"));
        const std::vector<std::string> end(line.end() - 5, line.end());
        QCOMPARE(end, (std::vector<std::string>{"-n", "3", "weft", "run", "a.weft"}));
        // The others outlive a rank, and are not bound to one core.
        QVERIFY(holds(line, "--enable-recovery") && holds(line, "--bind-to"));
    }

    void allowsRootOnlyForRoot() {
        const LaunchRequest request{.command = {"weft"}};
        QVERIFY(!holds(mpirunArguments(request, false, {}), "--allow-run-as-root"));
        QVERIFY(holds(mpirunArguments(request, true, {}), "--allow-run-as-root"));
    }

    void handsVariablesOnByNameAlone() {
        const std::vector<std::string> names{"WEFT_HOST_SECRET"};
        const std::string line = shellLine(mpirunArguments({.command = {"weft"}}, false, names));
        QVERIFY(line.find("-x WEFT_HOST_SECRET -n") != std::string::npos);
    }

    void noticesAHostThatIsCutOff() {
        const LaunchRequest request{.command = {"weft"}, .hosts = "hosts.txt"};
        const auto line = mpirunArguments(request, false, {});
        QVERIFY(holds(line, "--hostfile") && holds(line, "oob_tcp_keepalive_time"));
    }

    void isTypedAsTheShellWantsIt() {
        const std::vector<std::string> words{"weft", "run", "a b.weft", "it's", ""};
        QCOMPARE(shellLine(words), std::string("weft run 'a b.weft' 'it'\\''s' ''"));
    }
};

std::unique_ptr<QObject> makeTestMpirunLine() { return std::make_unique<TestMpirunLine>(); }
#include "tst_mpirun_line.moc"
