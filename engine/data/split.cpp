// SPDX-License-Identifier: Apache-2.0
#include "data/split.h"

#include "data/shuffle.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace weft {

namespace {

template <class Index>
class Subset final : public Source {
public:
    Subset(SourcePointer source, std::vector<Index> examples)
        : source_(std::move(source)), examples_(std::move(examples)) {}

    [[nodiscard]] std::int64_t size() const override {
        return static_cast<std::int64_t>(examples_.size());
    }
    [[nodiscard]] const std::vector<Field>& fields() const override { return source_->fields(); }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields()[field]);
        // In pieces, because nothing is allocated here.
        std::array<std::int64_t, 256> piece = {};
        while (!examples.empty()) {
            const std::size_t count = std::min(examples.size(), piece.size());
            for (std::size_t i = 0; i < count; ++i) {
                piece[i] = examples_[static_cast<std::size_t>(examples[i])];
            }
            source_->read(std::span(piece).first(count), field, destination.first(count * bytes));
            examples = examples.subspan(count);
            destination = destination.subspan(count * bytes);
        }
    }

private:
    SourcePointer source_;
    std::vector<Index> examples_;
};

template <class Index>
HeldOut divided(const SourcePointer& source, std::int64_t held) {
    const std::int64_t size = source->size();
    const Permutation order(size, {.seed = 0, .role = "hold out"});
    std::vector<Index> validation(static_cast<std::size_t>(held));
    for (std::int64_t i = 0; i < held; ++i) {
        validation[static_cast<std::size_t>(i)] = static_cast<Index>(order(i));
    }
    std::sort(validation.begin(), validation.end());
    std::vector<Index> training;
    training.reserve(static_cast<std::size_t>(size - held));
    auto next = validation.begin();
    for (std::int64_t example = 0; example < size; ++example) {
        if (next != validation.end() && static_cast<std::int64_t>(*next) == example) {
            ++next;
        } else {
            training.push_back(static_cast<Index>(example));
        }
    }
    return {std::make_shared<Subset<Index>>(source, std::move(training)),
            std::make_shared<Subset<Index>>(source, std::move(validation))};
}

} // namespace

HeldOut holdOut(const SourcePointer& source, double share) {
    const std::int64_t size = source->size();
    if (!(share > 0 && share < 1) || size < 2) {
        throw Error(
            ErrorCode::design, {},
            fmt::format("data: a share of {} cannot be held out of {} examples", share, size),
            "set validation to a share between 0 and 1, and have two examples at least");
    }
    const std::int64_t held =
        std::clamp<std::int64_t>(std::llround(share * static_cast<double>(size)), 1, size - 1);
    // Half the memory wherever the numbers allow it.
    return size <= std::numeric_limits<std::uint32_t>::max() ? divided<std::uint32_t>(source, held)
                                                             : divided<std::int64_t>(source, held);
}

SourcePointer subset(SourcePointer source, std::vector<std::int64_t> examples) {
    return std::make_shared<Subset<std::int64_t>>(std::move(source), std::move(examples));
}

} // namespace weft
