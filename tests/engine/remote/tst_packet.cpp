// SPDX-License-Identifier: Apache-2.0
#include "remote/packet.h"
#include "remote/packet_pipe.h"
#include "remote/spawned.h"
#include <weft/error.h>

#include <unistd.h>

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace weft;

namespace {

Packet sample(int number) {
    return {.head = {{"ask", "sample"}, {"number", number}},
            .body = std::string(static_cast<std::size_t>(number) * 37 % 1000, 'x')};
}

std::vector<Packet> packetsIn(const std::string& bytes, std::size_t piece) {
    PacketReader reader;
    std::vector<Packet> packets;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        reader.take(std::string_view(bytes).substr(at, piece));
        while (auto packet = reader.next()) {
            packets.push_back(std::move(*packet));
        }
    }
    return packets;
}

} // namespace

class TestPacket : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsSentIsReadInAnyPieces() {
        std::string bytes;
        for (int number = 0; number < 20; ++number) {
            bytes += packetBytes(sample(number));
        }
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
            const std::vector<Packet> packets = packetsIn(bytes, piece);
            QCOMPARE(packets.size(), std::size_t{20});
            for (int number = 0; number < 20; ++number) {
                QVERIFY(packets[static_cast<std::size_t>(number)].head == sample(number).head);
                QCOMPARE(packets[static_cast<std::size_t>(number)].body, sample(number).body);
            }
        }
    }

    void aGreetingOfTheShellIsPassedOverAndKept() {
        const std::string greeting = "Welcome to cluster!\nweftlin weft\n";
        const std::vector<Packet> packets = packetsIn(greeting + packetBytes(sample(3)), 5);
        QCOMPARE(packets.size(), std::size_t{1});
        PacketReader reader;
        reader.take(greeting);
        QVERIFY(!reader.next());
        reader.take(packetBytes(sample(3)));
        QVERIFY(reader.next());
        QCOMPARE(reader.before(), greeting);
    }

    void aFloodThatIsNoneEnds() {
        PacketReader reader;
        const std::string flood(std::size_t{16} << 10U, 'y');
        QVERIFY_THROWS_EXCEPTION(
            Error, for (int i = 0; i < 100; ++i) {
                reader.take(flood);
                (void)reader.next();
            });
        QVERIFY(reader.before().size() <= 4096);
    }

    void nobodySleepsWhoHasMoreToSend() {
        Pipe silent = makePipe();
        Pipe heard = makePipe();
        PacketPipe pipe(std::move(silent.out), std::move(heard.in));
        const Packet large{.head = {{"ask", "sample"}}, .body = std::string(200'000, 'x')};
        constexpr int packets = 50;
        std::jthread reader([&] {
            std::array<char, 65536> bytes{};
            std::size_t left = packets * packetBytes(large).size();
            while (left > 0) {
                const ssize_t got = ::read(heard.out.get(), bytes.data(), bytes.size());
                if (got <= 0) {
                    return;
                }
                left -= static_cast<std::size_t>(got);
            }
        });
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < packets; ++i) {
            pipe.send(large);
            while (pipe.unsent() > 0) {
                pipe.transfer(std::chrono::seconds(10));
            }
        }
        // One that slept would have slept its ten seconds.
        QVERIFY(clock.elapsed() < 10'000);
    }

    void everyFlippedByteIsSeen() {
        const std::string good = packetBytes(sample(5));
        for (std::size_t at = 0; at < good.size(); ++at) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 0x20);
            bool isRead = false;
            try {
                PacketReader reader;
                reader.take(bad);
                isRead = reader.next().has_value();
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::format);
            }
            QVERIFY2(!isRead, qPrintable(QString::number(at)));
        }
    }

    void bytesAtRandomAreNoPackets() {
        std::mt19937 random(11); // NOLINT(bugprone-random-generator-seed): the same each time
        const std::string good = packetBytes(sample(5)) + packetBytes(sample(8));
        for (int trial = 0; trial < 20'000; ++trial) {
            std::string bytes = good.substr(0, random() % good.size());
            for (std::uint32_t i = random() % 6; i > 0 && !bytes.empty(); --i) {
                bytes[random() % bytes.size()] = static_cast<char>(random());
            }
            for (std::uint32_t i = random() % 40; i > 0; --i) {
                bytes += static_cast<char>(random());
            }
            try {
                QVERIFY(packetsIn(bytes, 1 + random() % 64).size() <= 1);
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::format);
            }
        }
    }
};

std::unique_ptr<QObject> makeTestPacket() { return std::make_unique<TestPacket>(); }
#include "tst_packet.moc"
