// SPDX-License-Identifier: Apache-2.0
#pragma once
// An append-only column of numbers with fast minimum and maximum of any range: blocks of 16 values,
// then of 4 blocks each, store their extremes, so that a million values are summarised from a few
// blocks. Every value counts. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace weft::ui {

/// Minimum and maximum of the finite values in a range.
struct Extremes {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    bool hasGap = false; ///< the range contains a value that is not finite

    [[nodiscard]] bool isEmpty() const { return least > most; } ///< no finite value
    void add(double number);
    void add(const Extremes& others);
    bool operator==(const Extremes&) const = default;
};

class NumberColumn {
public:
    static constexpr std::size_t smallestBlock = 16; ///< values in a block
    static constexpr std::size_t fanOut = 4;         ///< blocks in a larger block

    void append(double number);
    void truncate(std::size_t count); ///< keeps only the first `count` values

    [[nodiscard]] std::size_t size() const { return numbers_.size(); }
    [[nodiscard]] bool isEmpty() const { return numbers_.empty(); }
    [[nodiscard]] double at(std::size_t index) const { return numbers_[index]; }
    [[nodiscard]] std::span<const double> numbers() const { return numbers_; }
    /// Returns the extremes of [first, last), which must lie within the column.
    [[nodiscard]] Extremes extremes(std::size_t first, std::size_t last) const;
    /// Returns the size of the largest block of at most `length` values, or 1.
    [[nodiscard]] static std::size_t largestBlockWithin(std::size_t length);

private:
    void addToBlocks(std::size_t index);
    [[nodiscard]] Extremes extremesOfBlock(std::size_t level, std::size_t block) const;

    std::vector<double> numbers_;
    std::vector<std::vector<Extremes>> blockLevels_; ///< each last block may be incomplete
};

} // namespace weft::ui
