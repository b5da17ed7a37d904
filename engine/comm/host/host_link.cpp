// SPDX-License-Identifier: Apache-2.0
#include "comm/host/host_link.h"

#include "base/failure_text.h"
#include "base/process/threads.h"
#include "base/process/waiting.h"
#include "comm/host/host_address.h"
#include "comm/host/host_stream.h"
#include "comm/host/waker.h"
#include "device/backend.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace weft {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds connectLimit{30'000};
/// How long a rank that is asked what it waits for may continue to its next wait before it answers.
constexpr milliseconds patience{250};
/// A wait must last this long to count as waiting for a missing rank, since messages may still be
/// in transit.
constexpr milliseconds firmness{40};

[[noreturn]] void refuse(const std::string& why) {
    throw Error(ErrorCode::peer, {}, "the host channel of the run " + why,
                "start the ranks of a run with one mpirun or with weft run --ranks");
}

/// Receives a message before the link's thread exists.
HostMessage awaitMessage(HostStream& stream, const Deadline& deadline) {
    std::vector<HostMessage> said;
    while (said.empty()) {
        pollfd look{stream.descriptor(), POLLIN, 0};
        const auto left = std::chrono::duration_cast<milliseconds>(deadline.left());
        if (deadline.hasPassed()) {
            refuse("the launcher does not answer");
        }
        ::poll(&look, 1, static_cast<int>(left.count()) + 1);
        if (!stream.read(said) && said.empty()) {
            refuse("the launcher refused the connection: the rank is connected already, or does "
                   "not belong to this run");
        }
    }
    return said.front();
}

} // namespace

struct HostLink::State {
    LinkSettings settings;
    LinkHooks hooks;
    Waker waker;
    HostStream stream;
    SuspensionDetector sleep;
    Clock::time_point heard = Clock::now();
    Clock::time_point lastBeat = {};
    /// When the hub asked what this rank waits for; none once answered.
    std::optional<Clock::time_point> asked;
    RankActivity stood = {}; ///< at the last check; unchanged since `stoodSince`
    Clock::time_point stoodSince = {};

    mutable std::mutex mutex; ///< guards the members below
    std::condition_variable changed;
    std::vector<HostMessage> out;
    std::optional<HostCause> cause;
    std::optional<ClockMeasure> clock; ///< last measure that the owner has not taken yet
    bool hasAgreed = false;
    bool isOver = false; ///< this rank or the hub has said farewell
    std::jthread thread;

    State(LinkSettings given, LinkHooks hooked)
        : settings(std::move(given)),
          hooks(std::move(hooked)),
          stream(connectTo(settings.address, connectLimit)) {
        prove();
    }

    void prove() {
        const Deadline deadline(connectLimit);
        const HostMessage challenge = awaitMessage(stream, deadline);
        const std::string drawn = textOf(drawSecret());
        const std::string rank = std::to_string(settings.identity.rank);
        stream.send(HostMessageKind::proof,
                    rank + " " + drawn + " " +
                        proofOf(settings.secret, "rank " + rank + challenge.text + drawn));
        const HostMessage welcome = awaitMessage(stream, deadline);
        if (welcome.kind != HostMessageKind::welcome ||
            welcome.text != proofOf(settings.secret, "hub" + drawn + challenge.text)) {
            refuse("the process at this address does not know the secret of the run");
        }
        stream.send(HostMessageKind::identity, textOf(settings.identity));
    }

    [[nodiscard]] milliseconds beatEvery() const {
        return std::clamp(settings.limit / 5, milliseconds(20), milliseconds(1000));
    }

    void say(HostMessageKind kind, std::string text) {
        out.push_back({kind, std::move(text)});
        waker.wake();
    }

    void run(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            pollfd looks[] = {
                {waker.descriptor(), POLLIN, 0},
                {stream.descriptor(),
                 static_cast<short>(stream.wantsToWrite() ? POLLIN | POLLOUT : POLLIN), 0}};
            const auto wait = std::min(beatEvery() / 2, milliseconds(asked ? 5 : 200));
            ::poll(looks, stream.isOpen() ? 2 : 1, static_cast<int>(wait.count()));
            waker.clear();
            hear();
            speak();
            if (hooks.onLook) {
                hooks.onLook();
            }
        }
        speak();
    }

    void hear() {
        std::vector<HostMessage> said;
        const bool isThere = !stream.isOpen() || (stream.read(said) && stream.write());
        const auto now = Clock::now();
        if (!said.empty() || sleep.wasSuspended(now, settings.limit / 2)) {
            heard = now;
        }
        for (const HostMessage& message : said) {
            take(message);
        }
        if (!isThere) {
            stream.close();
            lose("the process died");
        } else if (stream.isOpen() && now - heard > settings.limit) {
            lose(fmt::format(
                "no message for {:.3g} s: the process is stopped, or its host is disconnected",
                static_cast<double>(settings.limit.count()) / 1000));
        }
    }

    void take(const HostMessage& message) {
        switch (message.kind) {
        case HostMessageKind::agreed: {
            const std::scoped_lock lock(mutex);
            hasAgreed = true;
            changed.notify_all();
            break;
        }
        case HostMessageKind::askTime:
            stream.send(HostMessageKind::time, ClockProbe::answer(message.text, nowNanoseconds()));
            break;
        case HostMessageKind::clock:
            if (const auto measure = clockMeasureFrom(message.text)) {
                const std::scoped_lock lock(mutex);
                clock = measure;
                changed.notify_all();
            }
            break;
        case HostMessageKind::where: asked = Clock::now(); break;
        case HostMessageKind::failure: fail(causeFrom(message.text)); break;
        case HostMessageKind::stop:
            if (hooks.onStop) {
                hooks.onStop();
            }
            break;
        case HostMessageKind::farewell: {
            const std::scoped_lock lock(mutex);
            isOver = true;
            break;
        }
        default: break;
        }
    }

    void speak() {
        std::vector<HostMessage> now;
        {
            const std::scoped_lock lock(mutex);
            now.swap(out);
        }
        for (const HostMessage& message : now) {
            stream.send(message.kind, message.text);
        }
        answer();
        if (Clock::now() - lastBeat >= beatEvery()) {
            lastBeat = Clock::now();
            stream.send(HostMessageKind::beat);
        }
    }

    void answer() {
        if (!asked) {
            return;
        }
        RankActivity stand = hooks.stand ? hooks.stand() : RankActivity{};
        const auto now = Clock::now();
        if (stand != stood) {
            stood = std::move(stand);
            stoodSince = now;
        }
        if ((stood.waits && now - stoodSince > firmness) || now - *asked > patience) {
            stream.send(HostMessageKind::stand, textOf(stood));
            asked.reset();
        }
    }

    /// Handles the loss of the hub: nothing is left that could decide which failure was first.
    void lose(const std::string& what) {
        {
            const std::scoped_lock lock(mutex);
            if (isOver || cause) {
                return;
            }
        }
        const RankActivity stand = hooks.stand ? hooks.stand() : RankActivity{};
        Where where{.rank = settings.hubOwner.rank, .host = settings.hubOwner.host};
        if (stand.waits) {
            where.layer = stand.layer;
            where.op = stand.op;
        }
        std::vector<int> alive;
        for (int rank = 0; rank < settings.ranks; ++rank) {
            if (rank != settings.hubOwner.rank) {
                alive.push_back(rank);
            }
        }
        fail({Error(ErrorCode::peer, std::move(where),
                    (settings.hubOwner.rank < 0 ? "the launcher: " : "") + what,
                    "weft resume continues from the last checkpoint"),
              std::move(alive)});
    }

    void fail(const HostCause& first) {
        {
            const std::scoped_lock lock(mutex);
            if (cause || isOver) {
                return;
            }
            cause = first;
            changed.notify_all();
        }
        if (hooks.onFailure) {
            hooks.onFailure(first);
        }
    }
};

HostLink::HostLink(LinkSettings settings, LinkHooks hooks)
    : state_(std::make_unique<State>(std::move(settings), std::move(hooks))) {
    state_->thread = startThread(
        "host link", [state = state_.get()](const std::stop_token& stop) { state->run(stop); });
}

HostLink::~HostLink() {
    state_->thread.request_stop();
    state_->waker.wake();
    state_->thread.join();
}

void HostLink::agree(std::uint64_t fingerprint, std::chrono::seconds limit) {
    std::unique_lock lock(state_->mutex);
    state_->say(HostMessageKind::fingerprint, fmt::format("{:016x}", fingerprint));
    waitFor(state_->changed, lock, limit, "all ranks to agree on the plan",
            [&] { return state_->hasAgreed || state_->cause; });
    if (state_->cause) {
        throw state_->cause->error;
    }
}

void HostLink::sendFolder(const std::string& folder) {
    const std::scoped_lock lock(state_->mutex);
    state_->say(HostMessageKind::folder, folder);
}

std::optional<ClockMeasure> HostLink::awaitClock(std::chrono::seconds limit) {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait_for(lock, limit, [&] { return state_->clock || state_->cause; });
    return std::exchange(state_->clock, std::nullopt);
}

std::optional<ClockMeasure> HostLink::newClock() {
    const std::scoped_lock lock(state_->mutex);
    return std::exchange(state_->clock, std::nullopt);
}

void HostLink::reportFailure(const Error& mine) {
    const std::scoped_lock lock(state_->mutex);
    state_->say(HostMessageKind::failure, failureText(mine));
}

HostCause HostLink::settle(const Error& mine) {
    constexpr std::chrono::seconds limit{2};
    std::unique_lock lock(state_->mutex);
    if (!state_->cause) {
        state_->say(HostMessageKind::failure, failureText(mine));
        state_->changed.wait_for(lock, limit, [&] { return state_->cause.has_value(); });
    }
    return state_->cause ? *state_->cause : HostCause{mine, {state_->settings.identity.rank}};
}

void HostLink::farewell() {
    const std::scoped_lock lock(state_->mutex);
    state_->isOver = true;
    state_->say(HostMessageKind::farewell, {});
}

} // namespace weft
