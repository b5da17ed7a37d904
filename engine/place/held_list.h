// SPDX-License-Identifier: Apache-2.0
#pragma once
// The placements under which one value exists. Most have one or two: they need no memory of their
// own.

#include "place/plan.h"
#include "place/spreads.h"

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

    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const Held* begin() const { return more_.empty() ? few_.data() : more_.data(); }
    [[nodiscard]] const Held* end() const { return begin() + size_; }
    [[nodiscard]] const Held& front() const { return *begin(); }
    [[nodiscard]] const Held& back() const { return begin()[size_ - 1]; }

    void push_back(Held held) { // NOLINT(readability-identifier-naming): as containers have it
        if (size_ < few_.size()) {
            few_[size_] = held;
        } else {
            if (size_ == few_.size()) {
                more_.assign(few_.begin(), few_.end());
            }
            more_.push_back(held);
        }
        ++size_;
    }

private:
    std::array<Held, 2> few_;
    std::uint32_t size_ = 0;
    std::vector<Held> more_;
};

} // namespace weft
