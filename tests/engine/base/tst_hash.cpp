// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <QTest>
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

using namespace weft;

class TestHash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithThePublishedValues() {
        // XXH3 of nothing, from the test vectors of xxHash.
        QCOMPARE(hash64(std::string_view{}), std::uint64_t{0x2D06800538D394C2});
        const Hash128 wide{.low = 0x6001c324468d497f, .high = 0x99aa06d3014798d8};
        QVERIFY(hash128(std::span<const std::byte>{}) == wide);
        QCOMPARE(hexText(wide), std::string("99aa06d3014798d86001c324468d497f"));
    }

    void piecesComeToTheSameAsTheWhole() {
        std::vector<std::byte> bytes(5000);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::byte>(i * 7);
        }
        const std::span<const std::byte> all(bytes);
        for (const std::size_t piece : {1U, 64U, 239U, 1024U, 5000U}) {
            Hash128Stream stream;
            QVERIFY(stream.value() == hash128({}));
            for (std::size_t at = 0; at < all.size(); at += piece) {
                stream.take(all.subspan(at, std::min(piece, all.size() - at)));
            }
            QVERIFY(stream.value() == hash128(all));
        }
    }
};

std::unique_ptr<QObject> makeTestHash() { return std::make_unique<TestHash>(); }
#include "tst_hash.moc"
