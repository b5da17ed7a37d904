// SPDX-License-Identifier: Apache-2.0
#include "place/axis_cuts.h"

#include <algorithm>
#include <optional>

namespace weft {

namespace {

constexpr std::size_t mostChoices = 4; ///< candidates per axis; few operands have different cuts

class Cutting {
public:
    Cutting(const Shardings& shardings, const PlacementQuestion& question,
            const std::vector<const PlacementRow*>& rows)
        : shardings_(shardings),
          ask_(question),
          rule_(*question.rule),
          mesh_(shardings.at(question.mesh)),
          rows_(rows) {}

    std::vector<CutsPerAxis> run() {
        std::vector<CutsPerAxis> choices;
        for (const OperandState& operand : ask_.operands) {
            const auto k = static_cast<std::size_t>(&operand - ask_.operands.data());
            for (const ShardingId id : operand.held) {
                if (shardings_.at(id).mesh == ask_.mesh) {
                    collect(k, shardings_.at(id).placements);
                }
            }
        }
        CutsPerAxis cuts(rows_.size());
        combine(cuts, 0, choices);
        return choices;
    }

private:
    [[nodiscard]] Letter letter(std::size_t axis) const { return rows_[axis]->letter; }

    /// True if an earlier axis splits the same letter.
    [[nodiscard]] bool isInner(std::size_t axis) const {
        for (std::size_t outer = 0; outer < axis; ++outer) {
            if (letter(outer) == letter(axis)) {
                return true;
            }
        }
        return false;
    }

    /// Collects the cuts that this placement of an operand offers.
    void collect(std::size_t operand, const Placements& placements) {
        offered_.resize(rows_.size());
        for (std::size_t axis = 0; axis < rows_.size(); ++axis) {
            if (letter(axis) == noLetter ||
                rows_[axis]->operands[operand] != Placement::Kind::split) {
                continue;
            }
            auto cut = cutIn(operand, axis, placements[axis]);
            if (cut && std::ranges::find(offered_[axis], *cut) == offered_[axis].end() &&
                offered_[axis].size() < mostChoices) {
                offered_[axis].push_back(std::move(*cut));
            }
        }
    }

    /// Returns none if the placement does not split the letter in whole units.
    [[nodiscard]] std::optional<AxisCuts> cutIn(std::size_t operand, std::size_t axis,
                                                const Placement& placement) const {
        const RuleValue& value = rule_.rule.operands[operand];
        const RuleValue::LetterPlace place = value.find(letter(axis));
        if (!placement.isSplit() || place.dim != placement.dim) {
            return std::nullopt;
        }
        const std::int64_t step =
            rule_.strideOf(value.dims[static_cast<std::size_t>(place.dim)], place.indexInDim);
        AxisCuts cut{placement.cuts, std::max<std::int64_t>(1, placement.grain / step)};
        for (std::int64_t& at : cut.cuts) {
            if (at % step != 0) {
                return std::nullopt;
            }
            at /= step;
        }
        return cut;
    }

    void combine(CutsPerAxis& cuts, std::size_t axis, std::vector<CutsPerAxis>& choices) const {
        if (axis == rows_.size()) {
            choices.push_back(cuts);
            return;
        }
        if (letter(axis) == noLetter) {
            combine(cuts, axis + 1, choices);
            return;
        }
        bool isOffered = false;
        for (std::size_t k = 0; axis < offered_.size() && k < offered_[axis].size(); ++k) {
            if (nests(offered_[axis][k], cuts, axis)) {
                isOffered = true;
                cuts[axis] = offered_[axis][k];
                combine(cuts, axis + 1, choices);
            }
        }
        if (!isOffered) {
            cuts[axis] = balanced(cuts, axis);
            combine(cuts, axis + 1, choices);
        }
    }

    /// Returns begin and end of every part into which the earlier axes split this letter.
    [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>>
    outerParts(const CutsPerAxis& cuts, std::size_t axis) const {
        std::vector<std::pair<std::int64_t, std::int64_t>> parts{{0, rule_.size(letter(axis))}};
        for (std::size_t outer = 0; outer < axis; ++outer) {
            if (letter(outer) == letter(axis)) {
                parts.clear();
                const auto width = static_cast<std::size_t>(mesh_.shape[outer]) + 1;
                for (std::size_t k = 0; k + 1 < cuts[outer].cuts.size(); ++k) {
                    if ((k + 1) % width != 0) {
                        parts.emplace_back(cuts[outer].cuts[k], cuts[outer].cuts[k + 1]);
                    }
                }
            }
        }
        return parts;
    }

    [[nodiscard]] bool nests(const AxisCuts& cut, const CutsPerAxis& cuts, std::size_t axis) const {
        const auto parts = outerParts(cuts, axis);
        const auto width = static_cast<std::size_t>(mesh_.shape[axis]) + 1;
        if (cut.cuts.size() != parts.size() * width) {
            return false;
        }
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (cut.cuts[k * width] != parts[k].first ||
                cut.cuts[k * width + width - 1] != parts[k].second) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] AxisCuts balanced(const CutsPerAxis& cuts, std::size_t axis) const {
        AxisCuts cut{{}, std::max<std::int64_t>(1, ask_.requested[axis].grain)};
        if (isInner(axis)) {
            for (std::size_t outer = 0; outer < axis; ++outer) {
                if (letter(outer) == letter(axis)) {
                    cut.grain = std::max(cut.grain, cuts[outer].grain);
                }
            }
        }
        for (const auto& [begin, end] : outerParts(cuts, axis)) {
            const auto row = balancedCuts(begin, end, mesh_.shape[axis], cut.grain);
            cut.cuts.insert(cut.cuts.end(), row.begin(), row.end());
        }
        return cut;
    }

    const Shardings& shardings_;
    const PlacementQuestion& ask_;
    const NodeRule& rule_;
    const Mesh& mesh_;
    const std::vector<const PlacementRow*>& rows_;
    std::vector<std::vector<AxisCuts>> offered_; ///< per axis
};

} // namespace

std::vector<CutsPerAxis> candidateCuts(const Shardings& shardings,
                                       const PlacementQuestion& question,
                                       const std::vector<const PlacementRow*>& rows) {
    return Cutting(shardings, question, rows).run();
}

bool hasEmptyPart(const AxisCuts& cut, std::int64_t parts) {
    const auto width = static_cast<std::size_t>(parts) + 1;
    for (std::size_t k = 0; k + 1 < cut.cuts.size(); ++k) {
        if ((k + 1) % width != 0 && cut.cuts[k] == cut.cuts[k + 1]) {
            return true;
        }
    }
    return false;
}

Placement splitOf(const NodeRule& rule, const RuleValue& value, Letter letter,
                  const AxisCuts& cut) {
    const RuleValue::LetterPlace place = value.find(letter);
    const std::int64_t step =
        rule.strideOf(value.dims[static_cast<std::size_t>(place.dim)], place.indexInDim);
    Placement placement{Placement::Kind::split, place.dim, cut.grain * step, cut.cuts};
    for (std::int64_t& at : placement.cuts) {
        at *= step;
    }
    return placement;
}

Letter majorFactorOf(const NodeRule& rule, const RuleValue& value, int dim) {
    const auto& letters = value.dims[static_cast<std::size_t>(dim)].letters;
    for (const Letter letter : letters) {
        if (rule.size(letter) != 1) {
            return letter;
        }
    }
    return letters.front();
}

} // namespace weft
