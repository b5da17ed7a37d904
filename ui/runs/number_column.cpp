// SPDX-License-Identifier: Apache-2.0
#include "runs/number_column.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

void Extremes::add(double number) {
    if (!std::isfinite(number)) {
        hasGap = true;
        return;
    }
    least = std::min(least, number);
    most = std::max(most, number);
}

void Extremes::add(const Extremes& others) {
    least = std::min(least, others.least);
    most = std::max(most, others.most);
    hasGap = hasGap || others.hasGap;
}

void NumberColumn::append(double number) {
    numbers_.push_back(number);
    addToBlocks(numbers_.size() - 1);
}

void NumberColumn::addToBlocks(std::size_t index) {
    const double number = numbers_[index];
    std::size_t block = index / smallestBlock;
    for (std::size_t level = 0;; ++level) {
        if (level == blockLevels_.size()) {
            if (level > 0 && blockLevels_[level - 1].size() < 2) {
                return;
            }
            blockLevels_.emplace_back();
        }
        std::vector<Extremes>& blocks = blockLevels_[level];
        if (block >= blocks.size()) {
            // A new level starts with the blocks of the level below.
            while (blocks.size() < block) {
                blocks.push_back(extremesOfBlock(level, blocks.size()));
            }
            blocks.push_back(extremesOfBlock(level, block));
        } else {
            Extremes widened = blocks[block];
            widened.add(number);
            if (widened == blocks[block]) {
                return; // the larger blocks already contain the value too
            }
            blocks[block] = widened;
        }
        block /= fanOut;
    }
}

Extremes NumberColumn::extremesOfBlock(std::size_t level, std::size_t block) const {
    Extremes sum;
    if (level == 0) {
        const std::size_t last = std::min((block + 1) * smallestBlock, numbers_.size());
        for (std::size_t i = block * smallestBlock; i < last; ++i) {
            sum.add(numbers_[i]);
        }
        return sum;
    }
    const std::vector<Extremes>& below = blockLevels_[level - 1];
    const std::size_t last = std::min((block + 1) * fanOut, below.size());
    for (std::size_t i = block * fanOut; i < last; ++i) {
        sum.add(below[i]);
    }
    return sum;
}

void NumberColumn::truncate(std::size_t count) {
    if (count >= numbers_.size()) {
        return;
    }
    numbers_.resize(count);
    std::size_t size = smallestBlock;
    for (std::size_t level = 0; level < blockLevels_.size(); ++level, size *= fanOut) {
        std::vector<Extremes>& blocks = blockLevels_[level];
        blocks.resize(std::min(blocks.size(), (count + size - 1) / size));
        if (!blocks.empty()) {
            blocks.back() = extremesOfBlock(level, blocks.size() - 1);
        }
    }
    while (blockLevels_.size() > 1 && blockLevels_[blockLevels_.size() - 2].size() < 2) {
        blockLevels_.pop_back();
    }
}

Extremes NumberColumn::extremes(std::size_t first, std::size_t last) const {
    Extremes sum;
    while (first < last) {
        std::size_t size = 1;
        std::size_t next = smallestBlock;
        std::size_t level = 0;
        while (level < blockLevels_.size() && first % next == 0 &&
               std::min(first + next, numbers_.size()) <= last) {
            size = next;
            next *= fanOut;
            ++level;
        }
        if (level == 0) {
            sum.add(numbers_[first]);
        } else {
            sum.add(blockLevels_[level - 1][first / size]);
        }
        first += size;
    }
    return sum;
}

std::size_t NumberColumn::largestBlockWithin(std::size_t length) {
    if (length < smallestBlock) {
        return 1;
    }
    std::size_t block = smallestBlock;
    while (block * fanOut <= length) {
        block *= fanOut;
    }
    return block;
}

} // namespace weft::ui
