// SPDX-License-Identifier: Apache-2.0
// First fit by size. A network of many layers has hundreds of thousands of lives, and comparing
// each with all placed lives would be slow. So placed lives are in a tree by offset. Its nodes are
// passed at once if all their lives are over or have not begun. If they are in the way instead, a
// node remembers which of them left no place ("cover"): they leave none to other lives of that time
// either, and the lives of a chain come in order of time.
#include "schedule/memory/pack_lives.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>

namespace weft {

namespace {

using Times = std::span<const std::uint32_t>; ///< per stream: how many of its tasks have ended
constexpr std::uint32_t beyondAll = std::numeric_limits<std::uint32_t>::max();

/// True if a life with this end is over when one with this begin begins.
bool isOverBy(Times end, Times begin) {
    for (std::size_t stream = 0; stream < end.size(); ++stream) {
        if (end[stream] > begin[stream]) {
            return false;
        }
    }
    return true;
}

/// A life to be placed.
struct TimedLife {
    std::int64_t size;
    Times begin;
    Times end;
};

/// The lives with times that say all: one is over when another begins exactly if `isOverBy`. A life
/// that is present from the start begins before any end, one that is always there ends after any
/// begin.
class LifeList {
public:
    explicit LifeList(std::span<const PackedLife> lives) {
        streams_ = lives.empty() ? 1 : std::max<std::size_t>(1, lives.front().begin.size());
        times_.reserve(2 * streams_ * lives.size());
        for (const PackedLife& life : lives) {
            for (std::size_t stream = 0; stream < streams_; ++stream) {
                const std::uint32_t begin = stream < life.begin.size() ? life.begin[stream] : 0;
                times_.push_back(life.isCreatedByTask ? begin + 1 : 0);
            }
            for (std::size_t stream = 0; stream < streams_; ++stream) {
                const std::uint32_t end = stream < life.end.size() ? life.end[stream] : 0;
                times_.push_back(life.isPermanent ? beyondAll : end + 1);
            }
        }
        for (std::size_t k = 0; k < lives.size(); ++k) {
            const Times both = Times(times_).subspan(2 * streams_ * k, 2 * streams_);
            lives_.push_back({lives[k].size, both.first(streams_), both.last(streams_)});
        }
    }

    [[nodiscard]] std::size_t streams() const { return streams_; }
    [[nodiscard]] const TimedLife& at(std::size_t k) const { return lives_[k]; }

private:
    std::size_t streams_;
    std::vector<std::uint32_t> times_; ///< [life][begin, end][stream], flattened
    std::vector<TimedLife> lives_;
};

struct Taken {
    std::int64_t offset;
    std::int64_t end;
    const TimedLife* life;
};

/// Placed lives, adjacent by offset, that leave no gap for a life that overlaps all of them in
/// time.
class Cover {
public:
    explicit Cover(std::size_t streams) : latestBegin_(streams), earliestEnd_(streams) { clear(); }

    void clear() {
        isEmpty_ = true;
        widestGap_ = 0;
        std::ranges::fill(latestBegin_, 0);
        std::ranges::fill(earliestEnd_, beyondAll);
    }
    [[nodiscard]] bool isEmpty() const { return isEmpty_; }
    [[nodiscard]] std::int64_t end() const { return end_; }

    /// True if the life has no place from the offset to the cover's end.
    [[nodiscard]] bool blocks(const TimedLife& life, std::int64_t offset) const {
        return end_ > offset && first_ < offset + life.size && widestGap_ < life.size &&
               meetsAll(life);
    }

    /// Appends a placed life that overlaps `other` in time and was in its way.
    void append(const Taken& taken, const TimedLife& other) {
        append(taken.offset, taken.end);
        const std::size_t a = furthestAfter(taken.life->end, other.begin);
        earliestEnd_[a] = std::min(earliestEnd_[a], taken.life->end[a]);
        const std::size_t b = furthestAfter(other.end, taken.life->begin);
        latestBegin_[b] = std::max(latestBegin_[b], taken.life->begin[b]);
    }
    void append(const Cover& next) {
        append(next.first_, next.end_);
        widestGap_ = std::max(widestGap_, next.widestGap_);
        for (std::size_t stream = 0; stream < earliestEnd_.size(); ++stream) {
            earliestEnd_[stream] = std::min(earliestEnd_[stream], next.earliestEnd_[stream]);
            latestBegin_[stream] = std::max(latestBegin_[stream], next.latestBegin_[stream]);
        }
    }

    std::uint64_t lastUse = 0;

private:
    void append(std::int64_t first, std::int64_t end) {
        if (isEmpty_) {
            first_ = first;
        } else {
            widestGap_ = std::max(widestGap_, first - end_);
        }
        isEmpty_ = false;
        end_ = end;
    }

    /// Returns the stream on which `later` exceeds `earlier` by most tasks.
    [[nodiscard]] static std::size_t furthestAfter(Times later, Times earlier) {
        std::size_t best = 0;
        std::uint32_t most = 0;
        for (std::size_t stream = 0; stream < later.size(); ++stream) {
            if (later[stream] > earlier[stream] && later[stream] - earlier[stream] > most) {
                most = later[stream] - earlier[stream];
                best = stream;
            }
        }
        return best;
    }

    [[nodiscard]] bool meetsAll(const TimedLife& life) const {
        for (std::size_t stream = 0; stream < earliestEnd_.size(); ++stream) {
            if (life.begin[stream] >= earliestEnd_[stream] ||
                life.end[stream] <= latestBegin_[stream]) {
                return false;
            }
        }
        return true;
    }

    bool isEmpty_ = true;
    std::int64_t first_ = 0; ///< lowest offset, in bytes
    std::int64_t end_ = 0;
    std::int64_t widestGap_ = 0;
    // Bounds per stream: a life that begins before every earliest end and ends after every latest
    // begin overlaps all lives of the cover in time. Each life contributes to one stream only.
    std::vector<std::uint32_t> latestBegin_;
    std::vector<std::uint32_t> earliestEnd_;
};

/// Lives that are adjacent by offset: a leaf has lives, other nodes have nodes.
struct Node {
    static constexpr std::size_t most = 16; ///< lives of a leaf
    static constexpr std::size_t mostNodes = 8;
    static constexpr std::size_t mostCovers = 8;

    explicit Node(std::size_t streams) : earliestBegin(streams), latestEnd(streams) {}

    void widen(std::int64_t begins, std::int64_t ends, Times begin, Times end_) {
        first = std::min(first, begins);
        end = std::max(end, ends);
        for (std::size_t stream = 0; stream < begin.size(); ++stream) {
            earliestBegin[stream] = std::min(earliestBegin[stream], begin[stream]);
            latestEnd[stream] = std::max(latestEnd[stream], end_[stream]);
        }
    }
    void sum() {
        first = std::numeric_limits<std::int64_t>::max();
        end = 0;
        std::ranges::fill(earliestBegin, beyondAll);
        std::ranges::fill(latestEnd, 0);
        for (const Taken& taken : lives) {
            widen(taken.offset, taken.end, taken.life->begin, taken.life->end);
        }
        for (const auto& node : nodes) {
            widen(node->first, node->end, node->earliestBegin, node->latestEnd);
        }
        covers.clear();
    }

    std::int64_t first = 0;
    std::int64_t end = 0; ///< largest end
    std::vector<std::uint32_t> earliestBegin;
    std::vector<std::uint32_t> latestEnd;
    std::vector<Taken> lives; ///< sorted by offset
    std::vector<std::unique_ptr<Node>> nodes;
    std::vector<Cover> covers; ///< those used last
};

/// Moves the second half of a vector to another.
template <class T>
void moveHalf(std::vector<T>& from, std::vector<T>& to) {
    const auto middle = from.begin() + static_cast<std::ptrdiff_t>(from.size() / 2);
    to.assign(std::make_move_iterator(middle), std::make_move_iterator(from.end()));
    from.erase(middle, from.end());
}

class Places {
public:
    explicit Places(std::size_t streams)
        : streams_(streams), root_(std::make_unique<Node>(streams)) {
        root_->sum();
        passed_.resize(2, Cover(streams));
    }

    [[nodiscard]] std::int64_t lowestFor(const TimedLife& life) {
        std::int64_t offset = 0;
        ++queries_;
        pass(*root_, life, offset, 0);
        return offset;
    }

    void take(const TimedLife& life, std::int64_t offset) {
        if (auto other = insert(*root_, {offset, offset + life.size, &life})) {
            auto root = std::make_unique<Node>(streams_);
            root->nodes.push_back(std::move(root_));
            root->nodes.push_back(std::move(other));
            root->sum();
            root_ = std::move(root);
            passed_.emplace_back(streams_);
        }
    }

    [[nodiscard]] std::uint64_t comparisons() const { return comparisons_; }

private:
    /// Moves the offset past lives that would overlap in place and time. True if the life fits in
    /// front of the next one.
    bool pass(Node& node, const TimedLife& life, std::int64_t& offset, std::size_t depth) {
        ++comparisons_;
        if (node.first >= offset + life.size) {
            return true;
        }
        if (node.end <= offset || isOverBy(node.latestEnd, life.begin) ||
            isOverBy(life.end, node.earliestBegin)) {
            return false;
        }
        for (Cover& cover : node.covers) {
            ++comparisons_;
            if (cover.blocks(life, offset)) {
                cover.lastUse = queries_;
                passed_[depth].append(cover);
                offset = cover.end();
                if (node.end <= offset) {
                    return false;
                }
            }
        }
        Cover& passed = passed_[depth + 1];
        passed.clear();
        const bool fits = node.nodes.empty() ? passLives(node, life, offset, passed)
                                             : std::ranges::any_of(node.nodes, [&](auto& part) {
                                                   return pass(*part, life, offset, depth + 1);
                                               });
        if (!passed.isEmpty()) {
            passed_[depth].append(passed);
            if (!fits) {
                remember(node, passed);
            }
        }
        return fits;
    }

    bool passLives(const Node& node, const TimedLife& life, std::int64_t& offset, Cover& passed) {
        for (const Taken& taken : node.lives) {
            ++comparisons_;
            if (taken.offset >= offset + life.size) {
                return true;
            }
            if (taken.end > offset && !isOverBy(taken.life->end, life.begin) &&
                !isOverBy(life.end, taken.life->begin)) {
                passed.append(taken, life);
                offset = taken.end;
            }
        }
        return false;
    }

    void remember(Node& node, const Cover& cover) const {
        if (node.covers.size() < Node::mostCovers) {
            node.covers.push_back(cover);
            node.covers.back().lastUse = queries_;
            return;
        }
        Cover& oldest = *std::ranges::min_element(node.covers, {}, &Cover::lastUse);
        oldest = cover;
        oldest.lastUse = queries_;
    }

    /// Returns the second half of a node that became too large, else nothing.
    std::unique_ptr<Node> insert(Node& node, const Taken& taken) {
        node.widen(taken.offset, taken.end, taken.life->begin, taken.life->end);
        if (node.nodes.empty()) {
            node.lives.insert(
                std::ranges::upper_bound(node.lives, taken.offset, {}, &Taken::offset), taken);
        } else {
            auto at = std::ranges::upper_bound(node.nodes, taken.offset, {},
                                               [](const auto& part) { return part->first; });
            at -= at == node.nodes.begin() ? 0 : 1;
            if (auto other = insert(**at, taken)) {
                node.nodes.insert(at + 1, std::move(other));
            }
        }
        if (node.lives.size() <= Node::most && node.nodes.size() <= Node::mostNodes) {
            return nullptr;
        }
        auto other = std::make_unique<Node>(streams_);
        moveHalf(node.lives, other->lives);
        moveHalf(node.nodes, other->nodes);
        node.sum();
        other->sum();
        return other;
    }

    std::size_t streams_;
    std::unique_ptr<Node> root_;
    std::vector<Cover> passed_; ///< by depth: the lives in the way so far
    std::uint64_t queries_ = 0;
    std::uint64_t comparisons_ = 0;
};

} // namespace

Packing packLives(std::span<const PackedLife> lives) {
    std::vector<std::size_t> bySize(lives.size());
    std::iota(bySize.begin(), bySize.end(), 0U);
    std::ranges::stable_sort(
        bySize, [&](std::size_t a, std::size_t b) { return lives[a].size > lives[b].size; });
    const LifeList list(lives);
    Packing packing{.offsets = std::vector<std::int64_t>(lives.size())};
    Places places(list.streams());
    for (const std::size_t k : bySize) {
        packing.offsets[k] = places.lowestFor(list.at(k));
        if (lives[k].size > 0) {
            places.take(list.at(k), packing.offsets[k]);
        }
    }
    packing.comparisons = places.comparisons();
    return packing;
}

} // namespace weft
