// SPDX-License-Identifier: Apache-2.0
#include "base/process/steady_clock.h"
#include "comm/host/host_hub.h"
#include "comm/host/host_link.h"
#include "support/test_main.h"

#include <QTest>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>

using namespace weft;
using std::chrono::milliseconds;

namespace {

constexpr int patience = 30'000; // milliseconds, for what takes some

/// The messages that one rank has received.
struct Heard {
    std::atomic<int> failures = 0;
    std::atomic<int> stops = 0;
};

/// The cause that a link was told of; outlives it.
class Told {
public:
    [[nodiscard]] std::function<void(const HostCause&)> hook() {
        return [this](const HostCause& cause) {
            const std::scoped_lock lock(mutex_);
            cause_ = cause;
            ++times_;
        };
    }
    [[nodiscard]] std::optional<HostCause> cause() const {
        const std::scoped_lock lock(mutex_);
        return cause_;
    }
    [[nodiscard]] int times() const {
        const std::scoped_lock lock(mutex_);
        return times_;
    }

private:
    mutable std::mutex mutex_;
    std::optional<HostCause> cause_;
    int times_ = 0;
};

} // namespace

class TestHostChannel : public QObject {
    Q_OBJECT

private:
    Secret secret_ = drawSecret();
    std::unique_ptr<HostHub> hub_;

    void open(int ranks, milliseconds limit = milliseconds(60'000)) {
        hub_ = std::make_unique<HostHub>(
            HubSettings{.ranks = ranks, .secret = secret_, .limit = limit});
    }

    [[nodiscard]] LinkSettings settingsOf(int rank,
                                          milliseconds limit = milliseconds(60'000)) const {
        return {.address = hub_->address(),
                .secret = secret_,
                .identity = {rank, "here", "one"},
                .ranks = 2,
                .limit = limit};
    }

    [[nodiscard]] std::unique_ptr<HostLink> join(int rank, LinkHooks hooks = {},
                                                 const QString& clock = "one") const {
        LinkSettings settings = settingsOf(rank);
        settings.identity.clock = clock.toStdString();
        return std::make_unique<HostLink>(std::move(settings), std::move(hooks));
    }

    static Error anError(int rank) {
        return {ErrorCode::file, Where{.rank = rank, .host = "here"}, "the disk is full",
                "free some"};
    }

private Q_SLOTS:
    void cleanup() { hub_.reset(); }

    void knowsWhoHasJoined() {
        open(2);
        const auto first = join(0);
        const auto second = join(1);
        QTRY_COMPARE_WITH_TIMEOUT(hub_->joined().size(), std::size_t{2}, patience);
        QTRY_COMPARE_WITH_TIMEOUT(hub_->joined()[1], (RankIdentity{1, "here", "one"}), patience);
        QCOMPARE(hub_->present(), (std::vector<int>{0, 1}));
    }

    void turnsStrangersAway() {
        open(2);
        LinkSettings stranger = settingsOf(0);
        stranger.secret = drawSecret();
        QVERIFY_THROWS_EXCEPTION(Error, HostLink(stranger, {}));
        const auto first = join(0);
        // A rank's place is taken once.
        QVERIFY_THROWS_EXCEPTION(Error, HostLink(settingsOf(0), {}));
        QVERIFY_THROWS_EXCEPTION(Error, HostLink(settingsOf(2), {}));
        QCOMPARE(hub_->joined().size(), std::size_t{1});
    }

    void namesADeadRankAndWhereItIsMissed() {
        open(2);
        RankActivity stand{.waits = true,
                           .layer = "conv1",
                           .op = "gradients 1 (all-reduce)",
                           .arrived = {"cpu:0"},
                           .missing = {"cpu:1"}};
        Told told;
        const auto first = join(0, {.stand = [&] { return stand; }, .onFailure = told.hook()});
        auto second = join(1);
        first->sendFolder("runs/one");
        second.reset();
        QTRY_VERIFY_WITH_TIMEOUT(told.cause().has_value(), patience);
        const HostCause cause = *told.cause();
        QCOMPARE(cause.error.code(), ErrorCode::peer);
        QCOMPARE(cause.error.where().rank, 1);
        QCOMPARE(cause.error.where().host, std::string("here"));
        QCOMPARE(cause.error.where().layer, std::string("conv1"));
        QCOMPARE(cause.error.where().op, std::string("gradients 1 (all-reduce)"));
        const QString what = cause.error.what();
        QVERIFY2(what.contains("rank 0 was waiting at this point, arrived: cpu:0, missing: cpu:1"),
                 qPrintable(what));
        QVERIFY2(what.contains("weft resume runs/one"), qPrintable(what));
        QCOMPARE(cause.alive, std::vector<int>{0});
        QTRY_COMPARE_WITH_TIMEOUT(told.times(), 1, patience);
    }

    void namesADeadRankThoughNobodyWaitsForIt() {
        open(2);
        Told told;
        const auto first = join(0, {.onFailure = told.hook()});
        join(1).reset();
        QTRY_VERIFY_WITH_TIMEOUT(told.cause().has_value(), patience);
        QCOMPARE(told.cause()->error.where().rank, 1);
    }

    void aSilentRankIsGivenUp() {
        constexpr milliseconds limit{400};
        open(2, limit);
        Told toldFirst;
        Told toldSecond;
        const auto first = std::make_unique<HostLink>(settingsOf(0, limit),
                                                      LinkHooks{.onFailure = toldFirst.hook()});
        // Its thread stands still, as that of a stopped process does.
        std::mutex held;
        std::unique_lock stop(held);
        auto second = std::make_unique<HostLink>(
            settingsOf(1, limit), LinkHooks{.onFailure = toldSecond.hook(),
                                            .onLook = [&] { const std::scoped_lock wait(held); }});
        QTRY_VERIFY_WITH_TIMEOUT(toldFirst.cause().has_value(), patience);
        QCOMPARE(toldFirst.cause()->error.where().rank, 1);
        QVERIFY(QString(toldFirst.cause()->error.what()).contains("no message for"));
        // Once it goes on it hears what became of the run.
        stop.unlock();
        QTRY_VERIFY_WITH_TIMEOUT(toldSecond.cause().has_value(), patience);
    }

    void theFirstFailureIsThatOfAll() {
        open(2);
        const auto first = join(0);
        const auto second = join(1);
        const HostCause one = first->settle(anError(0));
        const HostCause two = second->settle(anError(1));
        QCOMPARE(one.error.where().rank, 0);
        QCOMPARE(two.error.where().rank, 0);
        QCOMPARE(QString(one.error.what()), QString(two.error.what()));
        QCOMPARE(one.alive, (std::vector<int>{0, 1}));
        QCOMPARE(one.speaker(), 0);
    }

    void equalPlansAreAgreedOn() {
        open(2);
        const auto first = join(0);
        const auto second = join(1);
        auto other =
            std::async(std::launch::async, [&] { second->agree(17, std::chrono::seconds(30)); });
        first->agree(17, std::chrono::seconds(30));
        other.get();
        QVERIFY(!hub_->cause());
    }

    void anotherPlanIsNamed() {
        open(2);
        const auto first = join(0);
        const auto second = join(1);
        auto other = std::async(std::launch::async, [&] {
            try {
                second->agree(18, std::chrono::seconds(30));
            } catch (const Error& error) {
                return error.where().rank;
            }
            return -1;
        });
        QVERIFY_THROWS_EXCEPTION(Error, first->agree(17, std::chrono::seconds(30)));
        QCOMPARE(other.get(), 1);
    }

    /// The clocks are one in truth, and the ranks say otherwise.
    void clocksOfOtherNamesAreMeasured_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        const QString here = QString::fromStdString(steadyClockName());
        QTest::newRow("rank 0 reads the hub's") << here << "there";
        QTest::newRow("rank 1 reads the hub's") << "there" << here;
        QTest::newRow("neither does") << "there"
                                      << "elsewhere";
        QTest::newRow("nobody knows") << ""
                                      << "";
    }
    void clocksOfOtherNamesAreMeasured() {
        QFETCH(const QString, first);
        QFETCH(const QString, second);
        open(2);
        const auto one = join(0, {}, first);
        const auto two = join(1, {}, second);
        const auto measure = two->awaitClock(std::chrono::seconds(30));
        QVERIFY(measure.has_value());
        QVERIFY(std::abs(measure->offset) <= measure->error);
        QVERIFY(measure->error < 10'000'000'000);
        QVERIFY(!one->newClock().has_value());
    }

    void whoReadsTheClockOfRankZeroIsNotAsked() {
        open(3);
        const auto first = join(0, {}, "one");
        const auto second = join(1, {}, "one");
        // Once this one is told, the other would have been.
        const auto third = join(2, {}, "another");
        QVERIFY(third->awaitClock(std::chrono::seconds(30)).has_value());
        QVERIFY(!second->newClock().has_value());
    }

    void aFarewellIsNoFailure() {
        open(2);
        const auto first = join(0);
        auto second = join(1);
        second->farewell();
        second.reset();
        QTRY_VERIFY_WITH_TIMEOUT(hub_->hasLeft(1), patience);
        QCOMPARE(hub_->present(), std::vector<int>{0});
        QVERIFY(!hub_->cause());
    }

    void aStopReachesEveryRank() {
        open(2);
        Heard one;
        Heard two;
        const auto first = join(0, {.onStop = [&] { ++one.stops; }});
        const auto second = join(1, {.onStop = [&] { ++two.stops; }});
        QTRY_COMPARE_WITH_TIMEOUT(hub_->present().size(), std::size_t{2}, patience);
        hub_->stop();
        QTRY_COMPARE_WITH_TIMEOUT(one.stops.load(), 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(two.stops.load(), 1, patience);
    }

    void theEndOfTheHubIsNoFailureWhenItSaysFarewell() {
        open(2);
        Heard heard;
        auto first = join(0, {.onFailure = [&](const HostCause&) { ++heard.failures; }});
        QTRY_COMPARE_WITH_TIMEOUT(hub_->present().size(), std::size_t{1}, patience);
        hub_.reset();
        // Whatever the link heard at the end it heard before it is gone.
        first.reset();
        QCOMPARE(heard.failures.load(), 0);
    }
};

std::unique_ptr<QObject> makeTestHostChannel() { return std::make_unique<TestHostChannel>(); }
#include "tst_host_channel.moc"
