// SPDX-License-Identifier: Apache-2.0
#include "base/failure_text.h"
#include "events/log_text.h"

#include <QTest>
#include <memory>

using namespace weft;

class TestLogText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sitesRoundTrip() {
        SpanSite site{.origin = {LayerId{7}, 3},
                      .pass = Pass::backward,
                      .kind = SpanKind::communicate,
                      .layer = "block[2]/conv1",
                      .op = "all-reduce of \"weight\"",
                      .flops = {5},
                      .bytes = {1'000'000'000'000},
                      .rounds = 50};
        QVERIFY(siteFrom(siteText(site)) == site);
        QVERIFY(siteFrom(siteText(SpanSite{})) == SpanSite{});
    }

    void failuresRoundTrip() {
        Where where;
        where.rank = 3;
        where.host = "hostB";
        where.layer = "conv5";
        where.op = "all-reduce";
        where.file = "a.npy";
        where.line = 4;
        where.offset = 10;
        const Error error(ErrorCode::peer, where, "no word for 10 s", "look at it");
        const Error read = failureFrom(failureText(error));
        QVERIFY(read.code() == error.code());
        QVERIFY(read.where() == error.where());
        QCOMPARE(std::string(read.what()), std::string(error.what()));
    }

    void attemptsRoundTrip() {
        Attempt attempt;
        attempt.stepsBefore = 100;
        attempt.ranks = 4;
        attempt.hosts = 2;
        attempt.devices = {"cpu:0", "cuda:0/1"};
        attempt.version = "1.0";
        QVERIFY(attemptFrom(attemptText(attempt)) == attempt);
    }

    void anyTextIsTaken_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("conv1 conv2d");
        QTest::newRow("a list") << QByteArray("[1]");
        QTest::newRow("wrong types")
            << QByteArray("{\"layer\":1,\"id\":\"x\",\"ranks\":-5,\"devices\":[1],\"rank\":1e300,"
                          "\"pass\":\"up\",\"rounds\":-3}");
        QTest::newRow("deep") << QByteArray(100'000, '[');
    }
    void anyTextIsTaken() {
        QFETCH(QByteArray, text);
        const SpanSite site = siteFrom(text.toStdString());
        QVERIFY(site.layer.empty() && site.pass == Pass::forward && site.rounds == 1);
        QVERIFY(attemptFrom(text.toStdString()).ranks == 1);
        QVERIFY(attemptFrom(text.toStdString()).hosts == 1);
        QVERIFY(failureFrom(text.toStdString()).code() == ErrorCode::bug);
    }
};

std::unique_ptr<QObject> makeTestLogText() { return std::make_unique<TestLogText>(); }
#include "tst_log_text.moc"
