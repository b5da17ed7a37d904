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
        QCOMPARE(toString(hash128(std::string_view{})),
                 std::string("99aa06d3014798d86001c324468d497f"));
    }

    void piecesHashAsTheWhole() {
        const std::string text(5000, 'a');
        const auto bytes = std::as_bytes(std::span(text));
        Hasher hasher;
        hasher.add(bytes.subspan(0, 1)).add(bytes.subspan(1, 999)).add(bytes.subspan(1000));
        QVERIFY(hasher.digest128() == hash128(text));
        QCOMPARE(hasher.digest64(), hash128(text).low);
    }

    void textsKeepTheirBorders() {
        QVERIFY(Hasher().add("ab").add("c").digest64() != Hasher().add("a").add("bc").digest64());
        QVERIFY(Hasher(1).add("ab").digest64() != Hasher(2).add("ab").digest64());
        QVERIFY(Hasher().add(1).digest64() != Hasher().add(2).digest64());
    }
};

std::unique_ptr<QObject> makeTestHash() { return std::make_unique<TestHash>(); }
#include "tst_hash.moc"
