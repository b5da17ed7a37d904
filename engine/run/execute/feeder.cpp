// SPDX-License-Identifier: Apache-2.0
#include "run/execute/feeder.h"

#include "compile/check_feeds.h"
#include "data/prefetch.h"
#include "run/execute/bring_ahead.h"
#include "run/execute/worker_pool.h"
#include "schedule/feeds_ahead.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace weft {

namespace {

template <class From, class To>
void convertAs(const std::byte* source, std::byte* target, std::int64_t count) {
    const auto* x = reinterpret_cast<const From*>(source);
    auto* y = reinterpret_cast<To*>(target);
    for (std::int64_t k = 0; k < count; ++k) {
        y[k] = static_cast<To>(x[k]);
    }
}

template <class From>
void convertTo(DType to, const std::byte* source, std::byte* target, std::int64_t count) {
    switch (to) {
    case DType::f32: convertAs<From, float>(source, target, count); return;
    case DType::f64: convertAs<From, double>(source, target, count); return;
    case DType::i32: convertAs<From, std::int32_t>(source, target, count); return;
    case DType::i64: convertAs<From, std::int64_t>(source, target, count); return;
    default: ensure(false, "data is converted to an element type that an input layer can have");
    }
}

/// Batches read ahead: the next one, one more to bridge a slow read, and the one being filled.
constexpr std::size_t places = 3;

/// How long one batch may take to read before the wait ends with an error.
constexpr std::chrono::minutes patience{10};

/// One data feed of one variant.
struct FeedPlan {
    std::size_t feed = 0;  ///< index in the graph
    std::size_t field = 0; ///< index in the source
    DType fieldType = DType::f32;
    DType feedType = DType::f32;
    std::int64_t exampleElements = 1;
    std::int64_t firstRow = 0; ///< rows that this process's workers hold
    std::int64_t rows = 0;

    [[nodiscard]] std::int64_t elements() const { return rows * exampleElements; }
    [[nodiscard]] std::size_t bytesRead() const {
        return static_cast<std::size_t>(elements()) * byteSize(fieldType);
    }
};

/// By worker and feed, the offset at which a part of the next batch waits; -1: the part is copied
/// just before its step.
using PlacesAhead = std::vector<std::vector<std::int64_t>>;

struct MemberPlan {
    std::size_t member = 0;
    std::vector<FeedPlan> feeds;
    PlacesAhead ahead;
};

} // namespace

void convertElements(DType from, const std::byte* source, DType to, std::byte* target,
                     std::int64_t count) {
    switch (from) {
    case DType::f32: convertTo<float>(to, source, target, count); return;
    case DType::f64: convertTo<double>(to, source, target, count); return;
    case DType::i32: convertTo<std::int32_t>(to, source, target, count); return;
    case DType::i64: convertTo<std::int64_t>(to, source, target, count); return;
    case DType::u8: convertTo<std::uint8_t>(to, source, target, count); return;
    default: ensure(false, "data is converted from an element type that a data source can have");
    }
}

struct Feeder::State {
    WorkerPool& pool;
    SourcePointer source;
    Batcher batcher;
    std::map<std::int64_t, std::vector<MemberPlan>> members; ///< keyed by the rows of a batch
    /// As read from the source, by place of the ring and feed, large enough for every variant.
    std::vector<std::vector<std::vector<std::byte>>> raw;
    std::vector<std::byte> converted; ///< one feed of a batch in the feed's type
    std::vector<std::byte> part;      ///< for parts that split dims other than the batch
    std::unique_ptr<Prefetch> prefetch;
    std::unique_ptr<BatchPrefetcher> ahead; ///< nullptr: no device takes batches ahead

    [[nodiscard]] MemberPlan plan(const DataSettings& settings, std::size_t index) const {
        MemberPlan plan{.member = index, .feeds = {}, .ahead = placesAhead(index)};
        const Graph& graph = *pool.program(0, index).program().plan->graph;
        for (std::size_t f = 0; f < graph.feeds.size(); ++f) {
            if (graph.feeds[f].kind == FeedKind::data) {
                plan.feeds.push_back(planFeed(settings, graph, index, f, plan.feeds.size()));
            }
        }
        return plan;
    }

    [[nodiscard]] PlacesAhead placesAhead(std::size_t index) const {
        PlacesAhead places;
        for (std::size_t w = 0; w < pool.size(); ++w) {
            const Program& program = pool.program(w, index).program();
            auto& ofWorker = places.emplace_back(program.feeds.size(), -1);
            for (const PrefetchedFeed& one : prefetchedFeeds(program)) {
                ofWorker[one.feed] = one.offset;
            }
        }
        return places;
    }

    [[nodiscard]] bool bringsAhead() const {
        return std::ranges::any_of(members, [](const auto& one) {
            return std::ranges::any_of(one.second.front().ahead, [](const auto& ofWorker) {
                return std::ranges::any_of(ofWorker, [](std::int64_t at) { return at >= 0; });
            });
        });
    }

    /// Allocates the ring. The destinations of each place are its buffers.
    std::vector<PrefetchSlot> makeRing() {
        std::vector<PrefetchSlot> ring(places);
        raw.assign(places, {});
        for (std::size_t place = 0; place < places; ++place) {
            for (const auto& [rows, plans] : members) {
                const MemberPlan& plan = plans.front();
                for (std::size_t k = 0; k < plan.feeds.size(); ++k) {
                    raw[place].resize(std::max(raw[place].size(), k + 1));
                    std::vector<std::byte>& bytes = raw[place][k];
                    bytes.resize(std::max(bytes.size(), plan.feeds[k].bytesRead()));
                }
            }
            for (const auto& [rows, plans] : members) {
                const MemberPlan& plan = plans.front();
                BatchLayout layout{.rows = rows, .destinations = {}};
                for (std::size_t k = 0; k < plan.feeds.size(); ++k) {
                    const FeedPlan& feed = plan.feeds[k];
                    if (feed.rows > 0) {
                        layout.destinations.push_back(
                            {.field = feed.field,
                             .begin = feed.firstRow,
                             .end = feed.firstRow + feed.rows,
                             .bytes = std::span(raw[place][k]).first(feed.bytesRead())});
                    }
                }
                ring[place].layouts.push_back(std::move(layout));
            }
        }
        return ring;
    }

    /// When a batch is read, its variant is not known yet. So rows that any of the variants needs
    /// are read.
    static void readForAll(std::vector<MemberPlan>& plans) {
        for (std::size_t k = 0; k < plans.front().feeds.size(); ++k) {
            std::int64_t first = std::numeric_limits<std::int64_t>::max();
            std::int64_t end = 0;
            for (const MemberPlan& plan : plans) {
                ensure(plan.feeds.size() == plans.front().feeds.size(),
                       "the variants of a program that share a batch have the same feeds");
                const FeedPlan& feed = plan.feeds[k];
                first = feed.rows > 0 ? std::min(first, feed.firstRow) : first;
                end = feed.rows > 0 ? std::max(end, feed.firstRow + feed.rows) : end;
            }
            for (MemberPlan& plan : plans) {
                plan.feeds[k].firstRow = std::min(first, end);
                plan.feeds[k].rows = std::max<std::int64_t>(0, end - first);
            }
        }
    }

    [[nodiscard]] FeedPlan planFeed(const DataSettings& settings, const Graph& graph,
                                    std::size_t index, std::size_t f, std::size_t number) const {
        const std::string& name = graph.feeds[f].name;
        const Field& field = source->fields()[fieldOf(settings, name, number)];
        const Value& value = graph.at(graph.feeds[f].value);
        FeedPlan plan{.feed = f,
                      .field = fieldOf(settings, name, number),
                      .fieldType = field.dtype,
                      .feedType = value.dtype,
                      .exampleElements = elementsOf(field.shape)};
        const Shape example(value.shape.begin() + 1, value.shape.end());
        if (elementsOf(example) != plan.exampleElements) {
            throw Error(ErrorCode::design, Where{.layer = name},
                        fmt::format("has {} per example, but the field {} has {}",
                                    toString(example), field.name, toString(field.shape)),
                        "set the shape of the input to that of the field");
        }
        std::int64_t end = 0;
        plan.firstRow = value.shape[0];
        for (std::size_t w = 0; w < pool.size(); ++w) {
            const ProgramPort& port = pool.program(w, index).program().feeds[f];
            if (port.isHeld) {
                plan.firstRow = std::min(plan.firstRow, port.part.begin[0]);
                end = std::max(end, port.part.begin[0] + port.part.shape[0]);
            }
        }
        plan.rows = std::max<std::int64_t>(0, end - plan.firstRow);
        return plan;
    }

    [[nodiscard]] std::size_t fieldOf(const DataSettings& settings, const std::string& input,
                                      std::size_t number) const {
        const auto field = fieldFeeding(settings, source->fields(), input, number);
        if (!field) {
            throw Error(ErrorCode::design, Where{.layer = input},
                        "no field of the data source is assigned to this input",
                        "assign a field to the input in data.feeds");
        }
        return *field;
    }

    /// Returns the data of a feed, converted to the feed's type.
    const std::byte* asFeed(const FeedPlan& feed, const std::vector<std::byte>& read) {
        if (feed.fieldType == feed.feedType) {
            return read.data();
        }
        converted.resize(static_cast<std::size_t>(feed.elements()) * byteSize(feed.feedType));
        convertElements(feed.fieldType, read.data(), feed.feedType, converted.data(),
                        feed.elements());
        return converted.data();
    }

    /// Returns the worker's part of the rows as contiguous bytes.
    const std::byte* partOf(const FeedPlan& plan, const std::byte* rows, const TensorPart& held) {
        const std::size_t size = byteSize(plan.feedType);
        const std::int64_t row = plan.exampleElements;
        const auto first = static_cast<std::size_t>((held.begin[0] - plan.firstRow) * row) * size;
        if (held.elements() == held.shape[0] * row) {
            return rows + first;
        }
        part.resize(static_cast<std::size_t>(held.elements()) * size);
        const std::size_t rank = held.shape.size();
        const std::int64_t run = held.shape[rank - 1];
        Shape index(rank, 0);
        for (std::int64_t n = 0; n < held.elements() / run; ++n) {
            std::int64_t at = index[0] + held.begin[0] - plan.firstRow;
            for (std::size_t k = 1; k < rank; ++k) {
                at = at * held.whole[k] + index[k] + held.begin[k];
            }
            std::memcpy(part.data() + static_cast<std::size_t>(n * run) * size,
                        rows + static_cast<std::size_t>(at) * size,
                        static_cast<std::size_t>(run) * size);
            for (std::size_t k = rank - 1; k-- > 0;) {
                if (++index[k] < held.shape[k]) {
                    break;
                }
                index[k] = 0;
            }
        }
        return part.data();
    }

    /// Calls `take(worker, port, feed, rows)` for every part that a worker of this process holds.
    /// `rows` returns the rows that were read, in the feed's type.
    template <class Take>
    void forParts(const MemberPlan& plan, std::size_t place, const Take& take) {
        for (std::size_t k = 0; k < plan.feeds.size(); ++k) {
            const FeedPlan& feed = plan.feeds[k];
            const std::byte* made = nullptr;
            const auto rows = [&] {
                made = made == nullptr ? asFeed(feed, raw[place][k]) : made;
                return made;
            };
            for (std::size_t w = 0; feed.rows > 0 && w < pool.size(); ++w) {
                const ProgramPort& port = pool.program(w, plan.member).program().feeds[feed.feed];
                if (port.isHeld) {
                    take(w, port, feed, rows);
                }
            }
        }
    }

    /// Copies a batch ahead. Its variant is not known yet, so the layout is that of the first
    /// candidate.
    void bring(const Prefetch::FilledSlot& filled) {
        const MemberPlan& plan = members.at(filled.batch.rows).front();
        forParts(
            plan, filled.slot,
            [&](std::size_t w, const ProgramPort& port, const FeedPlan& feed, const auto& rows) {
                if (const std::int64_t offset = plan.ahead[w][feed.feed]; offset >= 0) {
                    pool.waitingBatch().copyIn(this, w, offset, partOf(feed, rows(), port.part),
                                               port.buffer.size);
                }
            });
        pool.waitingBatch().markComplete();
    }

    /// Moves a part that was copied ahead to its place. False if the part does not wait there, or
    /// has another layout than this variant needs.
    [[nodiscard]] bool placed(const MemberPlan& plan, std::size_t w, const ProgramPort& port,
                              std::size_t feed, const MemberPlan& broughtFor) const {
        const std::int64_t offset = broughtFor.ahead[w][feed];
        const ProgramPort& brought = pool.program(w, broughtFor.member).program().feeds[feed];
        return offset >= 0 && brought.part == port.part &&
               pool.waitingBatch().copyToProgram(this, w,
                                                 pool.program(w, plan.member).address(port.buffer),
                                                 offset, port.buffer.size);
    }

    void handOver(const MemberPlan& plan, const Prefetch::FilledSlot& filled) {
        const MemberPlan& first = members.at(filled.batch.rows).front();
        forParts(
            plan, filled.slot,
            [&](std::size_t w, const ProgramPort& port, const FeedPlan& feed, const auto& rows) {
                if (!placed(plan, w, port, feed.feed, first)) {
                    pool.copyIn(w, plan.member, port.buffer, partOf(feed, rows(), port.part));
                }
            });
    }
};

Feeder::Feeder(const DataSettings& settings, WorkerPool& pool, SourcePointer source,
               const Batcher& batcher,
               const std::map<std::int64_t, std::vector<std::size_t>>& members)
    : state_(std::make_unique<State>(
          State{pool, std::move(source), batcher, {}, {}, {}, {}, {}, {}})) {
    for (const auto& [rows, takers] : members) {
        std::vector<MemberPlan>& plans = state_->members[rows];
        for (const std::size_t member : takers) {
            plans.push_back(state_->plan(settings, member));
        }
        State::readForAll(plans);
    }
}

Feeder::~Feeder() = default;

void Feeder::start(DataPosition from, std::int64_t batches) {
    State& s = *state_;
    s.ahead.reset();
    s.prefetch.reset(); // first: its thread still writes into the ring
    std::vector<PrefetchSlot> ring = s.makeRing();
    s.prefetch = std::make_unique<Prefetch>(
        s.source, s.batcher, std::move(ring),
        Prefetch::Settings{.name = "the data", .start = from, .batches = batches});
    if (s.bringsAhead()) {
        s.pool.waitingBatch().claim(&s);
        s.ahead = std::make_unique<BatchPrefetcher>(
            *s.prefetch, patience, [&s](const Prefetch::FilledSlot& filled) { s.bring(filled); });
    }
}

Feeder::FedBatch Feeder::next(std::size_t which) {
    State& s = *state_;
    ensure(s.prefetch != nullptr, "reading starts before the first batch is requested");
    const Deadline deadline(patience);
    const auto filled = s.ahead ? s.ahead->take(deadline) : s.prefetch->take(deadline);
    if (!filled) {
        throw Error(ErrorCode::bug, {},
                    "the step requests more batches than reading was started for",
                    "this is a fault of Weft: please report it with the design");
    }
    const MemberPlan& plan = s.members.at(filled->batch.rows)[which];
    s.handOver(plan, *filled);
    s.prefetch->give(filled->slot);
    if (s.ahead) {
        s.pool.waitingBatch().claim(&s); // an evaluation may have owned it meanwhile
        s.ahead->allowNextBatch();
    }
    return {filled->batch, plan.member};
}

} // namespace weft
