// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small graphs with a repeat node: a state h goes round a body of two ops or a few more, a loss
// pulls at what comes out. Free of Qt.

#include "graph/op.h"
#include "support/evaluate.h"
#include "support/trained.h"

#include <string>
#include <vector>

namespace weft::test {

constexpr std::int64_t repeatRounds = 3;

/// The loop-carried values, and the other results of the rounds.
enum class Sort : std::uint8_t {
    twoOps,    ///< h = tanh(h W^T)
    recurrent, ///< h = tanh(h W^T + b + x_t), all of them collected, x_t from the back
    summing,   ///< h = tanh(h W^T); the sum of all h W^T
    dropping,  ///< h = tanh(dropout(h) W^T)
    nested,    ///< h = tanh(g + s), where g = tanh(g W^T) goes round two times and s sums g W^T
    nestedDropping, ///< the same of dropout(g)
    coding,         ///< h = tanh(W * relu(h) + h / 2) on maps, all relu(h) collected
    everything ///< as recurrent, and s = 0.9 s, the sum of all h (0.9 W)^T, all h as they begin
};

/// All whose rounds are within one step, on one device.
inline const std::vector<Sort> oneStepSorts{Sort::twoOps,    Sort::recurrent, Sort::summing,
                                            Sort::dropping,  Sort::nested,    Sort::coding,
                                            Sort::everything};

/// And one whose rounds are not, because a repeat inside draws.
inline const std::vector<Sort> allSorts = [] {
    std::vector<Sort> sorts = oneStepSorts;
    sorts.push_back(Sort::nestedDropping);
    return sorts;
}();

[[nodiscard]] std::string nameOf(Sort sort);

struct RepeatNetwork {
    RepeatNetwork(Sort sort, std::int64_t batch, std::int64_t features,
                  std::int64_t count = repeatRounds);

    /// Appends backward and update.
    void train();
    /// Appends backward; the largest difference of any gradient from central differences, relative
    /// where it is large.
    double gradientError(std::string& where);
    /// The state that comes out when h and W begin so.
    Tensor run(const Tensor& h, const Tensor& weight);

    OpList ops = allOps();
    Graph graph;
    ValueId loss;

private:
    static SlotId slot(Builder& builder, const std::string& name, Shape shape);
    ValueId repeat(Builder& builder, Sort sort, ValueId h, ValueId w, const Shape& state) const;
    ValueId coding(Builder& builder, ValueId h, ValueId w, const Shape& state) const;
    ValueId everything(Builder& builder, ValueId h, ValueId w, const Shape& state) const;
    ValueId twice(Builder& builder, ValueId h, ValueId w, ValueId step) const;

    std::int64_t rounds_;
};

} // namespace weft::test
