// SPDX-License-Identifier: Apache-2.0
#include "run/observe/not_finite.h"

#include "base/finite.h"
#include "graph/repeat.h"
#include "run/observe/watched.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <span>

namespace weft {

namespace {

/// Position in the order of a plan: feeds, slots, then nodes.
using Rank = std::uint32_t;
constexpr Rank nowhere = std::numeric_limits<Rank>::max();

/// Checks the values that one worker holds and computes.
class Search final : public StepObserver {
public:
    Search(const WorkerPool& pool, std::size_t worker, std::size_t member)
        : pool_(pool), worker_(worker), member_(member) {}

    void onStepDone(const BoundProgram& bound, std::uint32_t index) override {
        const Program& program = bound.program();
        const Step& step = program.steps[index];
        if (step.node.isNone() || step.kind == StepKind::copy) {
            return; // only moves values that were checked before
        }
        for (std::size_t k = 0; k < step.outputContents.size(); ++k) {
            const StepOutput& value = step.outputContents[k];
            if (!value.placed.isNone() && !mayBeInfinite(*program.plan, value.placed)) {
                // A group computes the values of several nodes of the plan.
                const PlanNodeId by = program.plan->at(value.placed).producer;
                look(step.outputs[k], value.part,
                     first(program) + (by.isNone() ? step.node : by).value);
            }
        }
    }

    /// Checks feeds and slots before the step.
    void lookAtGiven() {
        const Program& program = pool_.program(worker_, member_).program();
        for (std::size_t f = 0; f < program.feeds.size(); ++f) {
            if (program.feeds[f].isHeld) {
                look(program.feeds[f].buffer, program.feeds[f].part, static_cast<Rank>(f));
            }
        }
        for (std::size_t s = 0; s < program.slots.size(); ++s) {
            if (program.slots[s].isHeld) {
                look(program.slots[s].buffer, program.slots[s].part,
                     static_cast<Rank>(program.feeds.size() + s));
            }
        }
    }

    [[nodiscard]] Rank found() const { return found_.load(); }

private:
    static Rank first(const Program& program) {
        return static_cast<Rank>(program.feeds.size() + program.slots.size());
    }

    /// A maximum over an empty part is minus infinity until the parts are combined.
    static bool mayBeInfinite(const Plan& plan, PlacedId placed) {
        return std::ranges::any_of(plan.at(placed).placements, [](const Placement& p) {
            return p.kind == Placement::Kind::partialMax;
        });
    }

    void look(const Buffer& buffer, const TensorPart& part, Rank rank) {
        const bool isLookedAt = part.dtype == DType::f32 || part.dtype == DType::f64;
        if (!isLookedAt || rank >= found_.load()) {
            return;
        }
        const std::size_t size = byteSize(part.dtype);
        std::vector<std::byte> held(static_cast<std::size_t>(buffer.size.count));
        pool_.copyOut(worker_, member_, buffer, held.data());
        std::vector<std::byte> plain(static_cast<std::size_t>(part.elements()) * size);
        outOfFormat(part.format, part.shape, size, held.data(), plain.data());
        const bool isWell = areFinite(part.dtype, plain);
        for (Rank known = found_.load(); !isWell && rank < known;) {
            found_.compare_exchange_weak(known, rank);
        }
    }

    const WorkerPool& pool_;
    std::size_t worker_;
    std::size_t member_;
    std::atomic<Rank> found_ = nowhere; ///< atomic, because streams check concurrently
};

NotFinite describe(const Plan& plan, Rank rank) {
    const Graph& graph = *plan.graph;
    if (rank < plan.feeds.size()) {
        const Feed& feed = graph.feeds[rank];
        if (feed.kind != FeedKind::data) {
            return {"training", feed.name, feed.name + " is NaN or infinite"};
        }
        return {graph.layerName(feed.origin).empty() ? feed.name : graph.layerName(feed.origin),
                "input", "the data contains NaN or infinity",
                "correct the data, or leave that example out"};
    }
    rank -= static_cast<Rank>(plan.feeds.size());
    if (rank < plan.slots.size()) {
        const Slot& slot = graph.slots[rank];
        const Origin origin = slot.of.isNone() ? slot.origin : graph.at(slot.of).origin;
        return {graph.layerName(origin), "update",
                slot.name + " contained NaN or infinity after the update of the previous step"};
    }
    const PlanNode& node = plan.nodes[rank - plan.slots.size()];
    if (node.node.isNone()) {
        return {graph.layerName(node.origin), std::string(nameOf(node.collective)),
                node.name + " is the first value whose sum over the devices is NaN or infinity"};
    }
    const Node& made = graph.at(node.node);
    NotFinite found{graph.layerName(made.origin), made.op->name,
                    fmt::format("its op {} ({}) computes the first NaN or infinity", made.op->name,
                                nameOf(made.pass))};
    if (made.body != nullptr && made.pass == Pass::forward) {
        found.text = fmt::format("its {} iterations diverge and end in NaN or infinity",
                                 repeatForm(made).count);
        found.remedy = "make each iteration change less, for example with a larger tau or stride, "
                       "or lower the learning rate";
    }
    return found;
}

/// Returns the smallest position of all devices on rank 0, and that of the rank's own devices
/// elsewhere.
Rank smallest(const std::vector<std::unique_ptr<Search>>& searches, const WorkerPool& pool,
              const Plan& plan, int rank, const FetchPart& fetch) {
    Rank least = nowhere;
    for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
        Rank found = nowhere;
        bool isHere = false;
        for (std::size_t w = 0; w < pool.size(); ++w) {
            if (pool.device(w).id == DeviceId{d}) {
                found = searches[w]->found();
                isHere = true;
            }
        }
        if (fetch && (rank != 0 || !isHere)) {
            fetch({d}, std::as_writable_bytes(std::span(&found, 1)));
        }
        least = std::min(least, found);
    }
    return least;
}

} // namespace

std::optional<NotFinite> findNotFinite(WorkerPool& pool, const Variant& member, std::size_t index,
                                       int rank, const FetchPart& fetch,
                                       const BroadcastFromFirst& share) {
    std::vector<std::unique_ptr<Search>> searches;
    for (std::size_t w = 0; w < pool.size(); ++w) {
        searches.push_back(std::make_unique<Search>(pool, w, index));
        searches.back()->lookAtGiven();
    }
    {
        const ObserverScope watched(pool, index, [&](std::size_t w) { return searches[w].get(); });
        pool.run(index);
    }
    Rank found = smallest(searches, pool, *member.plan, rank, fetch);
    if (share) {
        std::vector<std::byte> bytes(sizeof(found));
        std::memcpy(bytes.data(), &found, sizeof(found));
        share(bytes);
        std::memcpy(&found, bytes.data(), std::min(bytes.size(), sizeof(found)));
    }
    return found == nowhere ? std::nullopt : std::optional(describe(*member.plan, found));
}

} // namespace weft
