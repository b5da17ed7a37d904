// SPDX-License-Identifier: Apache-2.0
#include "remote/jobs/slurm_words.h"

#include <QTest>
#include <memory>
#include <string>

using namespace weft;

class TestSlurmWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theQueueSaysHowJobsStand_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("state");
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<qint64>("expected");
        const auto row = [](const char* line, JobState state, const char* reason,
                            qint64 expected = 0) {
            QTest::newRow(line) << QByteArray(line) << static_cast<int>(state) << QByteArray(reason)
                                << expected;
        };
        row("7|PENDING|1790000000|test|Priority", JobState::waiting, "Priority", 1'790'000'000);
        row("7|PENDING|N/A|test|Resources", JobState::waiting, "Resources");
        row("7|PENDING|1790000000|test|BeginTime", JobState::waiting, "BeginTime", 1'790'000'000);
        row("7|PENDING|N/A|test|None", JobState::waiting, "");
        row("7|PENDING|N/A|gpu,test|ReqNodeNotAvail, UnavailableNodes:n[1-3]", JobState::waiting,
            "ReqNodeNotAvail, UnavailableNodes:n[1-3]");
        row("7|PENDING|N/A|test|a|b", JobState::waiting, "a");
        row("7|CONFIGURING|1790000000|test|None", JobState::waiting, "", 1'790'000'000);
        row("7|REQUEUE_HOLD|N/A|test|job requeued in held state", JobState::waiting,
            "job requeued in held state");
        row("7|RUNNING|1790000000|test|None", JobState::begun, "");
        row("7|COMPLETING|1790000000|test|None", JobState::begun, "COMPLETING");
        row("7|SUSPENDED|1790000000|test|None", JobState::begun, "SUSPENDED");
        row("7|COMPLETED|1790000000|test|None", JobState::ended, "COMPLETED");
        row("7|CANCELLED|1790000000|test|None", JobState::ended, "CANCELLED");
        row("7|TIMEOUT|1790000000|test|TimeLimit", JobState::ended, "TIMEOUT");
        row("7|OUT_OF_MEMORY|1790000000|test|OutOfMemory", JobState::ended, "OUT_OF_MEMORY");
        row("7|NODE_FAIL|1790000000|test|NodeDown", JobState::ended, "NODE_FAIL");
        row("7|PENDING|99999999999999999999|test|Priority", JobState::waiting, "Priority");
    }
    void theQueueSaysHowJobsStand() {
        QFETCH(const QByteArray, line);
        QFETCH(const int, state);
        QFETCH(const QByteArray, reason);
        QFETCH(const qint64, expected);
        const auto jobs =
            queueIn("8|RUNNING|1|other|None\n" + line.toStdString() + "\n9|RUNNING|1|other|None\n");
        QCOMPARE(jobs.size(), std::size_t{3});
        const JobStatus& word = jobs.at("7").status;
        QCOMPARE(static_cast<int>(word.state), state);
        QCOMPARE(word.reason, reason.toStdString());
        QCOMPARE(word.number, std::string("7"));
        QCOMPARE(static_cast<qint64>(word.expected), expected);
    }

    void whatIsNoLineOfTheQueueIsPassedOver() {
        const auto jobs = queueIn("slurm_load_jobs error: none\n\n|||||\n5|RUNNING\n"
                                  "$(x)|RUNNING|1|p|r\n-1|RUNNING|1|p|r\n12_[1-4]|RUNNING|1|p|r\n"
                                  "6|RUNNING|1|p|r");
        QCOMPARE(jobs.size(), std::size_t{1});
        QCOMPARE(jobs.at("6").partition, std::string("p"));
        QVERIFY(queueIn("").empty());
    }

    void aPlaceIsCounted() {
        QCOMPARE(placeIn("5\n12_[1-4]\n7\n70\n", "7"), std::int64_t{3});
        QCOMPARE(placeIn("7\n", "7"), std::int64_t{1});
        QCOMPARE(placeIn("70\n17\n", "7"), std::int64_t{0});
        QCOMPARE(placeIn("", "7"), std::int64_t{0});
    }

    void theSheetOfAJobSaysHowItEnded_data() {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<bool>("isEnd");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("reason");
        const auto row =
            [](const char* state, const char* code, bool isEnd, int number, const char* reason) {
                QTest::newRow(state)
                    << QByteArray("JobId=7 JobName=small UserId=root(0) GroupId=root(0) "
                                  "MCS_label=N/A Priority=1 Nice=0 Account=(null) "
                                  "QOS=(null) JobState=") +
                           state +
                           " Reason=None Dependency=(null) Requeue=1 "
                           "Restarts=0 BatchFlag=1 Reboot=0 ExitCode=" +
                           code + " DerivedExitCode=9:0 RunTime=00:00:01\n"
                    << isEnd << number << QByteArray(reason);
            };
        row("COMPLETED", "0:0", true, 0, "");
        row("FAILED", "3:0", true, 3, "FAILED");
        row("CANCELLED", "0:15", true, 143, "CANCELLED");
        row("TIMEOUT", "0:1", true, 129, "TIMEOUT");
        row("NODE_FAIL", "x", true, -1, "NODE_FAIL");
        row("PENDING", "0:0", false, -1, "");
        row("RUNNING", "0:0", false, -1, "");
        QTest::newRow("nothing") << QByteArray() << false << -1 << QByteArray();
        QTest::newRow("cut") << QByteArray("JobId=7 JobName=small JobSta") << false << -1
                             << QByteArray();
    }
    void theSheetOfAJobSaysHowItEnded() {
        QFETCH(const QByteArray, said);
        QFETCH(const bool, isEnd);
        QFETCH(const int, code);
        QFETCH(const QByteArray, reason);
        const auto end = endInControllerAnswer(said.toStdString());
        QCOMPARE(end.has_value(), isEnd);
        if (end) {
            QCOMPARE(end->code.value_or(-1), code);
            QCOMPARE(end->reason, reason.toStdString());
            QVERIFY(end->state == JobState::ended);
        }
    }

    void theAccountsSayItLater() {
        QCOMPARE(endInAccounting("COMPLETED|0:0\n")->code.value(), 0);
        QCOMPARE(endInAccounting("CANCELLED by 1000|0:15\n")->reason, std::string("CANCELLED"));
        // Put back into the queue once: each time that it ran has a line.
        QCOMPARE(endInAccounting("NODE_FAIL|0:0\nFAILED|5:0\n")->code.value(), 5);
        QVERIFY(!endInAccounting("RUNNING|0:0\n"));
        QVERIFY(!endInAccounting("Slurm accounting storage is disabled\n"));
        QVERIFY(!endInAccounting(""));
    }

    void theNumberOfAJobIsFound() {
        QCOMPARE(submittedNumber("123\n").value(), std::string("123"));
        QCOMPARE(submittedNumber("123;cluster\n").value(), std::string("123"));
        QCOMPARE(submittedNumber("Welcome, 5 of you\n42\n").value(), std::string("42"));
        QVERIFY(!submittedNumber("Submitted batch job 123\n"));
        QVERIFY(!submittedNumber(""));
        QVERIFY(!submittedNumber("-5\n"));
        QCOMPARE(jobNumberStartedIn("5|/a b\n70|/a|b\n7|/a|b\n9|/a\n", "/a|b").value(),
                 std::string("70"));
        QVERIFY(!jobNumberStartedIn("5|/a/b\n", "/a"));
    }

    void onlyDigitsAreAJob() {
        for (const char* text : {"", "1 2", "-1", "1;id", "1_2", "99999999999999999999", "x"}) {
            QVERIFY2(!isJobNumber(text), text);
        }
        QVERIFY(isJobNumber("4294967294"));
    }
};

std::unique_ptr<QObject> makeTestSlurmWords() { return std::make_unique<TestSlurmWords>(); }
#include "tst_slurm_words.moc"
