// SPDX-License-Identifier: Apache-2.0
#include "compile/local_names.h"
#include "device/backend.h"
#include "run/train/open_workers.h"
#include "run/train/training_run.h"

#include <QTest>
#include <memory>
#include <sstream>

using namespace weft;

namespace {

std::vector<std::string> wordsOf(const QString& text) {
    std::istringstream stream(text.toStdString());
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

Backend seeing(const std::string& chips) {
    Backend backend;
    backend.name = "cuda";
    backend.sees = [chips] { return chips; };
    return backend;
}

std::int64_t seenBy(const std::string& chips, const std::string& host) {
    BackendList backends;
    backends.add(seeing(chips));
    return visibleChipsHash(backends, host);
}

} // namespace

class TestLocalNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areCountedFromTheFirstOfEachHost_data() {
        QTest::addColumn<QString>("devices");
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<QString>("local");
        const auto row = [](const char* name, const char* devices, const char* hosts,
                            const char* local) {
            QTest::newRow(name) << devices << hosts << local;
        };
        row("one host", "cuda:0 cuda:3", "0 0", "cuda:0 cuda:3");
        row("one host, not from its first", "cuda:2 cuda:3", "0 0", "cuda:2 cuda:3");
        row("two hosts", "cuda:0 cuda:1 cuda:2 cuda:3", "0 0 1 1", "cuda:0 cuda:1 cuda:0 cuda:1");
        row("gaps are kept", "cuda:0 cuda:2 cuda:4 cuda:6", "0 0 1 1",
            "cuda:0 cuda:2 cuda:0 cuda:2");
        row("none uses its first", "cuda:1 cuda:2", "0 1", "cuda:1 cuda:1");
        row("unevenly", "cuda:0 cuda:1 cuda:2 cuda:3", "0 0 0 1", "cuda:0 cuda:1 cuda:2 cuda:0");
        row("in another order", "cuda:2 cuda:3 cuda:0 cuda:1", "0 0 1 1",
            "cuda:0 cuda:1 cuda:0 cuda:1");
        row("workers", "cuda:0/0 cuda:0/1 cuda:1/0 cuda:1/1", "0 0 1 1",
            "cuda:0/0 cuda:0/1 cuda:0/0 cuda:0/1");
        row("workers of one number on two hosts", "cuda:0/0 cuda:0/1", "0 1", "cuda:0/0 cuda:0/1");
        row("beside processors", "cpu:0 cuda:0 cpu:1 cuda:1", "0 0 1 1",
            "cpu:0 cuda:0 cpu:0 cuda:0");
        row("each backend for itself", "cuda:0 hip:0 cuda:1 hip:5", "0 0 1 1",
            "cuda:0 hip:0 cuda:0 hip:0");
        row("one host has none", "cpu:0 cuda:0 cuda:1", "0 1 1", "cpu:0 cuda:0 cuda:1");
        row("no name of a chip", "cuda cuda:x", "0 1", "cuda cuda:x");
    }
    void areCountedFromTheFirstOfEachHost() {
        QFETCH(const QString, devices);
        QFETCH(const QString, hosts);
        QFETCH(const QString, local);
        std::vector<std::int64_t> counted;
        for (const std::string& host : wordsOf(hosts)) {
            counted.push_back(std::stoll(host));
        }
        QCOMPARE(localNames(wordsOf(devices), counted), wordsOf(local));
    }

    /// Those of a host count together, unless each is bound to chips of its own.
    void processesCountWhatTheySee() {
        QCOMPARE(seenBy("a b", "one"), seenBy("a b", "one"));
        QCOMPARE(seenBy("a b", "one"), seenBy("a b", "a container of it"));
        QVERIFY(seenBy("a b", "one") != seenBy("c d", "two"));
        QVERIFY(seenBy("a", "one") != seenBy("b", "one"));
        QVERIFY(seenBy("", "one") != seenBy("", "two"));
        QCOMPARE(seenBy("", "one"), visibleChipsHash({}, "one"));
    }

    void areHeardOfAllRanks() {
        Registry registry;
        registry.backends.add(seeing("a"));
        RunParticipant party{.rank = 1, .ranks = 2, .host = "one"};
        party.links.places = {{0, 0}, {1, 0}};
        const auto namesWhere = [&](std::int64_t other) {
            party.gatherNumbers = [other](std::int64_t mine) { return std::vector{other, mine}; };
            return localNames({.registry = &registry,
                               .devices = {"cuda:0", "cuda:1"},
                               .local = {1},
                               .party = &party});
        };
        const std::vector<std::string> bound{"cuda:0", "cuda:0"};
        const std::vector<std::string> named{"cuda:0", "cuda:1"};
        QCOMPARE(namesWhere(seenBy("b", "one")), bound);
        QCOMPARE(namesWhere(seenBy("a", "one")), named);
        party.gatherNumbers = {};
        QCOMPARE(localNames({.registry = &registry, .devices = named, .party = &party}), named);
    }
};

std::unique_ptr<QObject> makeTestLocalNames() { return std::make_unique<TestLocalNames>(); }
#include "tst_local_names.moc"
