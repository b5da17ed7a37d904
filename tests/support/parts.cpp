// SPDX-License-Identifier: Apache-2.0
#include "support/parts.h"

#include "place/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weft::test {

namespace {

struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Splits one letter of one case.
class Splitter {
public:
    Splitter(const OpCase& one, const CaseLetters& letters, Letter letter)
        : one_(one), letters_(letters), letter_(letter) {
        if (one.op->windows) {
            windows_ = one.op->windows(one.signature);
        }
    }

    [[nodiscard]] LocalCase part(Range range) const {
        LocalCase local{.name = fmt::format("{}, {} in [{}, {})", one_.name, name(letter_),
                                            range.begin, range.end)};
        for (std::size_t k = 0; k < one_.inputs.size(); ++k) {
            local.inputs.push_back(
                partOf(one_.signature.inputs[k], letters_.rule.operands[k], range));
            local.numbers.push_back(
                sliceOf(one_.inputs[k], local.inputs[k].begin, local.inputs[k].shape));
        }
        for (std::size_t k = 0; k < one_.outputs.size(); ++k) {
            local.outputs.push_back(partOf(one_.outputs[k], letters_.rule.results[k].value, range));
        }
        return local;
    }

private:
    [[nodiscard]] const std::string& name(Letter letter) const {
        return letters_.rule.letters[static_cast<std::size_t>(letter)].name;
    }

    [[nodiscard]] TensorPart partOf(const TensorType& type, const RuleValue& value,
                                    Range range) const {
        TensorPart part = wholePart(type.dtype, type.shape);
        for (std::size_t dim = 0; dim < value.dims.size(); ++dim) {
            const RuleDim& entry = value.dims[dim];
            const auto found = std::ranges::find(entry.letters, letter_);
            if (found == entry.letters.end() ||
                (entry.kind != RuleDim::Kind::plain && found != entry.letters.begin())) {
                continue;
            }
            const Range held = entry.kind == RuleDim::Kind::plain
                                   ? inGrains(entry, found - entry.letters.begin(), range)
                                   : met(entry, type.shape[dim], range);
            part.begin[dim] = held.begin;
            part.shape[dim] = held.end - held.begin;
        }
        return part;
    }

    /// A factor's range in elements: later letters make its grain.
    [[nodiscard]] Range inGrains(const RuleDim& dim, std::ptrdiff_t factor, Range range) const {
        std::int64_t grain = 1;
        for (auto k = static_cast<std::size_t>(factor) + 1; k < dim.letters.size(); ++k) {
            grain *= letters_.sizes[static_cast<std::size_t>(dim.letters[k])];
        }
        return {range.begin * grain, range.end * grain};
    }

    /// `y:k`: the positions that outputs of the range read. `y/k`: the outputs that read positions
    /// of the range.
    [[nodiscard]] Range met(const RuleDim& dim, std::int64_t size, Range range) const {
        const Window& window = *std::ranges::find(windows_, name(letter_), &Window::letter);
        const bool isReversed = dim.kind == RuleDim::Kind::reversed;
        const std::int64_t outputs =
            isReversed ? size : letters_.sizes[static_cast<std::size_t>(letter_)];
        Range held{size, 0};
        for (std::int64_t y = 0; y < outputs; ++y) {
            for (std::int64_t k = 0; k < window.kernel; ++k) {
                const std::int64_t position =
                    y * window.stride - window.padBefore + k * window.dilation;
                const std::int64_t given = isReversed ? position : y;
                const std::int64_t wanted = isReversed ? y : position;
                if (given >= range.begin && given < range.end && wanted >= 0 && wanted < size) {
                    held = {std::min(held.begin, wanted), std::max(held.end, wanted + 1)};
                }
            }
        }
        return held.begin < held.end ? held : Range{0, 0};
    }

    const OpCase& one_;
    const CaseLetters& letters_;
    Letter letter_;
    std::vector<Window> windows_;
};

bool isEmpty(const LocalCase& local) {
    const auto empty = [](const TensorPart& part) { return part.elements() == 0; };
    return std::ranges::any_of(local.inputs, empty) || std::ranges::any_of(local.outputs, empty);
}

} // namespace

LocalCase wholeCase(const OpCase& one) {
    LocalCase local{.name = one.name};
    for (const Tensor& input : one.inputs) {
        local.inputs.push_back(wholePart(input.dtype, input.shape));
        local.numbers.push_back(input);
    }
    for (const TensorType& output : one.outputs) {
        local.outputs.push_back(wholePart(output.dtype, output.shape));
    }
    return local;
}

std::vector<LocalCase> localCases(const OpCase& one) {
    const CaseLetters letters = lettersOf(one);
    std::vector<bool> isInteger;
    isInteger.reserve(one.inputs.size());
    for (const Tensor& input : one.inputs) {
        isInteger.push_back(!isFloating(input.dtype));
    }
    std::set<Letter> split;
    for (const PlacementRow& row : deriveRows(letters.rule, letters.sizes, isInteger)) {
        split.insert(row.letter);
    }
    split.erase(noLetter);
    std::vector<LocalCase> cases;
    for (const Letter letter : split) {
        const Splitter splitter(one, letters, letter);
        const std::int64_t size = letters.sizes[static_cast<std::size_t>(letter)];
        const std::int64_t middle = (size + 1) / 2;
        for (const Range& range : {Range{0, middle}, Range{middle, size}}) {
            LocalCase local = splitter.part(range);
            if (!isEmpty(local)) {
                cases.push_back(std::move(local));
            }
        }
    }
    return cases;
}

} // namespace weft::test
