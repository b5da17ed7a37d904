// SPDX-License-Identifier: Apache-2.0
#include "place/reshard.h"

#include <weft/error.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace weft {

namespace {

using Kind = Placement::Kind;

bool isInside(const Box& inner, const Box& outer) {
    for (std::size_t dim = 0; dim < inner.begin.size(); ++dim) {
        if (inner.begin[dim] < outer.begin[dim] || inner.end[dim] > outer.end[dim]) {
            return false;
        }
    }
    return true;
}

bool isSamePart(const Placement& a, const Placement& b) {
    return a.kind == b.kind && a.dim == b.dim && a.cuts == b.cuts;
}

/// Returns slice or alias if every receiver already holds its part.
std::optional<CollectiveKind> asCut(const Shape& shape, const Mesh& from, const Placements& source,
                                    const Mesh& to, const Placements& target) {
    const auto isPartial = [](const Placement& p) { return p.isPartial(); };
    if (from != to &&
        (std::ranges::any_of(source, isPartial) || std::ranges::any_of(target, isPartial))) {
        return std::nullopt;
    }
    for (std::size_t axis = 0; from == to && axis < source.size(); ++axis) {
        if (source[axis].kind != target[axis].kind &&
            (source[axis].isPartial() || target[axis].isPartial())) {
            return std::nullopt;
        }
    }
    bool isSame = true;
    for (std::size_t member = 0; member < to.devices.size(); ++member) {
        const auto home = std::ranges::find(from.devices, to.devices[member]);
        if (home == from.devices.end()) {
            return std::nullopt;
        }
        const Box wanted = boxOf(shape, to, target, member);
        const Box held =
            boxOf(shape, from, source, static_cast<std::size_t>(home - from.devices.begin()));
        if (!wanted.isEmpty() && !isInside(wanted, held)) {
            return std::nullopt;
        }
        isSame = isSame && wanted == held;
    }
    return isSame ? CollectiveKind::alias : CollectiveKind::slice;
}

/// Returns the kind of change on one axis of one mesh; exchange if it has no name.
CollectiveKind kindOfAxis(const Placement& source, const Placement& target) {
    if (source.isPartial()) {
        return target.isReplicated() ? CollectiveKind::allReduce
               : target.isSplit()    ? CollectiveKind::reduceScatter
                                     : CollectiveKind::exchange;
    }
    if (source.isReplicated()) {
        return target.isSplit() ? CollectiveKind::slice : CollectiveKind::keepFirst;
    }
    return target.isReplicated()      ? CollectiveKind::allGather
           : target.isPartial()       ? CollectiveKind::padZero
           : source.dim != target.dim ? CollectiveKind::allToAll
                                      : CollectiveKind::exchange;
}

/// What a device sends or receives, in elements, and its number of messages.
struct Load {
    double elements = 0;
    int messages = 0;
};

/// Returns the mean over the devices of one mesh, so that uneven parts cost as much as even ones;
/// between meshes, that of the busiest device.
Load loadOf(const std::vector<BlockTransfer>& blocks, std::size_t devices, bool isOneMesh) {
    struct Traffic {
        std::int64_t elements = 0;
        int messages = 0;
    };
    std::map<DeviceId, Traffic> sent;
    std::map<DeviceId, Traffic> received;
    std::int64_t total = 0;
    for (const BlockTransfer& block : blocks) {
        if (block.from != block.to) {
            total += block.box.elements();
            for (Traffic* traffic : {&sent[block.from], &received[block.to]}) {
                traffic->elements += block.box.elements();
                ++traffic->messages;
            }
        }
    }
    Load load{static_cast<double>(total) / static_cast<double>(devices)};
    for (const auto* each : {&sent, &received}) {
        for (const auto& [device, traffic] : *each) {
            load.messages = std::max(load.messages, traffic.messages);
            if (!isOneMesh) {
                load.elements = std::max(load.elements, static_cast<double>(traffic.elements));
            }
        }
    }
    return load;
}

/// An intermediate placement, and the cost of reaching it.
struct Station {
    bool onTarget = false;
    Placements placements;
    double cost = std::numeric_limits<double>::infinity();
    std::size_t before = 0;
    CollectiveKind kind = CollectiveKind::alias;
    bool isDone = false;
};

class Planner {
public:
    Planner(const Shape& shape, std::size_t elementBytes, const Mesh& from, const Mesh& to,
            const LinkSheet& link)
        : shape_(shape), elementBytes_(elementBytes), from_(from), to_(to), link_(link) {}

    PlannedChange plan(const Placements& source, const Placements& target) {
        const bool isOneMesh = from_ == to_;
        stations_.push_back({.onTarget = isOneMesh, .placements = source, .cost = 0});
        stations_.push_back({.onTarget = true, .placements = target});
        if (isOneMesh) {
            addMixtures(source, target);
        } else {
            addFinished(source);
            addSharding(target);
        }
        search();
        return walk();
    }

private:
    /// Adds placements with each axis as in the source, as in the target, or Replicated.
    void addMixtures(const Placements& source, const Placements& target) {
        std::size_t count = 1;
        for (std::size_t axis = 0; axis < source.size(); ++axis) {
            count *= 3;
        }
        for (std::size_t choice = 0; choice < count; ++choice) {
            Placements mixed;
            std::size_t rest = choice;
            for (std::size_t axis = 0; axis < source.size(); ++axis, rest /= 3) {
                mixed.push_back(rest % 3 == 0   ? source[axis]
                                : rest % 3 == 1 ? target[axis]
                                                : Placement{});
            }
            addStation(true, std::move(mixed));
        }
    }

    /// Adds placements with completed sums on the source's mesh: Replicated, or Split.
    void addFinished(const Placements& source) {
        Placements whole = source;
        Placements parts = source;
        for (std::size_t axis = 0; axis < source.size(); ++axis) {
            if (source[axis].isPartial()) {
                whole[axis] = {};
                parts[axis] = {};
            }
        }
        if (whole == source) {
            return;
        }
        for (std::size_t axis = 0; axis < source.size(); ++axis) {
            if (source[axis].isPartial()) {
                split(parts, from_, axis);
            }
        }
        addStation(false, std::move(whole));
        addStation(false, std::move(parts));
    }

    /// Adds placements in which a value for several devices arrives split and is gathered there.
    void addSharding(const Placements& target) {
        Placements parts = target;
        for (std::size_t axis = 0; axis < target.size(); ++axis) {
            if (target[axis].isReplicated()) {
                split(parts, to_, axis);
            }
        }
        addStation(true, std::move(parts));
    }

    /// Splits the largest dim that no axis splits yet.
    void split(Placements& placements, const Mesh& mesh, std::size_t axis) const {
        int best = -1;
        for (int dim = 0; dim < static_cast<int>(shape_.size()); ++dim) {
            const bool isTaken = std::ranges::any_of(
                placements, [&](const Placement& p) { return p.isSplit() && p.dim == dim; });
            const auto size = [&](int d) { return shape_[static_cast<std::size_t>(d)]; };
            if (!isTaken && (best < 0 || size(dim) > size(best))) {
                best = dim;
            }
        }
        if (best >= 0) {
            placements[axis] = {
                Kind::split, best, 1,
                balancedCuts(0, shape_[static_cast<std::size_t>(best)], mesh.shape[axis])};
        }
    }

    void addStation(bool onTarget, Placements placements) {
        const Mesh& mesh = onTarget ? to_ : from_;
        const bool isKnown = std::ranges::any_of(stations_, [&](const Station& station) {
            return (station.onTarget == onTarget || from_ == to_) &&
                   std::ranges::equal(station.placements, placements, isSamePart);
        });
        if (!isKnown && isWellFormed(shape_, mesh, placements)) {
            stations_.push_back({.onTarget = onTarget, .placements = std::move(placements)});
        }
    }

    void search() {
        while (!stations_[1].isDone) {
            std::size_t next = stations_.size();
            for (std::size_t k = 0; k < stations_.size(); ++k) {
                if (!stations_[k].isDone &&
                    (next == stations_.size() || stations_[k].cost < stations_[next].cost)) {
                    next = k;
                }
            }
            stations_[next].isDone = true;
            for (std::size_t k = 0; k < stations_.size(); ++k) {
                if (!stations_[k].isDone && (!stations_[next].onTarget || stations_[k].onTarget)) {
                    relax(next, k);
                }
            }
        }
    }

    void relax(std::size_t at, std::size_t next) {
        const Station& here = stations_[at];
        Station& there = stations_[next];
        const Mesh& from = here.onTarget ? to_ : from_;
        const Mesh& to = there.onTarget ? to_ : from_;
        const CollectiveKind kind = kindOf(shape_, from, here.placements, to, there.placements);
        if (losesPartial(from, here.placements, to, there.placements)) {
            return;
        }
        const double cost = here.cost + price(kind, from, here.placements, to, there.placements);
        if (cost < there.cost) {
            there.cost = cost;
            there.before = at;
            there.kind = kind;
        }
    }

    /// True if a step would turn a sum into a maximum, or move a Partial sum to another mesh.
    static bool losesPartial(const Mesh& from, const Placements& source, const Mesh& to,
                             const Placements& target) {
        for (std::size_t axis = 0; from == to && axis < source.size(); ++axis) {
            if (source[axis].isPartial() && target[axis].isPartial() &&
                source[axis].kind != target[axis].kind) {
                return true;
            }
        }
        return false;
    }

    /// Each step costs at least one nanosecond, so that fewer steps win a tie.
    [[nodiscard]] double price(CollectiveKind kind, const Mesh& from, const Placements& source,
                               const Mesh& to, const Placements& target) const {
        if (isLocal(kind)) {
            return 1;
        }
        Load load;
        if (kind == CollectiveKind::allReduce) {
            const auto sent = sentByAllReduce(shape_, from, source, target);
            load.elements =
                static_cast<double>(std::accumulate(sent.begin(), sent.end(), std::int64_t{0})) /
                static_cast<double>(sent.size());
            // To the root and back along a tree: this matters for small values.
            load.messages = 2 * std::bit_width(reducedParts(from, source, target) - 1);
        } else {
            load = loadOf(blockTransfers(shape_, from, source, to, target), from.devices.size(),
                          from == to);
        }
        return 1 + static_cast<double>(link_.latency.count) * load.messages +
               load.elements * static_cast<double>(elementBytes_) * 1e9 / link_.bytesPerSecond;
    }

    static unsigned reducedParts(const Mesh& mesh, const Placements& source,
                                 const Placements& target) {
        std::int64_t parts = 1;
        for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
            parts *= source[axis].isPartial() && !target[axis].isPartial() ? mesh.shape[axis] : 1;
        }
        return static_cast<unsigned>(parts);
    }

    [[nodiscard]] PlannedChange walk() const {
        PlannedChange change{.steps = {}, .nanoseconds = stations_[1].cost};
        ensure(stations_[1].cost < std::numeric_limits<double>::infinity(),
               "a placement can be reached from every other");
        for (std::size_t at = 1; at != 0; at = stations_[at].before) {
            const Station& station = stations_[at];
            change.steps.insert(change.steps.begin(),
                                {station.kind, station.onTarget, station.placements});
        }
        return change;
    }

    const Shape& shape_;
    std::size_t elementBytes_;
    const Mesh& from_;
    const Mesh& to_;
    const LinkSheet& link_;
    std::vector<Station> stations_;
};

} // namespace

bool isWellFormed(const Shape& shape, const Mesh& mesh, const Placements& placements) {
    if (placements.size() != mesh.axes()) {
        return false;
    }
    for (std::size_t axis = 0; axis < placements.size(); ++axis) {
        const Placement& placement = placements[axis];
        if (!placement.isSplit()) {
            continue;
        }
        if (placement.dim < 0 || placement.dim >= static_cast<int>(shape.size())) {
            return false;
        }
        // The parts into which the outer axes split this dim, in order.
        std::vector<std::int64_t> outer{0, shape[static_cast<std::size_t>(placement.dim)]};
        for (std::size_t k = 0; k < axis; ++k) {
            if (placements[k].isSplit() && placements[k].dim == placement.dim) {
                outer = placements[k].cuts;
            }
        }
        std::size_t rows = 1;
        for (std::size_t k = 0; k < axis; ++k) {
            if (placements[k].isSplit() && placements[k].dim == placement.dim) {
                rows *= static_cast<std::size_t>(mesh.shape[k]);
            }
        }
        const std::size_t width = static_cast<std::size_t>(mesh.shape[axis]) + 1;
        if (placement.cuts.size() != rows * width) {
            return false;
        }
        // At most two axes: outer parts are consecutive entries of one row.
        for (std::size_t row = 0; row < rows; ++row) {
            const auto begin = placement.cuts.begin() + static_cast<std::ptrdiff_t>(row * width);
            const auto end = begin + static_cast<std::ptrdiff_t>(width);
            if (!std::is_sorted(begin, end) || row + 1 >= outer.size() || *begin != outer[row] ||
                *(end - 1) != outer[row + 1]) {
                return false;
            }
        }
    }
    return true;
}

CollectiveKind kindOf(const Shape& shape, const Mesh& from, const Placements& source,
                      const Mesh& to, const Placements& target) {
    if (const auto cut = asCut(shape, from, source, to, target)) {
        return *cut;
    }
    if (from != to) {
        return CollectiveKind::exchange;
    }
    std::optional<CollectiveKind> kind;
    for (std::size_t axis = 0; axis < source.size(); ++axis) {
        if (isSamePart(source[axis], target[axis])) {
            continue;
        }
        const CollectiveKind own = kindOfAxis(source[axis], target[axis]);
        if (kind && (*kind != own || own == CollectiveKind::allToAll)) {
            return CollectiveKind::exchange;
        }
        kind = own;
    }
    return kind.value_or(CollectiveKind::alias);
}

std::vector<std::int64_t> sentByAllReduce(const Shape& shape, const Mesh& mesh,
                                          const Placements& source, const Placements& target) {
    std::vector<std::int64_t> sent;
    for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
        std::int64_t parts = 1;
        std::int64_t position = 0;
        for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
            if (source[axis].isPartial() && !target[axis].isPartial()) {
                parts *= mesh.shape[axis];
                position = position * mesh.shape[axis] + mesh.coordinate(member, axis);
            }
        }
        const std::int64_t whole = boxOf(shape, mesh, target, member).elements();
        const auto cuts = balancedCuts(0, whole, parts);
        const auto at = static_cast<std::size_t>(position);
        const std::int64_t chunk = cuts[at + 1] - cuts[at];
        sent.push_back(parts == 1 ? 0 : whole + (parts - 2) * chunk);
    }
    return sent;
}

PlannedChange planChange(const Shape& shape, std::size_t elementBytes, const Mesh& from,
                         const Placements& source, const Mesh& to, const Placements& target,
                         const LinkSheet& link) {
    if (from == to && std::ranges::equal(source, target, isSamePart)) {
        return {};
    }
    return Planner(shape, elementBytes, from, to, link).plan(source, target);
}

} // namespace weft
