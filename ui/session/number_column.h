// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers in a row that only grow at their end, with the extremes of any stretch of them: blocks of
// 16, then of 4 blocks each, keep least and most, so that a stretch of a million is answered from a
// handful. No number is ever left out of the answer. Holds no lock; one thread at a time.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace weft::ui {

/// Extremes of the finite numbers of a range.
struct Extremes {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    bool hasGap = false; ///< a number that is not finite is among them

    [[nodiscard]] bool isEmpty() const { return least > most; }
    void add(double number);
    void add(const Extremes& others);
    bool operator==(const Extremes&) const = default;
};

class NumberColumn {
public:
    static constexpr std::size_t smallestBlock = 16;
    static constexpr std::size_t fanOut = 4;

    void append(double number);
    /// Only the first `count` stay.
    void truncate(std::size_t count);

    [[nodiscard]] std::size_t size() const { return numbers_.size(); }
    [[nodiscard]] bool isEmpty() const { return numbers_.empty(); }
    [[nodiscard]] double at(std::size_t index) const { return numbers_[index]; }
    [[nodiscard]] std::span<const double> numbers() const { return numbers_; }
    /// Extremes of [first, last); both lie within the column.
    [[nodiscard]] Extremes extremes(std::size_t first, std::size_t last) const;
    /// Largest block that is at most so long; 1 where none is.
    [[nodiscard]] static std::size_t blockWithin(std::size_t length);

private:
    void addToBlocks(std::size_t index);
    [[nodiscard]] Extremes ofBlock(std::size_t level, std::size_t block) const;

    std::vector<double> numbers_;
    std::vector<std::vector<Extremes>> levels_; ///< the last block of each may be begun only
};

} // namespace weft::ui
