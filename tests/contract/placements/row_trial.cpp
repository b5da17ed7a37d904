// SPDX-License-Identifier: Apache-2.0
#include "row_trial.h"

#include "graph/builder.h"
#include <weft/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace weft::test {

namespace {

using Kind = Placement::Kind;

/// Parts of [begin, end): balanced, or one each and the rest to the last.
std::vector<std::int64_t> cutsOf(std::int64_t begin, std::int64_t end, std::int64_t parts,
                                 bool isSkewed) {
    if (!isSkewed) {
        return balancedCuts(begin, end, parts);
    }
    std::vector<std::int64_t> cuts;
    for (std::int64_t part = 0; part < parts; ++part) {
        cuts.push_back(std::min(begin + part, end));
    }
    cuts.push_back(end);
    return cuts;
}

} // namespace

RowTrial::RowTrial(const OpList& ops, OpCase one, Oracle& oracle)
    : case_(std::move(one)), oracle_(oracle) {
    Builder builder(graph_, ops);
    std::vector<ValueId> inputs;
    inputs.reserve(case_.inputs.size());
    for (const Tensor& input : case_.inputs) {
        inputs.push_back(builder.addFeed("x", FeedKind::data, input.dtype, input.shape));
    }
    builder.addAll(case_.op->name, inputs, case_.attributes);
    ensure(builder.takeRefusals().empty(), "a sample fits its op");
    rule_ = &book_.ruleOf(graph_, graph_.nodes.front());
    rows_ = deriveRows(rule_->rule, rule_->sizes, rule_->isInteger);
    if (case_.op->windows) {
        windows_ = case_.op->windows(case_.signature);
    }
    whole_ = oracle_.run(case_.op->name, case_.attributes, case_.inputs, case_.outputs);
}

bool RowTrial::isComparable() const {
    return std::ranges::all_of(whole_, [](const Tensor& tensor) {
        return tensor.elements() > 0 && std::isfinite(largestMagnitude(tensor));
    });
}

bool RowTrial::hasZeroResult() const {
    return std::ranges::any_of(whole_,
                               [](const Tensor& tensor) { return largestMagnitude(tensor) == 0; });
}

std::vector<RowTrial::Member> RowTrial::members(const std::vector<TrialAxis>& axes) const {
    std::vector<Member> all{{{}, std::vector<std::optional<Range>>(rule_->sizes.size()), {}}};
    for (const TrialAxis& axis : axes) {
        std::vector<Member> next;
        for (const Member& outer : all) {
            for (std::int64_t k = 0; k < axis.parts; ++k) {
                Member member = outer;
                member.coordinates.push_back(k);
                if (axis.letter != noLetter) {
                    auto& range = member.ranges[static_cast<std::size_t>(axis.letter)];
                    const Range from = range.value_or(Range{0, rule_->size(axis.letter)});
                    const auto cuts = cutsOf(from.first, from.second, axis.parts, axis.isSkewed);
                    range = {cuts[static_cast<std::size_t>(k)],
                             cuts[static_cast<std::size_t>(k) + 1]};
                }
                next.push_back(std::move(member));
            }
        }
        all = std::move(next);
    }
    return all;
}

/// The positions of an operand that a range of a window letter reads.
RowTrial::Range RowTrial::needed(Letter letter, RuleDim::Kind kind, Range range,
                                 std::int64_t size) const {
    const std::string& name = rule_->rule.letters[static_cast<std::size_t>(letter)].name;
    const auto window = std::ranges::find(windows_, name, &Window::letter);
    ensure(window != windows_.end(), "an op tells the geometry of its windows");
    const auto position = [&](std::int64_t at, std::int64_t tap) {
        return at * window->stride - window->padBefore + tap * window->dilation;
    };
    if (range.first == range.second) {
        return {0, 0};
    }
    if (kind == RuleDim::Kind::window) {
        const std::int64_t begin = std::clamp<std::int64_t>(position(range.first, 0), 0, size);
        const std::int64_t end =
            std::clamp<std::int64_t>(position(range.second - 1, window->kernel - 1) + 1, 0, size);
        return {begin, std::max(begin, end)};
    }
    Range reads{size, 0};
    for (std::int64_t at = 0; at < size; ++at) {
        for (std::int64_t tap = 0; tap < window->kernel; ++tap) {
            if (position(at, tap) >= range.first && position(at, tap) < range.second) {
                reads = {std::min(reads.first, at), at + 1};
            }
        }
    }
    return reads.first < reads.second ? reads : Range{0, 0};
}

Box RowTrial::boxOf(const RuleValue& value, const Shape& whole, const Member& member) const {
    Box box = wholeBox(whole);
    for (std::size_t k = 0; k < value.dims.size(); ++k) {
        const RuleDim& dim = value.dims[k];
        const std::size_t factors = dim.kind == RuleDim::Kind::plain ? dim.letters.size() : 1;
        for (std::size_t factor = 0; factor < factors; ++factor) {
            const auto& range = member.ranges[static_cast<std::size_t>(dim.letters[factor])];
            if (!range) {
                continue;
            }
            const std::int64_t step = rule_->strideOf(dim, static_cast<int>(factor));
            const Range part = dim.kind == RuleDim::Kind::plain
                                   ? Range{range->first * step, range->second * step}
                                   : needed(dim.letters[factor], dim.kind, *range, whole[k]);
            box.begin[k] = part.first;
            box.end[k] = part.second;
        }
    }
    return box;
}

/// Returns a member's part of an operand: the whole value, or a partial sum that differs between
/// members.
Tensor RowTrial::shareOf(std::size_t operand, const std::vector<TrialAxis>& axes,
                         const Member& member, unsigned seed) const {
    Tensor share = case_.inputs[operand];
    unsigned role = seed * 977 + static_cast<unsigned>(operand) * 31;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (axes[axis].operands[operand] != Kind::partialSum) {
            continue;
        }
        const auto last = axes[axis].parts - 1;
        const auto own = member.coordinates[axis];
        const auto draw = [&](std::int64_t k) {
            return drawNormal(share.dtype, share.shape, role + static_cast<unsigned>(k) + 1,
                              "share");
        };
        if (own < last) {
            share = draw(own);
        } else {
            for (std::int64_t other = 0; other < last; ++other) {
                const Tensor drawn = draw(other);
                for (std::int64_t k = 0; k < share.elements(); ++k) {
                    share.set(k, share.at(k) - drawn.at(k));
                }
            }
        }
        role = role * 7 + static_cast<unsigned>(own) * 3 + 1;
    }
    return share;
}

/// False when nobody may run this: a member without a part would have to make a whole result.
bool RowTrial::compute(const std::vector<TrialAxis>& axes, Member& member, unsigned seed) {
    std::vector<Tensor> inputs;
    std::vector<TensorPart> inputParts;
    std::vector<TensorPart> outputParts;
    bool isEmpty = std::ranges::any_of(member.ranges, [](const std::optional<Range>& range) {
        return range && range->first == range->second;
    });
    for (std::size_t k = 0; k < case_.inputs.size(); ++k) {
        const Shape& whole = case_.inputs[k].shape;
        const Box box = boxOf(rule_->rule.operands[k], whole, member);
        inputs.push_back(sliceOf(shareOf(k, axes, member, seed), box.begin, box.shape()));
        inputParts.push_back({inputs.back().dtype, box.shape(), box.begin, whole, {}});
        isEmpty = isEmpty || box.isEmpty();
    }
    for (std::size_t k = 0; k < whole_.size(); ++k) {
        const Box box = boxOf(rule_->rule.results[k].value, whole_[k].shape, member);
        outputParts.push_back({whole_[k].dtype, box.shape(), box.begin, whole_[k].shape, {}});
    }
    if (!isEmpty) {
        member.results =
            oracle_.run(case_.op->name, case_.attributes, inputs, inputParts, outputParts);
        return true;
    }
    for (std::size_t k = 0; k < outputParts.size(); ++k) {
        Tensor nothing(outputParts[k].dtype, outputParts[k].shape);
        for (std::int64_t at = 0; rule_->rule.results[k].value.isMax && at < nothing.elements();
             ++at) {
            nothing.set(at, -std::numeric_limits<double>::infinity());
        }
        member.results.push_back(std::move(nothing));
    }
    return std::ranges::none_of(axes, [](const TrialAxis& axis) {
        return std::ranges::find(axis.results, Kind::replicated) != axis.results.end() ||
               std::ranges::find(axis.operands, Kind::partialSum) != axis.operands.end();
    });
}

/// Infinite when members that should agree do not.
double RowTrial::difference(std::size_t result, const std::vector<Kind>& kinds,
                            const std::vector<Member>& members) const {
    const double never = std::numeric_limits<double>::infinity();
    const Tensor& expected = whole_[result];
    const bool takesMax = std::ranges::find(kinds, Kind::partialMax) != kinds.end();
    // Shares put together first: members that differ on Partial axes only.
    std::map<std::vector<std::int64_t>, std::pair<Box, Tensor>> parts;
    for (const Member& member : members) {
        std::vector<std::int64_t> key = member.coordinates;
        for (std::size_t axis = 0; axis < kinds.size(); ++axis) {
            if (kinds[axis] == Kind::partialSum || kinds[axis] == Kind::partialMax) {
                key[axis] = 0;
            }
        }
        const Box box = boxOf(rule_->rule.results[result].value, expected.shape, member);
        const Tensor& own = member.results[result];
        const auto [found, isNew] = parts.try_emplace(key, box, own);
        Tensor& sum = found->second.second;
        if (own.shape != box.shape() || own.shape != sum.shape) {
            return never;
        }
        for (std::int64_t k = 0; !isNew && k < own.elements(); ++k) {
            sum.set(k, takesMax ? std::max(sum.at(k), own.at(k)) : sum.at(k) + own.at(k));
        }
    }
    double most = 0;
    std::vector<bool> isCovered(static_cast<std::size_t>(expected.elements()), false);
    for (const auto& [key, part] : parts) {
        const auto& [box, tensor] = part;
        eachInPart(expected.shape, box.begin, box.shape(),
                   [&](std::int64_t at, std::int64_t element) {
                       isCovered[static_cast<std::size_t>(at)] = true;
                       const double apart = std::abs(tensor.at(element) - expected.at(at));
                       most = std::isfinite(apart) ? std::max(most, apart) : never;
                   });
    }
    const bool isWhole = std::ranges::find(isCovered, false) == isCovered.end();
    return isWhole ? most / std::max(1.0, largestMagnitude(expected)) : never;
}

RowTrial::Outcome RowTrial::run(const std::vector<TrialAxis>& axes, unsigned seed) {
    std::vector<Member> all = members(axes);
    for (Member& member : all) {
        if (!compute(axes, member, seed)) {
            return {};
        }
    }
    Outcome outcome{.isRun = true};
    for (std::size_t k = 0; k < whole_.size(); ++k) {
        if (axes.front().results.empty()) {
            auto& fitting = outcome.fitting.emplace_back();
            const bool hasLetter = axes.front().letter != noLetter &&
                                   rule_->rule.results[k].value.find(axes.front().letter).dim >= 0;
            for (const Kind kind : {Kind::replicated, Kind::partialSum, Kind::split}) {
                if ((kind == Kind::split) == hasLetter && difference(k, {kind}, all) < 1e-8) {
                    fitting.push_back(kind);
                }
            }
            continue;
        }
        std::vector<Kind> kinds;
        kinds.reserve(axes.size());
        for (const TrialAxis& axis : axes) {
            kinds.push_back(axis.results[k]);
        }
        outcome.differences.push_back(difference(k, kinds, all));
    }
    return outcome;
}

} // namespace weft::test
