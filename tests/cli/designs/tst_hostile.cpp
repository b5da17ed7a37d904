// SPDX-License-Identifier: Apache-2.0
// A thousand designs that an enemy wrote: each verb ends by itself, in time, with a code that means
// something and a text that names the file; what check refuses is refused, what it lets pass runs.
#include "cli/weft_process.h"
#include "hostile_designs.h"
#include "support/places.h"
#include "support/test_main.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace weft;
using test::bytesOf;

namespace {

constexpr int rows = 20;
constexpr int casesOfRow = 50;
constexpr int longest = 20'000; // milliseconds, on a busy machine

struct Seen {
    int code = 0;
    QByteArray text; ///< both outputs
    QString fault;   ///< empty: it ended as it must
};

/// Nothing that steers a terminal, no word of a program that lost its way.
QString faultIn(const QByteArray& text) {
    for (const char* words : {"invariant", "fault of Weft", "std::", "terminate called",
                              "Sanitizer", "runtime error"}) {
        if (text.contains(words)) {
            return QString("it says \"%1\"").arg(words);
        }
    }
    const auto steers = [](char letter) {
        return (static_cast<unsigned char>(letter) < 32 && letter != '\n' && letter != '\r' &&
                letter != '\t') ||
               letter == 127;
    };
    return std::ranges::any_of(text, steers) ? QString("a control character is printed")
                                             : QString();
}

Seen seenOf(const QStringList& words, const QString& folder) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(QString::fromStdString(test::weftProgram().string()), words);
    if (!process.waitForFinished(longest)) {
        process.kill();
        process.waitForFinished();
        return {.fault = "it did not end in time"};
    }
    const QByteArray text = process.readAllStandardOutput() + process.readAllStandardError();
    if (process.exitStatus() != QProcess::NormalExit) {
        return {.text = text, .fault = QString("signal %1").arg(process.exitCode())};
    }
    Seen seen{process.exitCode(), text, faultIn(text)};
    if (seen.fault.isEmpty() && seen.code != 0 && !text.contains(words[1].toUtf8())) {
        seen.fault = "its text does not name the file";
    }
    return seen;
}

} // namespace

class TestHostile : public QObject {
    Q_OBJECT

    /// Returns what went wrong when the verbs read the design, or an empty text.
    static QString faultOf(const QString& file, const QString& folder) {
        const auto said = [](const char* verb, const Seen& seen, const QString& fault) {
            return QString("%1 (%2): %3\n%4")
                .arg(verb)
                .arg(seen.code)
                .arg(fault, QString::fromUtf8(seen.text.left(2000)));
        };
        const Seen checked = seenOf({"check", file}, folder);
        if (!checked.fault.isEmpty() || checked.code == 1 || checked.code == 2) {
            return said("check", checked, checked.fault);
        }
        const Seen planned = seenOf({"plan", file}, folder);
        if (!planned.fault.isEmpty() || planned.code != checked.code) {
            return said("plan", planned,
                        planned.fault + QString(" check gave %1").arg(checked.code));
        }
        const Seen run = seenOf({"run", file}, folder);
        // Where nothing is wrong with the design, the world may still refuse it: devices and files
        // that are not there, a loss that is not finite.
        const bool isRight = run.code == checked.code || (checked.code == 0 && run.code != 2);
        return run.fault.isEmpty() && isRight
                   ? QString()
                   : said("run", run, run.fault + QString(" check gave %1").arg(checked.code));
    }

private Q_SLOTS:
    void goodOnesRun() {
        for (const QByteArray& design : test::goodDesigns()) {
            const QTemporaryDir folder;
            test::writeBytes(folder.path() + "/good.weft", design);
            const Seen run = seenOf({"run", "good.weft"}, folder.path());
            QVERIFY2(run.code == 0 && run.fault.isEmpty(), run.text.constData());
        }
    }

    void hostileOnesEndAsTheyMust_data() {
        QTest::addColumn<int>("first");
        for (int first = 0; first < rows * casesOfRow; first += casesOfRow) {
            QTest::addRow("%d on", first) << first;
        }
    }
    void hostileOnesEndAsTheyMust() {
        QFETCH(const int, first);
        const QTemporaryDir folder;
        const std::vector<QByteArray> good = test::goodDesigns();
        int faults = 0;
        for (int seed = first; seed < first + casesOfRow; ++seed) {
            const QString file = QString("hostile-%1.weft").arg(seed);
            test::writeBytes(folder.path() + "/" + file,
                             test::hostileDesign(good, std::uint32_t(seed)));
            const QString fault = faultOf(file, folder.path());
            if (!fault.isEmpty()) {
                ++faults;
                qWarning().noquote() << file << fault;
                qWarning().noquote() << bytesOf(folder.path() + "/" + file);
            }
            QDir(folder.path() + "/runs").removeRecursively();
        }
        QCOMPARE(faults, 0);
    }
};

std::unique_ptr<QObject> makeTestHostile() { return std::make_unique<TestHostile>(); }

#include "tst_hostile.moc"
