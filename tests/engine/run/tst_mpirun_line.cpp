// SPDX-License-Identifier: Apache-2.0
#include "run/session/mpirun_line.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>
#include <algorithm>
#include <map>
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
        const auto line = mpirunArguments(request, false);
        QCOMPARE(line.front(), std::string("mpirun"));
        const std::vector<std::string> end(line.end() - 5, line.end());
        QCOMPARE(end, (std::vector<std::string>{"-n", "3", "weft", "run", "a.weft"}));
        // The others outlive a rank, and are not bound to one core.
        QVERIFY(holds(line, "--enable-recovery") && holds(line, "--bind-to"));
    }

    void allowsRootOnlyForRoot() {
        const LaunchRequest request{.command = {"weft"}};
        QVERIFY(!holds(mpirunArguments(request, false), "--allow-run-as-root"));
        QVERIFY(holds(mpirunArguments(request, true), "--allow-run-as-root"));
    }

    void handsVariablesOnByNameAlone() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        const ProgramRequest mpirun = mpirunFor({.command = {"weft"}}, {{"SECRET", "1f3a"}});
        QVERIFY(shellLine(mpirun.arguments).find("SECRET") == std::string::npos);
        const std::map<std::string, std::string> environment(mpirun.environment.begin(),
                                                             mpirun.environment.end());
        QCOMPARE(environment.at("SECRET"), std::string("1f3a"));
        const std::string& handedOn = environment.at("OMPI_MCA_mca_base_env_list");
        QVERIFY2(handedOn.starts_with("SECRET;") && !(handedOn.find("1f3a") != std::string::npos),
                 handedOn.c_str());
    }

    void noticesAHostThatIsCutOff() {
        const LaunchRequest request{.command = {"weft"}, .hosts = "hosts.txt"};
        const auto line = mpirunArguments(request, false);
        QVERIFY(holds(line, "--hostfile") && holds(line, "oob_tcp_keepalive_time"));
    }

    void whatItsLibrariesTraceIsNoNews() {
        const std::string news = "mpirun noticed that process rank 1 exited on signal 9";
        QCOMPARE(withoutTraces("[h:7] PMIX ERROR: UNREACHABLE in file pmix.c at line 2\n" + news +
                               "\n[h:7] PMIX ERROR: LOST CONNECTION in file pmix.c at line 4"),
                 news + "\n");
        QCOMPARE(withoutTraces(""), std::string());
    }

    void isTypedAsTheShellWantsIt() {
        const std::vector<std::string> words{"weft", "run", "a b.weft", "it's", ""};
        QCOMPARE(shellLine(words), std::string("weft run 'a b.weft' 'it'\\''s' ''"));
    }
};

std::unique_ptr<QObject> makeTestMpirunLine() { return std::make_unique<TestMpirunLine>(); }
#include "tst_mpirun_line.moc"
