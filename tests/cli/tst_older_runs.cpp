// SPDX-License-Identifier: Apache-2.0
// A run directory and rates that an older version recorded, when streams were called lanes and
// communicators rooms, are read by this one.
#include "support/places.h"
#include "support/test_main.h"
#include "weft_process.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>

using namespace weft;
using namespace weft::test;

class TestOlderRuns : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] static QString recorded(const char* name) {
        return QString::fromStdString((sourceFolder() / "tests/cli" / name).string());
    }
    /// A copy of the recorded run.
    [[nodiscard]] QString copyNamed(const QString& name) const {
        const QString run = folder_.filePath(name);
        std::filesystem::copy(recorded("recorded_run").toStdString(), run.toStdString(),
                              std::filesystem::copy_options::recursive);
        // The lock of a run that ended on another host a day ago.
        const std::string lock = (run + "/lock").toStdString();
        writeBytes(QString::fromStdString(lock),
                   R"({"process": 24621, "host": "recorded", "attempt": 1, "job": "", "log": 0})");
        std::filesystem::last_write_time(lock, std::filesystem::file_time_type::clock::now() -
                                                   std::chrono::hours(24));
        return run;
    }
    [[nodiscard]] Ended weft(const QStringList& arguments) const {
        return test::weft(arguments, folder_.path());
    }

private Q_SLOTS:
    void itIsListedAndShown() {
        (void)copyNamed("shown");
        const Ended listed = weft({"runs", "."});
        QVERIFY2(listed.code == 0 && listed.out.contains("shown"), qPrintable(listed.error));
        const Ended shown = weft({"show", "shown"});
        QVERIFY2(shown.code == 0, qPrintable(shown.error));
        QVERIFY2(shown.out.contains("median of 4 training steps"), qPrintable(shown.out));
        QVERIFY2(shown.out.contains("2.311, of training step 3"), qPrintable(shown.out));
        const Ended traced = weft({"show", "shown", "--trace", "trace.json"});
        QVERIFY2(traced.code == 0, qPrintable(traced.error));
        QVERIFY(bytesOf(folder_.filePath("trace.json")).contains("fc: linear"));
        const Ended compared = weft({"compare", "shown"});
        QVERIFY2(compared.code == 0 && compared.out.contains("fc"), qPrintable(compared.error));
    }

    void itsDesignIsReadWithoutAWarning() {
        const QString file = copyNamed("checked") + "/design.weft";
        QVERIFY(bytesOf(file).contains("\"lanes\": 2, \"room\": \"host\""));
        const Ended checked = weft({"check", file});
        QVERIFY2(checked.code == 0, qPrintable(checked.out));
        QVERIFY2(!checked.out.contains(" W"), qPrintable(checked.out));
    }

    /// Its weights, its selection of kernels and its metrics are taken over.
    void itGoesOnFromItsCheckpoint() {
        const QString run = copyNamed("resumed");
        const std::map<std::int64_t, double> before = lossesByStep(run);
        QCOMPARE(before.size(), std::size_t{4});
        QVERIFY(QFile::remove(run + "/checkpoints/step-000000004.safetensors"));
        const Ended resumed = weft({"resume", "resumed"});
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QVERIFY2(resumed.out.contains("continues after step 2"), qPrintable(resumed.out));
        QVERIFY(QFile::exists(run + "/checkpoints/step-000000004.safetensors"));
        const std::map<std::int64_t, double> after = lossesByStep(run);
        QCOMPARE(after.size(), std::size_t{4});
        for (const auto& [step, loss] : before) {
            QVERIFY2(std::abs(after.at(step) - loss) < 1e-4 * loss,
                     qPrintable(QString::number(after.at(step))));
        }
    }

    /// The rates of this machine's processor, had that version measured it.
    void itsRatesAreTaken() {
        const auto devices = [&] {
            const Ended told = weft({"devices", "--json"});
            return QJsonDocument::fromJson(told.out.toUtf8())["devices"].toArray();
        };
        const auto restored =
            qScopeGuard([cache = qgetenv("XDG_CACHE_HOME")] { qputenv("XDG_CACHE_HOME", cache); });
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toLocal8Bit());
        const QJsonObject cpu = devices().first().toObject();
        QVERIFY(!cpu["measured"].toBool());
        QJsonObject kept =
            QJsonDocument::fromJson(bytesOf(recorded("recorded_rates.json"))).object();
        QJsonArray rates = kept["rates"].toArray();
        QJsonObject rate = rates.first().toObject();
        for (const char* key : {"name", "model", "cores"}) {
            rate[QLatin1String(key)] = cpu[QLatin1String(key)];
        }
        rates.replace(0, rate);
        kept["rates"] = rates;
        QVERIFY(QDir().mkpath(folder_.filePath("cache/weft")));
        writeBytes(folder_.filePath("cache/weft/rates.json"), QJsonDocument(kept).toJson());
        const QJsonObject measured = devices().first().toObject();
        QVERIFY(measured["measured"].toBool());
        QCOMPARE(measured["flops_per_second"].toDouble(), rate["flops_per_second"].toDouble());
        QCOMPARE(measured["efficiency"].toObject(), rate["efficiency"].toObject());
    }
};

std::unique_ptr<QObject> makeTestOlderRuns() { return std::make_unique<TestOlderRuns>(); }

#include "tst_older_runs.moc"
