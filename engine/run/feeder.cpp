// SPDX-License-Identifier: Apache-2.0
#include "run/feeder.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

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
    default: ensure(false, "data is converted to a type that no input layer has");
    }
}

/// One data feed of one member.
struct FeedPlan {
    std::size_t feed = 0;  ///< in the graph
    std::size_t field = 0; ///< of the source
    DType fieldType = DType::f32;
    DType feedType = DType::f32;
    std::int64_t exampleElements = 1;
    std::int64_t firstRow = 0; ///< rows that this process's workers hold
    std::int64_t rows = 0;
    std::vector<std::byte> raw = {};    ///< as the source has it; empty when the types are equal
    std::vector<std::byte> staged = {}; ///< [rows, example] in the feed's type
    std::vector<std::byte> part = {};   ///< for parts that cut other dims than the batch
};

struct MemberPlan {
    std::vector<FeedPlan> feeds;
    std::vector<std::int64_t> examples;
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
    default: ensure(false, "data is converted from a type that no source has");
    }
}

struct Feeder::State {
    WorkerPool& pool;
    SourcePointer source;
    Batcher batcher;
    std::vector<MemberPlan> members;

    void plan(const DataSettings& settings, std::size_t index) {
        MemberPlan plan;
        const Graph& graph = *pool.program(0, index).program().plan->graph;
        for (std::size_t f = 0; f < graph.feeds.size(); ++f) {
            if (graph.feeds[f].kind == FeedKind::data) {
                plan.feeds.push_back(planFeed(settings, graph, index, f, plan.feeds.size()));
            }
        }
        members.push_back(std::move(plan));
    }

    FeedPlan planFeed(const DataSettings& settings, const Graph& graph, std::size_t index,
                      std::size_t f, std::size_t number) const {
        const std::string& name = graph.feeds[f].name;
        const Field& field = source->fields()[fieldFor(settings, name, number)];
        const Value& value = graph.at(graph.feeds[f].value);
        FeedPlan plan{.feed = f,
                      .field = fieldFor(settings, name, number),
                      .fieldType = field.dtype,
                      .feedType = value.dtype,
                      .exampleElements = elementsOf(field.shape)};
        const Shape example(value.shape.begin() + 1, value.shape.end());
        if (elementsOf(example) != plan.exampleElements) {
            throw Error(ErrorCode::design, Where{.layer = name},
                        fmt::format("takes {} per example, but the field {} has {}",
                                    toString(example), field.name, toString(field.shape)),
                        "set the input's shape to the field's");
        }
        std::int64_t end = 0;
        plan.firstRow = value.shape[0];
        for (std::size_t w = 0; w < pool.size(); ++w) {
            const Port& port = pool.program(w, index).program().feeds[f];
            if (port.isHeld) {
                plan.firstRow = std::min(plan.firstRow, port.part.begin[0]);
                end = std::max(end, port.part.begin[0] + port.part.shape[0]);
            }
        }
        plan.rows = std::max<std::int64_t>(0, end - plan.firstRow);
        const auto elements = static_cast<std::size_t>(plan.rows * plan.exampleElements);
        plan.staged.resize(elements * byteSize(plan.feedType));
        if (plan.fieldType != plan.feedType) {
            plan.raw.resize(elements * byteSize(plan.fieldType));
        }
        return plan;
    }

    std::size_t fieldFor(const DataSettings& settings, const std::string& input,
                         std::size_t number) const {
        const auto named = settings.feeds.find(input);
        if (named != settings.feeds.end()) {
            if (const auto field = findField(*source, named->second)) {
                return *field;
            }
            throw Error(ErrorCode::design, Where{.layer = input},
                        "the data source has no field \"" + named->second + "\"",
                        "choose one of its fields under data, feeds");
        }
        if (const auto field = findField(*source, input)) {
            return *field;
        }
        if (number < source->fields().size()) {
            return number;
        }
        throw Error(ErrorCode::design, Where{.layer = input},
                    "no field of the data source feeds this input", "name one under data, feeds");
    }

    /// The worker's part as contiguous bytes.
    const std::byte* partOf(FeedPlan& plan, const TensorPart& part) const {
        const std::size_t size = byteSize(plan.feedType);
        const std::int64_t row = plan.exampleElements;
        const auto first = static_cast<std::size_t>((part.begin[0] - plan.firstRow) * row) * size;
        if (part.elements() == part.shape[0] * row) {
            return plan.staged.data() + first;
        }
        plan.part.resize(static_cast<std::size_t>(part.elements()) * size);
        const std::size_t rank = part.shape.size();
        const std::int64_t run = part.shape[rank - 1];
        Shape index(rank, 0);
        for (std::int64_t n = 0; n < part.elements() / run; ++n) {
            std::int64_t at = index[0] + part.begin[0] - plan.firstRow;
            for (std::size_t k = 1; k < rank; ++k) {
                at = at * part.whole[k] + index[k] + part.begin[k];
            }
            std::memcpy(plan.part.data() + static_cast<std::size_t>(n * run) * size,
                        plan.staged.data() + static_cast<std::size_t>(at) * size,
                        static_cast<std::size_t>(run) * size);
            for (std::size_t k = rank - 1; k-- > 0;) {
                if (++index[k] < part.shape[k]) {
                    break;
                }
                index[k] = 0;
            }
        }
        return plan.part.data();
    }
};

Feeder::Feeder(const DataSettings& settings, WorkerPool& pool, SourcePointer source,
               const Batcher& batcher)
    : state_(std::make_unique<State>(State{pool, std::move(source), batcher, {}})) {
    for (std::size_t index = 0; index < pool.members(); ++index) {
        state_->plan(settings, index);
    }
}

Feeder::~Feeder() = default;

void Feeder::read(const Batch& batch, std::size_t member) {
    MemberPlan& plan = state_->members[member];
    for (FeedPlan& feed : plan.feeds) {
        if (feed.rows == 0) {
            continue;
        }
        plan.examples.resize(static_cast<std::size_t>(feed.rows));
        state_->batcher.fill(batch, feed.firstRow, plan.examples);
        const bool converts = feed.fieldType != feed.feedType;
        state_->source->read(plan.examples, feed.field, converts ? feed.raw : feed.staged);
        if (converts) {
            convertElements(feed.fieldType, feed.raw.data(), feed.feedType, feed.staged.data(),
                            feed.rows * feed.exampleElements);
        }
    }
}

void Feeder::handOver(std::size_t member) {
    for (FeedPlan& feed : state_->members[member].feeds) {
        for (std::size_t w = 0; w < state_->pool.size(); ++w) {
            const Port& port = state_->pool.program(w, member).program().feeds[feed.feed];
            if (port.isHeld) {
                state_->pool.copyIn(w, member, port.buffer, state_->partOf(feed, port.part));
            }
        }
    }
}

} // namespace weft
