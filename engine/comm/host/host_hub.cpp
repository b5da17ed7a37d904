// SPDX-License-Identifier: Apache-2.0
#include "comm/host/host_hub.h"

#include "base/failure_text.h"
#include "base/process/steady_clock.h"
#include "base/process/threads.h"
#include "comm/host/clock_probe.h"
#include "comm/host/host_address.h"
#include "comm/host/host_stream.h"
#include "comm/host/host_words.h"
#include "comm/host/waker.h"
#include "device/backend.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace weft {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// A connection that is not authenticated yet.
struct Guest {
    HostStream stream;
    std::string drawn;
    Clock::time_point since;
};

struct Seat {
    HostStream stream = {};
    RankIdentity identity = {};
    Clock::time_point heard = {};
    std::string fingerprint = {};
    ClockProbe probe = {};
    bool isNamed = false; ///< the rank has sent its identity
    bool hasJoined = false;
    bool hasLeft = false; ///< the rank has said farewell
    bool isLost = false;
    [[nodiscard]] bool isPresent() const { return hasJoined && !hasLeft && !isLost; }
};

constexpr std::size_t longestOfGuests = 256;
constexpr std::size_t longestOfRanks = std::size_t{64} << 10U;
constexpr milliseconds guestLimit{5000};

/// The loss of a rank, while the other ranks are asked where they wait for it: the message names
/// the waiting collective and the members that had arrived. The first rank that answers with a wait
/// is the witness.
class RankLoss { ///< a lost rank, and what other ranks say about it
public:
    RankLoss(RankIdentity rank, std::string what);

    void addAnswer(int rank, RankActivity stand); ///< what another rank does or waits for
    /// Adds a further lost rank before the first loss was reported.
    void addLostRank(const RankIdentity& rank);
    /// True if a witness has answered or none will: all other ranks have answered, or half a second
    /// has passed.
    [[nodiscard]] bool isSettled(const std::vector<int>& present) const;
    /// Returns the error that names the lost ranks and the wait of the witness. `folder` is that of
    /// the run; empty if nothing is kept.
    [[nodiscard]] Error cause(const std::string& folder) const;

private:
    RankIdentity rank_;                  ///< the first lost rank
    std::string problem_;                ///< how it was lost
    std::vector<RankIdentity> alsoLost_; ///< ranks lost after it
    std::vector<int> answered_;          ///< ranks that have said what they wait for
    std::optional<std::pair<int, RankActivity>> witness_; ///< first rank that waits for it
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

RankLoss::RankLoss(RankIdentity rank, std::string what)
    : rank_(std::move(rank)), problem_(std::move(what)) {}

void RankLoss::addAnswer(int rank, RankActivity stand) {
    answered_.push_back(rank);
    if (stand.waits && !witness_) {
        witness_.emplace(rank, std::move(stand));
    }
}

void RankLoss::addLostRank(const RankIdentity& rank) { alsoLost_.push_back(rank); }

bool RankLoss::isSettled(const std::vector<int>& present) const {
    constexpr std::chrono::milliseconds longest{500};
    const auto hasAnswered = [&](int rank) {
        return std::ranges::find(answered_, rank) != answered_.end();
    };
    return witness_ || std::ranges::all_of(present, hasAnswered) ||
           std::chrono::steady_clock::now() - since_ > longest;
}

Error RankLoss::cause(const std::string& folder) const {
    Where where{.rank = rank_.rank, .host = rank_.host};
    std::string what = problem_;
    if (witness_) {
        const auto& [rank, stand] = *witness_;
        where.layer = stand.layer;
        where.op = stand.op;
        what += fmt::format("; rank {} was waiting at this point", rank);
        if (!stand.arrived.empty()) {
            what += ", arrived: " + listed(stand.arrived);
        }
        if (!stand.missing.empty()) {
            what += ", missing: " + listed(stand.missing);
        }
    }
    for (const RankIdentity& other : alsoLost_) {
        what += fmt::format("; rank {} ({}) was lost too", other.rank, other.host);
    }
    return {ErrorCode::peer, std::move(where), std::move(what),
            folder.empty() ? "see why the rank ended, and start the run again"
                           : "weft resume " + folder + " continues from the last checkpoint"};
}

} // namespace

struct HostHub::State {
    HubSettings settings;
    RankIdentity me{.clock = steadyClockName()};
    HostListener door;
    Waker waker;
    SuspensionDetector sleep;
    std::vector<Guest> guests;
    Clock::time_point firstJoin = {};
    Clock::time_point lastBeat = {};
    std::optional<RankLoss> loss;

    mutable std::mutex mutex; ///< guards the members below
    std::string folder;
    std::vector<Seat> seats;
    std::optional<HostCause> cause;
    std::optional<Error> asked;
    bool stops = false;
    bool hasStopped = false;
    std::jthread thread;

    explicit State(HubSettings given)
        : settings(std::move(given)), door(openHostListener(settings.isAcrossHosts)) {
        seats.resize(static_cast<std::size_t>(settings.ranks));
    }

    [[nodiscard]] milliseconds beatEvery() const {
        return std::clamp(settings.limit / 5, milliseconds(20), milliseconds(1000));
    }

    void run(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            listen();
            const std::scoped_lock lock(mutex);
            admitGuests();
            hearRanks();
            judge();
            beat();
            askClocks();
        }
        const std::scoped_lock lock(mutex);
        sendToAll(HostMessageKind::farewell, {});
    }

    /// Sleeps until a message arrives or the next check is due.
    void listen() {
        std::vector<pollfd> looks;
        const auto add = [&](int descriptor, bool writes) {
            looks.push_back(
                {descriptor, static_cast<short>(writes ? POLLIN | POLLOUT : POLLIN), 0});
        };
        {
            const std::scoped_lock lock(mutex);
            add(waker.descriptor(), false);
            for (const FileHandle& socket : door.sockets) {
                add(socket.get(), false);
            }
            for (const Guest& guest : guests) {
                add(guest.stream.descriptor(), guest.stream.wantsToWrite());
            }
            for (const Seat& seat : seats) {
                if (seat.stream.isOpen()) {
                    add(seat.stream.descriptor(), seat.stream.wantsToWrite());
                }
            }
        }
        constexpr int often = 20;
        const auto wait = loss ? milliseconds(often) : beatEvery() / 2;
        ::poll(looks.data(), looks.size(), static_cast<int>(wait.count()));
        waker.clear();
    }

    void admitGuests() {
        for (const FileHandle& socket : door.sockets) {
            for (FileHandle guest = acceptFrom(socket.get()); guest.isOpen();
                 guest = acceptFrom(socket.get())) {
                guests.push_back({HostStream(std::move(guest), longestOfGuests),
                                  textOf(drawSecret()), Clock::now()});
                guests.back().stream.send(HostMessageKind::challenge, guests.back().drawn);
            }
        }
        std::erase_if(guests, [this](Guest& guest) {
            std::vector<HostMessage> said;
            const bool isThere = guest.stream.write() && guest.stream.read(said);
            if (!said.empty()) {
                admit(guest, said);
                return true;
            }
            return !isThere || Clock::now() - guest.since > guestLimit;
        });
    }

    /// Parses "3 <challenge> <proof>", and takes the identity that follows.
    void admit(Guest& guest, const std::vector<HostMessage>& said) {
        const std::string& text = said.front().text;
        const auto first = text.find(' ');
        const auto second = text.find(' ', first + 1);
        if (said.front().kind != HostMessageKind::proof || second == std::string::npos) {
            return;
        }
        const std::string drawn = text.substr(first + 1, second - first - 1);
        if (text.substr(second + 1) !=
            proofOf(settings.secret, "rank " + text.substr(0, first) + guest.drawn + drawn)) {
            return;
        }
        const int rank = std::atoi(text.c_str());
        if (rank < 0 || rank >= settings.ranks || seats[static_cast<std::size_t>(rank)].hasJoined) {
            return;
        }
        Seat& seat = seats[static_cast<std::size_t>(rank)];
        seat.stream = std::move(guest.stream);
        seat.stream.setMaxTextBytes(longestOfRanks);
        seat.stream.send(HostMessageKind::welcome,
                         proofOf(settings.secret, "hub" + drawn + guest.drawn));
        seat.hasJoined = true;
        seat.heard = Clock::now();
        seat.identity.rank = rank;
        firstJoin = firstJoin == Clock::time_point() ? seat.heard : firstJoin;
        for (std::size_t k = 1; k < said.size(); ++k) {
            hear(seat, said[k]);
        }
        if (cause) {
            seat.stream.send(HostMessageKind::failure, textOf(*cause));
        }
        if (hasStopped) {
            seat.stream.send(HostMessageKind::stop, {});
        }
    }

    void hearRanks() {
        const auto now = Clock::now();
        std::vector<HostMessage> said;
        for (Seat& seat : seats) {
            if (!seat.stream.isOpen()) {
                continue;
            }
            said.clear();
            const bool isThere = seat.stream.read(said) && seat.stream.write();
            for (const HostMessage& message : said) {
                seat.heard = now;
                hear(seat, message);
            }
            if (!isThere) {
                seat.stream.close();
                if (seat.isPresent()) {
                    lose(seat, "the process of this rank died");
                }
            }
        }
    }

    void hear(Seat& seat, const HostMessage& message) {
        switch (message.kind) {
        case HostMessageKind::identity: {
            const int rank = seat.identity.rank;
            seat.identity = identityFrom(message.text);
            seat.identity.rank = rank;
            seat.isNamed = true;
            break;
        }
        case HostMessageKind::fingerprint:
            seat.fingerprint = message.text;
            compare();
            break;
        case HostMessageKind::folder: folder = message.text; break;
        case HostMessageKind::stand:
            if (loss) {
                loss->addAnswer(seat.identity.rank, activityFrom(message.text));
            }
            break;
        case HostMessageKind::time:
            if (seat.probe.takeAnswer(message.text, nowNanoseconds())) {
                sendClocks(seat);
            }
            break;
        case HostMessageKind::failure: settle(failureFrom(message.text)); break;
        case HostMessageKind::farewell: seat.hasLeft = true; break;
        default: break; // other messages, such as heartbeats, only show that the rank lives
        }
    }

    /// True for a rank whose clock is not rank 0's.
    [[nodiscard]] bool isElsewhere(const Seat& seat) const {
        const Seat& first = seats.front();
        return &seat != &first && first.isNamed && seat.isNamed && seat.isPresent() &&
               !seat.identity.sharesClockWith(first.identity);
    }

    /// Asks for clocks, if any rank's clock differs from rank 0's.
    void askClocks() {
        const auto ask = [this](Seat& seat) {
            const bool isMine = seat.identity.sharesClockWith(me);
            if (const auto question =
                    isMine ? std::nullopt : seat.probe.nextQuestion(nowNanoseconds())) {
                seat.stream.send(HostMessageKind::askTime, *question);
            }
        };
        bool isAnyElsewhere = false;
        for (Seat& seat : seats) {
            if (isElsewhere(seat)) {
                isAnyElsewhere = true;
                ask(seat);
            }
        }
        if (isAnyElsewhere) {
            ask(seats.front());
        }
    }

    [[nodiscard]] std::optional<ClockMeasure> toMine(const Seat& seat) const {
        return seat.identity.sharesClockWith(me) ? ClockMeasure{} : seat.probe.measure();
    }

    /// Sends a new measure to the ranks that it concerns: the measured rank, or all others if it is
    /// rank 0.
    void sendClocks(const Seat& measured) {
        const auto first = toMine(seats.front());
        for (Seat& seat : seats) {
            const auto other = toMine(seat);
            const bool isConcerned = &seat == &measured || &measured == &seats.front();
            if (first && other && isConcerned && isElsewhere(seat)) {
                seat.stream.send(HostMessageKind::clock,
                                 textOf(ClockMeasure{.offset = other->offset - first->offset,
                                                     .error = other->error + first->error}));
            }
        }
    }

    /// Once all ranks have reported their plans: announces that they are equal, or ends the run
    /// because of the first that differs.
    void compare() {
        const auto isSilent = [](const Seat& seat) { return seat.fingerprint.empty(); };
        if (std::ranges::any_of(seats, isSilent)) {
            return;
        }
        const auto other = std::ranges::find_if(
            seats, [&](const Seat& seat) { return seat.fingerprint != seats.front().fingerprint; });
        if (other == seats.end()) {
            sendToAll(HostMessageKind::agreed, {});
            return;
        }
        settle(Error(ErrorCode::peer,
                     Where{.rank = other->identity.rank, .host = other->identity.host},
                     "the plan of this rank differs from that of rank 0",
                     "give all ranks the same design and version of Weft"));
    }

    void lose(Seat& seat, std::string what) {
        seat.isLost = true;
        if (cause) {
            return;
        }
        if (!loss) {
            loss.emplace(seat.identity, std::move(what));
            sendToAll(HostMessageKind::where, {});
        } else {
            loss->addLostRank(seat.identity);
        }
    }

    void judge() {
        const auto now = Clock::now();
        if (sleep.wasSuspended(now, settings.limit / 2)) {
            for (Seat& seat : seats) {
                seat.heard = now;
            }
        }
        for (Seat& seat : seats) {
            if (seat.isPresent() && now - seat.heard > settings.limit) {
                lose(
                    seat,
                    fmt::format(
                        "no message for {:.3g} s: the rank is stopped, or its host is disconnected",
                        static_cast<double>(settings.limit.count()) / 1000));
            }
        }
        const auto missing = std::ranges::find(seats, false, &Seat::hasJoined);
        if (firstJoin != Clock::time_point() && missing != seats.end() &&
            now - firstJoin > settings.joinLimit) {
            settle(Error(ErrorCode::peer, Where{.rank = static_cast<int>(missing - seats.begin())},
                         "this rank never connected",
                         "look for its error in the output of mpirun, and start the run again"));
        }
        if (loss && loss->isSettled(presentRanks())) {
            settle(loss->cause(folder));
        }
        if (asked) {
            settle(*asked);
        }
        if (stops && !hasStopped) {
            hasStopped = true;
            sendToAll(HostMessageKind::stop, {});
        }
    }

    void settle(const Error& error) {
        if (cause) {
            return;
        }
        cause = HostCause{error, presentRanks()};
        sendToAll(HostMessageKind::failure, textOf(*cause));
    }

    void beat() {
        const auto now = Clock::now();
        if (now - lastBeat >= beatEvery()) {
            lastBeat = now;
            sendToAll(HostMessageKind::beat, {});
        }
    }

    void sendToAll(HostMessageKind kind, std::string_view text) {
        for (Seat& seat : seats) {
            seat.stream.send(kind, text);
        }
    }

    [[nodiscard]] std::vector<int> presentRanks() const {
        std::vector<int> ranks;
        for (std::size_t k = 0; k < seats.size(); ++k) {
            if (seats[k].isPresent()) {
                ranks.push_back(static_cast<int>(k));
            }
        }
        return ranks;
    }
};

HostHub::HostHub(HubSettings settings) : state_(std::make_unique<State>(std::move(settings))) {
    state_->thread = startThread(
        "host hub", [state = state_.get()](const std::stop_token& stop) { state->run(stop); });
}

HostHub::~HostHub() {
    state_->thread.request_stop();
    state_->waker.wake();
}

const std::string& HostHub::address() const { return state_->door.address; }

void HostHub::stop() {
    const std::scoped_lock lock(state_->mutex);
    state_->stops = true;
    state_->waker.wake();
}

void HostHub::fail(const Error& error) {
    const std::scoped_lock lock(state_->mutex);
    state_->asked = error;
    state_->waker.wake();
}

std::optional<HostCause> HostHub::cause() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->cause;
}

std::vector<RankIdentity> HostHub::joined() const {
    const std::scoped_lock lock(state_->mutex);
    std::vector<RankIdentity> all;
    for (const Seat& seat : state_->seats) {
        if (seat.hasJoined) {
            all.push_back(seat.identity);
        }
    }
    return all;
}

std::vector<int> HostHub::present() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->presentRanks();
}

std::string HostHub::folder() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->folder;
}

bool HostHub::hasLeft(int rank) const {
    const std::scoped_lock lock(state_->mutex);
    return rank >= 0 && rank < state_->settings.ranks &&
           state_->seats[static_cast<std::size_t>(rank)].hasLeft;
}

} // namespace weft
