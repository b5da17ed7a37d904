// SPDX-License-Identifier: Apache-2.0
// The information about a proved chip equals the result of its proof.

#include "device/proved_chips.h"
#include "support/places.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <algorithm>
#include <memory>
#include <vector>

using namespace weft;
using namespace weft::test;

class TestProvedChips : public QObject {
    Q_OBJECT

    static DeviceSheet chip(const std::string& backend, const std::string& model) {
        DeviceSheet sheet;
        sheet.backend = backend;
        sheet.model = model;
        return sheet;
    }

private Q_SLOTS:
    /// Every row has the page of its proof, every page has its row.
    void haveTheResultsOfTheirProofs() {
        const QDir results(
            QString::fromStdString((sourceFolder() / "tests/bench/results").string()));
        const QStringList pages = results.entryList({"prove-*.md"}, QDir::Files);
        QCOMPARE(static_cast<std::size_t>(pages.size()), provedChips().size());
        for (const QString& name : pages) {
            QFile file(results.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            const auto row = std::ranges::find_if(provedChips(), [&](const ProvedChip& one) {
                const std::string title =
                    "# " + std::string(one.model) + ", proved on " + std::string(one.date);
                return text.contains(QByteArray::fromStdString(title)) &&
                       text.contains(QByteArray::fromStdString(std::string(one.revision)));
            });
            QVERIFY2(row != provedChips().end(), qPrintable(name));
            const QString lines = QString(name).replace(".md", ".jsonl");
            QVERIFY2(results.exists(lines), qPrintable(lines));
        }
    }

    void areNamedWithTheirDay() {
        QCOMPARE(provedChipsOf("cuda"),
                 std::string("NVIDIA H200 (9.0) on 2026-11-27, NVIDIA H100 80GB HBM3 (9.0) on "
                             "2026-11-27"));
        QVERIFY(proofOn(chip("cuda", "NVIDIA H200"))
                    .starts_with("verified on NVIDIA H200 on 2026-11-27, revision 67dcc688"));
    }

    void othersAreNotProvedByThem() {
        QCOMPARE(proofOn(chip("cuda", "NVIDIA A100")),
                 "not verified on NVIDIA A100, but on " + provedChipsOf("cuda"));
        QCOMPARE(proofOn(chip("cpu", "AMD EPYC")), std::string());
        QCOMPARE(provedChipsOf("cpu"), std::string());
    }
};

std::unique_ptr<QObject> makeTestProvedChips() { return std::make_unique<TestProvedChips>(); }
#include "tst_proved_chips.moc"
