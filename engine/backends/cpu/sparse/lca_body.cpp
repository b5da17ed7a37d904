// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/sparse/lca_body.h"

#include "graph/set_sharing.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace weft::cpu {

namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

class LcaReader {
public:
    explicit LcaReader(const RepeatBody& body) : body_(body) {}

    /// Returns an empty text if the body matches, with `found` filled, else the reason.
    std::string read(LcaBody& found) {
        if (body_.form.sliced > 0 || body_.form.summed > 0) {
            return "the loop slices operands or sums results";
        }
        if (!hasOnlyWhatItKnows()) {
            return "an iteration contains other ops";
        }
        found.hasOwnDictionaries = ownDictionaries_ > 0;
        if (found.hasOwnDictionaries && ownDictionaries_ != 2) {
            return "only one of the two convolutions has a dictionary per batch element";
        }
        const bool fits = findDrive(found) && findMembrane(found) && findResidual(found) &&
                          findEnergy(found) && findSteps(found) && findResults(found);
        if (!fits) {
            return "the ops of an iteration are connected differently";
        }
        return problemOfWindows(found);
    }

private:
    using Index = std::size_t;

    static constexpr const char* known[] = {"conv2d",        "membrane", "transfer",
                                            "conv2d_dx",     "subtract", "half_squares",
                                            "transfer_cost", "add"};

    /// Returns the op's name; for an op with a set of weights per element, that of the op with one
    /// set.
    std::string ofOneSet(const KernelRequest& member) {
        const SetSharing sharing(member.attributes);
        if (!sharing.perElement || sharing.perPosition || !member.op.starts_with("conv2d_sets")) {
            return member.op;
        }
        ++ownDictionaries_;
        return "conv2d" + member.op.substr(std::string("conv2d_sets").size());
    }

    /// True if each known op occurs once, besides a rule of steps and copies.
    bool hasOnlyWhatItKnows() {
        for (Index m = 0; m < body_.members.size(); ++m) {
            const KernelRequest& member = body_.members[m];
            const bool isCopy = member.op == "scale" && member.attributes.real("factor") == 1;
            if (isCopy) {
                copied_.emplace_back(body_.writes[m][0], body_.reads[m][0]);
            } else if (!at_.emplace(ofOneSet(member), m).second) {
                return false;
            }
        }
        const bool isAdaptive = at_.contains("step_rule");
        return at_.size() == std::size(known) + (isAdaptive ? 1 : 0) &&
               std::ranges::all_of(known, [&](const char* op) { return at_.contains(op); });
    }

    /// Returns the value that this one is a copy of, directly or through other copies.
    [[nodiscard]] int originOf(int value) const {
        for (std::size_t hops = 0; hops <= copied_.size(); ++hops) {
            const auto found = std::ranges::find(copied_, value, &std::pair<int, int>::first);
            if (found == copied_.end()) {
                return value;
            }
            value = found->second;
        }
        return value;
    }
    [[nodiscard]] int read(const char* op, Index k) const {
        return originOf(body_.reads[at_.at(op)].at(k));
    }
    [[nodiscard]] int made(const char* op, Index k = 0) const {
        return body_.writes[at_.at(op)].at(k);
    }
    [[nodiscard]] const Attributes& attributes(const char* op) const {
        return body_.members[at_.at(op)].attributes;
    }

    /// Returns the operand index of a value, or `nowhere` if a member computes it.
    [[nodiscard]] Index operandOf(int value) const {
        const auto found = std::ranges::find(body_.operands, value);
        return value < 0 || found == body_.operands.end()
                   ? nowhere
                   : static_cast<Index>(found - body_.operands.begin());
    }
    [[nodiscard]] bool isCarried(Index operand) const { return operand < body_.form.carried; }
    bool carriedTo(int value, Index& operand) const {
        operand = operandOf(value);
        return operand != nowhere && isCarried(operand);
    }
    bool capturedTo(int value, Index& operand) const {
        operand = operandOf(value);
        return operand != nowhere && !isCarried(operand);
    }
    [[nodiscard]] int resultOf(Index k) const { return originOf(body_.results.at(k)); }

    bool findDrive(LcaBody& found) const {
        return carriedTo(read("conv2d", 0), found.carried.residual) &&
               capturedTo(read("conv2d", 1), found.dictionary);
    }

    bool findMembrane(LcaBody& found) const {
        found.tau = attributes("membrane").real("tau");
        found.self = attributes("membrane").real("self");
        found.transfer = attributes("transfer");
        return carriedTo(read("membrane", 0), found.carried.potential) &&
               read("membrane", 1) == made("conv2d") &&
               carriedTo(read("membrane", 2), found.carried.code) &&
               read("transfer", 0) == made("membrane");
    }

    bool findResidual(const LcaBody& found) {
        return read("conv2d_dx", 0) == made("transfer") &&
               operandOf(read("conv2d_dx", 1)) == found.dictionary &&
               capturedTo(read("subtract", 0), x_) && read("subtract", 1) == made("conv2d_dx");
    }

    bool findEnergy(LcaBody& found) const {
        found.x = x_;
        const int squared = read("half_squares", 0);
        found.isLagged = operandOf(squared) == found.carried.residual;
        return (found.isLagged || squared == made("subtract")) &&
               read("transfer_cost", 0) == made("transfer") &&
               attributes("transfer_cost") == attributes("transfer") &&
               read("add", 0) == made("half_squares") && read("add", 1) == made("transfer_cost");
    }

    bool findSteps(LcaBody& found) const {
        found.isAdaptive = at_.contains("step_rule");
        if (!found.isAdaptive) {
            return capturedTo(read("membrane", 3), found.fixedStep);
        }
        found.rule = attributes("step_rule");
        return read("membrane", 3) == made("step_rule") &&
               carriedTo(read("step_rule", 0), found.carried.energy) &&
               carriedTo(read("step_rule", 1), found.carried.before) &&
               carriedTo(read("step_rule", 2), found.carried.step) &&
               carriedTo(read("step_rule", 3), found.carried.cap);
    }

    /// Checks that loop-carried values have matching operands and results, and that the collected
    /// results are energies and steps.
    bool findResults(LcaBody& found) const {
        LcaState& carried = found.carried;
        if (!found.isAdaptive) { // nobody reads the energy at the start of an iteration
            carried.energy = nowhere;
            for (Index k = 0; k < body_.form.carried; ++k) {
                carried.energy = resultOf(k) == made("add") ? k : carried.energy;
            }
            if (carried.energy == nowhere) {
                return false;
            }
        }
        std::vector<std::pair<Index, int>> ends = {{carried.potential, made("membrane")},
                                                   {carried.code, made("transfer")},
                                                   {carried.residual, made("subtract")},
                                                   {carried.energy, made("add")}};
        if (found.isAdaptive) {
            ends.insert(ends.end(), {{carried.before, body_.operands[carried.energy]},
                                     {carried.step, made("step_rule", 0)},
                                     {carried.cap, made("step_rule", 1)}});
        }
        std::set<Index> all;
        for (const auto& [k, value] : ends) {
            if (!all.insert(k).second || resultOf(k) != value) {
                return false;
            }
        }
        for (Index k = body_.form.carried; k < body_.results.size(); ++k) {
            if (resultOf(k) == made("add")) {
                found.energies.push_back(k);
            } else if (found.isAdaptive && resultOf(k) == made("step_rule", 0)) {
                found.steps.push_back(k);
            } else {
                return false;
            }
        }
        return all.size() == body_.form.carried;
    }

    /// Checks that both directions use the same windows, without dilation or groups.
    [[nodiscard]] std::string problemOfWindows(LcaBody& found) const {
        const auto part = [&](int value) -> const TensorPart& {
            return body_.values[static_cast<std::size_t>(value)];
        };
        const TensorPart& x = part(body_.operands[found.x]);
        const TensorPart& w = part(body_.operands[found.dictionary]);
        const TensorPart& code = part(body_.operands[found.carried.code]);
        if (!std::ranges::all_of(body_.values,
                                 [](const TensorPart& p) { return p.dtype == DType::f32; })) {
            return "a value is not f32";
        }
        const Shape filters(w.shape.end() - 4, w.shape.end());
        const Shape kernel{filters[2], filters[3]};
        const auto forth = windowsOf(attributes("conv2d"), kernel, x, code);
        const auto back = windowsOf(attributes("conv2d_dx"), kernel, x, code);
        const bool isWhole = filters[0] == code.shape[1] && filters[1] == x.shape[1];
        if (!forth || !back || !isWhole || forth->dilation != Shape{1, 1} ||
            forth->stride != back->stride || forth->padBefore != back->padBefore ||
            forth->dilation != back->dilation) {
            return "windows are dilated or grouped, or differ between the two convolutions";
        }
        found.rounds = body_.form.count;
        found.isReversed = body_.form.isReversed;
        found.windows = *forth;
        return {};
    }

    const RepeatBody& body_;
    std::map<std::string, Index> at_;
    std::vector<std::pair<int, int>> copied_;
    Index x_ = 0;
    int ownDictionaries_ = 0; ///< number of ops with a dictionary per element
};

} // namespace

tl::expected<LcaBody, std::string> lcaBodyOf(const RepeatBody& body) {
    LcaBody found;
    std::string problem = LcaReader(body).read(found);
    if (!problem.empty()) {
        return tl::make_unexpected(std::move(problem));
    }
    return found;
}

} // namespace weft::cpu
