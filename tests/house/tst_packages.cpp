// SPDX-License-Identifier: Apache-2.0
// packaging/run asks for nothing that packaging/install run leaves out.

#include "support/places.h"
#include "support/test_main.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

class TestPackages : public QObject {
    Q_OBJECT

    struct Outcome {
        int code = -1;
        QString output;
    };

    QTemporaryDir dir_;

    static Outcome finds(const QStringList& arguments) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        const auto script = weft::test::sourceFolder() / "tests/house/finds";
        process.start(QString::fromStdString(script.string()), arguments);
        return process.waitForFinished(250000)
                   ? Outcome{process.exitCode(), QString::fromUtf8(process.readAll())}
                   : Outcome{};
    }

    [[nodiscard]] QString folder() const { return dir_.filePath("first"); }

private Q_SLOTS:
    void initTestCase() {
        const Outcome configured = finds({"configure", folder()});
        if (configured.code == 77) {
            QSKIP("needs dpkg, which knows whose a file is");
        }
        QVERIFY2(configured.code == 0, qPrintable(configured.output));
    }

    void everythingFoundIsInstalledForRunning() {
        const Outcome judged = finds({"judge", folder()});
        QCOMPARE(judged.output, QString());
        QCOMPARE(judged.code, 0);
    }

    void whatIsMarkedForTestsAloneAndFoundIsNamed() {
        QFile list(QString::fromStdString(
            (weft::test::sourceFolder() / "packaging/dependencies").string()));
        QVERIFY(list.open(QIODevice::ReadOnly));
        QString text = QString::fromUtf8(list.readAll());
        const QStringList moved{"libpng-dev", "qt6-svg-dev", "libxxhash-dev", "nlohmann-json3-dev"};
        for (const QString& package : moved) {
            const QRegularExpression line("^" + package + " +run",
                                          QRegularExpression::MultilineOption);
            QVERIFY2(text.contains(line), qPrintable(package));
            text.replace(line, package + " test");
        }
        QFile other(dir_.filePath("dependencies"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(text.toUtf8());
        other.close();
        const Outcome judged = finds({"judge", folder(), other.fileName()});
        for (const QString& package : moved) {
            QVERIFY2(judged.output.contains("is of " + package + ","), qPrintable(judged.output));
        }
        QCOMPARE(judged.code, 1);
    }

    void whatOnlyTestsNeedIsNotHadWhereItIsDemanded() {
        const Outcome configured = finds({"configure", dir_.filePath("second"), "-DWEFT_TESTS=ON"});
        QVERIFY2(configured.output.contains("rapidcheck"), qPrintable(configured.output));
        QCOMPARE(configured.code, 1);
    }
};

std::unique_ptr<QObject> makeTestPackages() { return std::make_unique<TestPackages>(); }

#include "tst_packages.moc"
