// SPDX-License-Identifier: Apache-2.0
#pragma once
// The placements under which one value exists, in the order of the steps in which they came about.
// Most have one or two: they need no memory of their own.

#include "place/plan.h"
#include "place/spreads.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace weft {

class HeldList {
public:
    struct Held {
        SpreadId spread;
        PlacedId placed;
        std::uint32_t step = 0; ///< in which it came about
    };

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const Held* begin() const { return more_.empty() ? few_.data() : more_.data(); }
    [[nodiscard]] const Held* end() const { return begin() + size_; }

    void insert(std::size_t at, Held held) {
        if (more_.empty() && size_ == few_.size()) {
            more_.assign(few_.begin(), few_.end());
        }
        if (more_.empty()) {
            std::copy_backward(few_.begin() + at, few_.begin() + size_, few_.begin() + size_ + 1);
            few_[at] = held;
        } else {
            more_.insert(more_.begin() + static_cast<std::ptrdiff_t>(at), held);
        }
        ++size_;
    }
    void erase(PlacedId placed) {
        Held* first = more_.empty() ? few_.data() : more_.data();
        Held* kept = std::remove_if(first, first + size_,
                                    [&](const Held& held) { return held.placed == placed; });
        size_ = static_cast<std::uint32_t>(kept - first);
        if (!more_.empty()) {
            more_.resize(std::max<std::size_t>(size_, 1)); // it stays in use
        }
    }

private:
    std::array<Held, 2> few_;
    std::uint32_t size_ = 0;
    std::vector<Held> more_;
};

} // namespace weft
