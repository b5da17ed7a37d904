// SPDX-License-Identifier: Apache-2.0
#include "base/process/threads.h"
#include "events/ring.h"

#include <QTest>
#include <array>
#include <cstring>
#include <memory>

using namespace weft;

class TestRing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsPutComesOutInOrder() {
        EventRing ring(1024);
        constexpr std::uint32_t count = 50'000;
        const auto producer = startThread("ring-producer", [&] {
            for (std::uint32_t i = 0; i < count;) {
                std::array<std::uint32_t, 3> words{i, ~i, i * 7};
                const std::size_t size = 4 * (1 + i % 3);
                if (ring.hasRoomFor(size)) {
                    ring.append(std::as_bytes(std::span(words)).first(size));
                    ring.publish();
                    ++i;
                }
            }
        });
        std::uint32_t next = 0;
        std::vector<std::byte> out;
        while (next < count) {
            out.clear();
            ring.drain(out);
            for (std::size_t at = 0; at < out.size();) {
                std::uint32_t word = 0;
                std::memcpy(&word, out.data() + at, 4);
                if (word != next) {
                    QCOMPARE(word, next);
                }
                at += 4 * (1 + next % 3);
                ++next;
            }
        }
        QCOMPARE(ring.drain(out), std::size_t{0});
    }

    void nothingShowsBeforeItIsPublished() {
        EventRing ring(64);
        const std::array<std::byte, 40> bytes{};
        QVERIFY(ring.hasRoomFor(64));
        QVERIFY(!ring.hasRoomFor(65));
        ring.append(bytes);
        std::vector<std::byte> out;
        QCOMPARE(ring.drain(out), std::size_t{0});
        QVERIFY(!ring.hasRoomFor(40));
        ring.publish();
        QCOMPARE(ring.drain(out), std::size_t{40});
        QVERIFY(ring.hasRoomFor(64));
    }
};

std::unique_ptr<QObject> makeTestRing() { return std::make_unique<TestRing>(); }
#include "tst_ring.moc"
