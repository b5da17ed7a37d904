// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is summed up over the updates of a period: gradients, and what layers learn by. A sum is a
// slot, "fc6.weight/sum", of kind accumulator. Applied late it is brought home in the period after
// it and waits there, "fc6.weight/pending".

#include "graph/builder.h"
#include "transform/training_step.h"

#include <string>
#include <vector>

namespace weft {

/// What a step makes for a parameter: its gradient, or a part of what its layer asks for.
struct Learnt {
    SlotId slot;
    ValueId value; ///< none: this step makes none
};

class PeriodSums {
public:
    PeriodSums(Graph& graph, Builder& builder, const TrainingSettings& training,
               const TrainingStep& does)
        : graph_(graph), builder_(builder), training_(training), does_(does) {}

    /// What is applied of a sum; a count is one that another sum is divided by.
    enum class Takes : std::uint8_t { mean, sum, count };
    /// `like` has the type and shape. The answer is its number.
    std::size_t add(const Learnt& learnt, Takes takes, ValueId like);
    /// Appends all of the step's work, once.
    void run();
    /// What is to be applied of that number; none: nothing, in this step.
    [[nodiscard]] ValueId applied(std::size_t number) const { return sums_[number].applied; }

private:
    struct Sum {
        Learnt learnt;
        Takes takes = Takes::mean;
        SlotId kept = {};    ///< over steps, on each device what it has made of it
        SlotId pending = {}; ///< where it waits to be applied
        ValueId whole = {};  ///< over devices
        ValueId applied = {};
        [[nodiscard]] bool isCount() const { return takes == Takes::count; }
    };

    void reduce(Sum& sum);
    void accumulate(Sum& sum);
    void apply(Sum& sum);
    SlotId slotFor(const Sum& sum, const std::string& name, SlotKind kind, ValueId like);
    [[nodiscard]] static std::string nameOf(const Sum& sum) {
        return sum.isCount() ? "count" : "sum";
    }
    [[nodiscard]] double shareOf(const Sum& sum) const;
    void stamp(const Sum& sum);
    void comesHomeAs(ValueId value, ValueId gradient);
    void moveBeforeBackward(std::size_t first);
    [[nodiscard]] bool isAloneLate() const { return does_.reduces && does_.applies; }

    Graph& graph_;
    Builder& builder_;
    const TrainingSettings& training_;
    const TrainingStep does_;
    std::vector<Sum> sums_;
};

} // namespace weft
