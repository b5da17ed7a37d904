// SPDX-License-Identifier: Apache-2.0
// First fit by size. A network of many layers has tens of thousands of lives, and comparing each
// with all placed lives would be slow. So placed lives are in blocks by offset, and for most lives
// a whole block is known to overlap in time entirely or not at all.
#include "schedule/memory/pack_lives.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

namespace weft {

namespace {

bool isOverBy(std::span<const std::uint32_t> end, std::span<const std::uint32_t> begin) {
    for (std::size_t stream = 0; stream < end.size(); ++stream) {
        if (end[stream] > begin[stream]) {
            return false;
        }
    }
    return true;
}

/// True if a is over when b begins.
bool endsBefore(const PackedLife& a, const PackedLife& b) {
    return !a.isAlways && b.isMade && isOverBy(a.end, b.begin);
}

bool meet(const PackedLife& a, const PackedLife& b) {
    return !endsBefore(a, b) && !endsBefore(b, a);
}

struct Taken {
    std::int64_t offset;
    std::int64_t end;
    const PackedLife* life;
};

/// A run of lives that are adjacent by offset, with bounds that hold for all of them.
class Block {
public:
    static constexpr std::size_t most = 256;

    explicit Block(std::vector<Taken> taken) : taken_(std::move(taken)) { sum(); }

    [[nodiscard]] std::int64_t first() const { return taken_.front().offset; }
    [[nodiscard]] bool isFull() const { return taken_.size() > most; }

    void insert(const Taken& one) {
        taken_.insert(std::ranges::upper_bound(taken_, one.offset, {}, &Taken::offset), one);
        widen(*one.life);
        measureGaps();
    }
    /// Keeps the first half and returns the other.
    [[nodiscard]] Block split() {
        const auto middle = taken_.begin() + static_cast<std::ptrdiff_t>(taken_.size() / 2);
        Block other(std::vector<Taken>(middle, taken_.end()));
        taken_.erase(middle, taken_.end());
        sum();
        return other;
    }

    /// Moves the offset past lives that would overlap in place and time. True if the life fits in
    /// front of the next one.
    [[nodiscard]] bool pass(const PackedLife& life, std::int64_t& offset) const {
        if (allEndBefore(life) || allBeginAfter(life)) {
            return false; // the next block begins behind any place where the life would fit
        }
        if (widestGap_ < life.size && allMeet(life)) {
            offset = std::max(offset, end_);
            return false;
        }
        for (const Taken& there : taken_) {
            if (there.offset >= offset + life.size) {
                return true;
            }
            if (there.end > offset && meet(life, *there.life)) {
                offset = there.end;
            }
        }
        return false;
    }

private:
    void sum() {
        const std::size_t streams = taken_.front().life->begin.size();
        constexpr std::uint32_t beyondAll = std::numeric_limits<std::uint32_t>::max();
        earliestBegin_.assign(streams, beyondAll);
        latestBegin_.assign(streams, 0);
        users_.clear();
        latestEnd_.assign(streams, 0);
        isAnyAlways_ = false;
        isAnyUnmade_ = false;
        for (const Taken& one : taken_) {
            widen(*one.life);
        }
        measureGaps();
    }

    void widen(const PackedLife& life) {
        isAnyAlways_ = isAnyAlways_ || life.isAlways;
        isAnyUnmade_ = isAnyUnmade_ || !life.isMade;
        for (std::size_t stream = 0; stream < life.begin.size(); ++stream) {
            earliestBegin_[stream] = std::min(earliestBegin_[stream], life.begin[stream]);
            latestEnd_[stream] = std::max(latestEnd_[stream], life.end[stream]);
            if (life.isMade) {
                latestBegin_[stream] = std::max(latestBegin_[stream], life.begin[stream]);
            }
        }
        if (!life.isAlways) {
            std::uint64_t streams = 0;
            for (std::size_t stream = 0; stream < life.end.size(); ++stream) {
                streams |= life.end[stream] > 0 ? std::uint64_t{1} << stream % 64 : 0;
            }
            auto users = std::ranges::find(users_, streams, &Users::streams);
            if (users == users_.end()) {
                users = users_.insert(users_.end(), {streams, {life.end.begin(), life.end.end()}});
            }
            for (std::size_t stream = 0; stream < life.end.size(); ++stream) {
                users->earliestEnd[stream] = std::min(users->earliestEnd[stream], life.end[stream]);
            }
        }
    }

    void measureGaps() {
        end_ = first();
        widestGap_ = 0;
        for (const Taken& one : taken_) {
            widestGap_ = std::max(widestGap_, one.offset - end_);
            end_ = std::max(end_, one.end);
        }
    }

    [[nodiscard]] bool allEndBefore(const PackedLife& life) const {
        return !isAnyAlways_ && life.isMade && isOverBy(latestEnd_, life.begin);
    }
    [[nodiscard]] bool allBeginAfter(const PackedLife& life) const {
        return !isAnyUnmade_ && !life.isAlways && isOverBy(life.end, earliestBegin_);
    }
    /// True only if certain; false means unknown.
    [[nodiscard]] bool allMeet(const PackedLife& life) const {
        const bool noneEndsBefore =
            !life.isMade || std::ranges::none_of(users_, [&](const Users& users) {
                return isOverBy(users.earliestEnd, life.begin);
            });
        const bool noneBeginsAfter = life.isAlways || !isOverBy(life.end, latestBegin_);
        return noneEndsBefore && noneBeginsAfter;
    }

    /// Lives that are used on the same streams: if a stream has not reached the end of any of them,
    /// none of them is over.
    struct Users {
        std::uint64_t streams;
        std::vector<std::uint32_t> earliestEnd; ///< per stream
    };

    std::vector<Taken> taken_; ///< sorted by offset
    // By stream.
    std::vector<std::uint32_t> earliestBegin_;
    std::vector<std::uint32_t> latestEnd_;
    std::vector<std::uint32_t> latestBegin_; ///< latest begin among lives that tasks create
    std::vector<Users> users_;               ///< users of lives that are not always alive
    bool isAnyAlways_ = false;
    bool isAnyUnmade_ = false;
    std::int64_t end_ = 0;       ///< largest end of all lives
    std::int64_t widestGap_ = 0; ///< between a life's offset and the ends of all lives before it
};

class Places {
public:
    [[nodiscard]] std::int64_t lowestFor(const PackedLife& life) const {
        std::int64_t offset = 0;
        for (const Block& block : blocks_) {
            if (block.first() >= offset + life.size || block.pass(life, offset)) {
                break;
            }
        }
        return offset;
    }

    void take(const PackedLife& life, std::int64_t offset) {
        const Taken one{offset, offset + life.size, &life};
        if (blocks_.empty()) {
            blocks_.emplace_back(std::vector{one});
            return;
        }
        auto block = std::ranges::upper_bound(blocks_, offset, {}, &Block::first);
        block -= block == blocks_.begin() ? 0 : 1;
        block->insert(one);
        if (block->isFull()) {
            Block other = block->split();
            blocks_.insert(block + 1, std::move(other));
        }
    }

private:
    std::vector<Block> blocks_; ///< sorted by offset
};

} // namespace

std::vector<std::int64_t> packLives(std::span<const PackedLife> lives) {
    std::vector<std::size_t> bySize(lives.size());
    std::iota(bySize.begin(), bySize.end(), 0U);
    std::ranges::stable_sort(
        bySize, [&](std::size_t a, std::size_t b) { return lives[a].size > lives[b].size; });
    std::vector<std::int64_t> offsets(lives.size());
    Places places;
    for (const std::size_t k : bySize) {
        offsets[k] = places.lowestFor(lives[k]);
        if (lives[k].size > 0) {
            places.take(lives[k], offsets[k]);
        }
    }
    return offsets;
}

} // namespace weft
