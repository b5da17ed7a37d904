// SPDX-License-Identifier: Apache-2.0
#include "base/copy_team.h"
#include "support/test_main.h"

#include <QTest>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

using weft::CopyTeam;

class TestCopyTeam : public QObject {
    Q_OBJECT

private slots:
    void copiesEveryByteAndNoOther_data() {
        QTest::addColumn<int>("threads");
        for (const int threads : {1, 2, 3, 4}) {
            QTest::addRow("%d threads", threads) << threads;
        }
    }
    /// Sizes around those of pages and parts, again and again by one team.
    void copiesEveryByteAndNoOther() {
        QFETCH(int, threads);
        CopyTeam team(threads);
        constexpr std::size_t mebi = std::size_t{1} << 20U;
        for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, mebi - 1, mebi, mebi + 1,
                                        mebi + 4097, 3 * mebi + 12'289, 5 * mebi + 7}) {
            std::vector<std::uint8_t> from(bytes);
            for (std::size_t k = 0; k < bytes; ++k) {
                from[k] = static_cast<std::uint8_t>(k * 2654435761U >> 13U);
            }
            std::vector<std::uint8_t> to(bytes + 64, 0xA5);
            team.copy(to.data(), from.data(), bytes);
            QVERIFY(std::equal(from.begin(), from.end(), to.begin()));
            for (std::size_t k = bytes; k < to.size(); ++k) {
                QCOMPARE(to[k], std::uint8_t{0xA5});
            }
        }
    }
};

std::unique_ptr<QObject> makeTestCopyTeam() { return std::make_unique<TestCopyTeam>(); }
#include "tst_copy_team.moc"
