// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <QTest>
#include <memory>

using namespace weft;

class TestHash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithThePublishedValues() {
        // XXH3 of nothing, from the test vectors of xxHash.
        QCOMPARE(hash64(std::string_view{}), std::uint64_t{0x2D06800538D394C2});
        const Hash128 wide{.low = 0x6001c324468d497f, .high = 0x99aa06d3014798d8};
        QVERIFY(hash128(std::span<const std::byte>{}) == wide);
    }
};

std::unique_ptr<QObject> makeTestHash() { return std::make_unique<TestHash>(); }
#include "tst_hash.moc"
