// SPDX-License-Identifier: Apache-2.0
#pragma once
// Accumulates gradients and the sums of layer updates over a sync period. A sum is a slot of kind
// accumulator: "fc6.weight/sum". If it is applied late, it is reduced over devices in the next
// period and waits in "fc6.weight/pending".

#include "graph/builder.h"
#include "transform/training_step.h"

#include <string>
#include <vector>

namespace weft {

/// What a step contributes to a parameter's update: its gradient, or a part of its layer's update.
struct UpdateTerm {
    SlotId slot;
    ValueId value; ///< none: this step computes none
};

class PeriodSums {
public:
    PeriodSums(Graph& graph, Builder& builder, const TrainingSettings& training,
               const TrainingStep& does)
        : graph_(graph), builder_(builder), training_(training), stepKind_(does) {}

    /// How a sum is applied; `count` is the divisor of another sum.
    enum class AppliedAs : std::uint8_t { mean, sum, count };
    /// `like` gives type and shape. Returns the index of the sum.
    std::size_t add(const UpdateTerm& term, AppliedAs appliedAs, ValueId like);
    /// Appends all of the step's work. Call once.
    void run();
    /// Returns the value to apply of that sum, or none if this step applies nothing.
    [[nodiscard]] ValueId applied(std::size_t number) const { return sums_[number].applied; }

private:
    struct Sum {
        UpdateTerm term;
        AppliedAs appliedAs = AppliedAs::mean;
        SlotId accumulator = {}; ///< each device's own sum over steps
        SlotId pending = {};     ///< holds the reduced sum until it is applied
        ValueId reduced = {};    ///< reduced over devices
        ValueId applied = {};
        [[nodiscard]] bool isCount() const { return appliedAs == AppliedAs::count; }
    };

    void reduce(Sum& sum);
    void accumulate(Sum& sum);
    void apply(Sum& sum);
    SlotId slotFor(const Sum& sum, const std::string& name, SlotKind kind, ValueId like);
    [[nodiscard]] static std::string nameOf(const Sum& sum) {
        return sum.isCount() ? "count" : "sum";
    }
    [[nodiscard]] double factorOf(const Sum& sum) const;
    void setOriginAndRole(const Sum& sum);
    void markAsGradientOf(ValueId value, ValueId gradient);
    void moveNodesBeforeBackward(std::size_t first);
    [[nodiscard]] bool reducesAndApplies() const { return stepKind_.reduces && stepKind_.applies; }

    Graph& graph_;
    Builder& builder_;
    const TrainingSettings& training_;
    const TrainingStep stepKind_;
    std::vector<Sum> sums_;
};

} // namespace weft
