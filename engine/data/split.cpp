// SPDX-License-Identifier: Apache-2.0
#include "data/split.h"

#include "data/shuffle.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// A set of examples as bits with fast access to the k-th member, at little more than one bit per
/// example.
class Membership {
public:
    explicit Membership(std::int64_t size)
        : size_(size), words_(static_cast<std::size_t>((size + 63) / 64), 0) {}

    void add(std::int64_t example) {
        words_[static_cast<std::size_t>(example / 64)] |= std::uint64_t{1} << (example % 64);
    }
    void complement() {
        for (std::uint64_t& word : words_) {
            word = ~word;
        }
        if (size_ % 64 != 0) {
            words_.back() &= (std::uint64_t{1} << (size_ % 64)) - 1;
        }
    }
    /// Call when all members are added.
    void count() {
        std::int64_t before = 0;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            if (word % wordsPerBlock == 0) {
                before_.push_back(before);
            }
            before += std::popcount(words_[word]);
        }
        members_ = before;
    }
    [[nodiscard]] std::int64_t members() const { return members_; }
    /// Returns the k-th member, in order.
    [[nodiscard]] std::int64_t member(std::int64_t k) const {
        const auto block = std::prev(std::upper_bound(before_.begin(), before_.end(), k));
        std::int64_t left = k - *block;
        auto word = static_cast<std::size_t>(block - before_.begin()) * wordsPerBlock;
        while (left >= std::popcount(words_[word])) {
            left -= std::popcount(words_[word++]);
        }
        std::uint64_t bits = words_[word];
        for (; left > 0; --left) {
            bits &= bits - 1;
        }
        return static_cast<std::int64_t>(word) * 64 + std::countr_zero(bits);
    }

private:
    static constexpr std::size_t wordsPerBlock = 8;

    std::int64_t size_;
    std::vector<std::uint64_t> words_;
    std::vector<std::int64_t> before_; ///< number of members before each block
    std::int64_t members_ = 0;
};

class Part final : public Source {
public:
    Part(SourcePointer source, Membership examples, bool isAugmented)
        : source_(std::move(source)), examples_(std::move(examples)), isAugmented_(isAugmented) {
        examples_.count();
    }

    [[nodiscard]] std::int64_t size() const override { return examples_.members(); }
    [[nodiscard]] const std::vector<Field>& fields() const override { return source_->fields(); }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        readWith(examples, field, destination,
                 [&](auto piece, auto bytes) { source_->read(piece, field, bytes); });
    }
    void readIn(std::int64_t epoch, std::span<const std::int64_t> examples, std::size_t field,
                std::span<std::byte> destination) const override {
        readWith(examples, field, destination, [&](auto piece, auto bytes) {
            isAugmented_ ? source_->readIn(epoch, piece, field, bytes)
                         : source_->read(piece, field, bytes);
        });
    }

private:
    void readWith(std::span<const std::int64_t> examples, std::size_t field,
                  std::span<std::byte> destination, const auto& readPiece) const {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields()[field]);
        // In pieces, because reading must not allocate.
        std::array<std::int64_t, 256> piece = {};
        while (!examples.empty()) {
            const std::size_t count = std::min(examples.size(), piece.size());
            std::transform(examples.begin(), examples.begin() + static_cast<std::ptrdiff_t>(count),
                           piece.begin(),
                           [this](std::int64_t example) { return examples_.member(example); });
            readPiece(std::span<const std::int64_t>(piece).first(count),
                      destination.first(count * bytes));
            examples = examples.subspan(count);
            destination = destination.subspan(count * bytes);
        }
    }

    SourcePointer source_;
    Membership examples_;
    bool isAugmented_;
};

/// Returns how many of each class are held out, `held` in all: the share of each, rounded by the
/// largest remainders, and not all of a class where that is possible.
std::vector<std::int64_t> quotasOf(std::span<const std::int32_t> strata, std::int64_t held) {
    std::vector<std::int64_t> counts;
    for (const std::int32_t stratum : strata) {
        counts.resize(std::max(counts.size(), static_cast<std::size_t>(stratum) + 1));
        ++counts[static_cast<std::size_t>(stratum)];
    }
    const auto size = static_cast<std::int64_t>(strata.size());
    std::vector<std::int64_t> quotas;
    std::vector<std::size_t> order;
    std::int64_t left = held;
    for (const std::int64_t count : counts) {
        order.push_back(quotas.size());
        quotas.push_back(count * held / size);
        left -= quotas.back();
    }
    const auto isUsedUp = [&](std::size_t k) { return quotas[k] + 1 >= counts[k]; };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if (isUsedUp(a) != isUsedUp(b)) {
            return isUsedUp(b);
        }
        return counts[a] * held % size > counts[b] * held % size;
    });
    for (std::size_t k = 0; left > 0; k = (k + 1) % order.size()) {
        if (quotas[order[k]] < counts[order[k]]) {
            ++quotas[order[k]];
            --left;
        }
    }
    return quotas;
}

} // namespace

std::int64_t heldOutCount(std::int64_t size, double share) {
    if (!(share > 0 && share < 1) || size < 2) {
        throw Error(
            ErrorCode::design, {},
            fmt::format("data: a fraction of {} cannot be held out of {} examples", share, size),
            "set data.validation to a fraction between 0 and 1, and use at least two examples");
    }
    return std::clamp<std::int64_t>(std::llround(share * static_cast<double>(size)), 1, size - 1);
}

TrainingSplit holdOut(const SourcePointer& source, double share, std::int64_t seed,
                      std::span<const std::int32_t> strata) {
    const std::int64_t size = source->size();
    const std::int64_t held = heldOutCount(size, share);
    ensure(strata.empty() || std::ssize(strata) == size, "each example has its class");
    const Permutation order(size, {.seed = static_cast<std::uint64_t>(seed), .role = "hold out"});
    Membership validation(size);
    std::vector<std::int64_t> quotas =
        strata.empty() ? std::vector<std::int64_t>{held} : quotasOf(strata, held);
    std::int64_t left = held;
    for (std::int64_t i = 0; left > 0; ++i) {
        const std::int64_t example = order(i);
        const auto stratum =
            strata.empty() ? 0U
                           : static_cast<std::size_t>(strata[static_cast<std::size_t>(example)]);
        if (quotas[stratum] > 0) {
            --quotas[stratum];
            --left;
            validation.add(example);
        }
    }
    Membership training = validation;
    training.complement();
    return {std::make_shared<Part>(source, std::move(training), true),
            std::make_shared<Part>(source, std::move(validation), false)};
}

AttributeSpec splitSeedAttribute() {
    return {.name = "split_seed",
            .defaultValue = std::int64_t{0},
            .help = "Random seed of the examples that data.validation holds out, of each class the "
                    "same share."};
}

} // namespace weft
