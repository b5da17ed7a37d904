// SPDX-License-Identifier: Apache-2.0
#pragma once
// The one node with a body: a graph that runs `count` times. Carried values go round: what the body
// makes of them is what the next round begins with. Of sliced operands each round sees one position
// of dim 0; captured ones are the same in every round. What the rounds make is carried out, summed
// over the rounds, or collected, one position of a new dim 0 per round.

#include "graph/builder.h"

#include <memory>
#include <vector>

namespace weft {

/// How operands (carried, sliced, captured) and results (carried, summed, collected) divide; the
/// attributes of the node.
struct RepeatForm {
    std::int64_t count = 1;
    std::size_t carried = 0;
    std::size_t sliced = 0;
    std::size_t summed = 0;
    std::size_t collected = 0;
    bool isReversed = false; ///< the first round is that of the last position
    bool operator==(const RepeatForm&) const = default;

    /// Position in dim 0 of what is sliced and collected.
    [[nodiscard]] std::int64_t position(std::int64_t round) const {
        return isReversed ? count - 1 - round : round;
    }
};
[[nodiscard]] RepeatForm repeatForm(const Node& node);
[[nodiscard]] Attributes attributesOf(const RepeatForm& form);

/// An operand of the body has no producer there and no feed.
ValueId addBodyInput(Graph& body, DType dtype, Shape shape, std::string name = {});
/// Says what the body makes, carried values first. A value that is carried on unchanged, or twice,
/// becomes one of its own.
void setBodyOutputs(Builder& body, std::vector<ValueId> outputs, std::size_t carried);

/// Adds the node with its results. That body, form and operands agree is an invariant.
std::vector<ValueId> addRepeat(Builder& builder, std::shared_ptr<const Graph> body,
                               std::vector<ValueId> inputs, const RepeatForm& form);

/// What operand or result k of the node is like.
[[nodiscard]] TensorType repeatInput(const Graph& body, const RepeatForm& form, std::size_t k);
[[nodiscard]] TensorType repeatOutput(const Graph& body, const RepeatForm& form, std::size_t k);

/// Throws Error{bug} where the node and its body do not agree.
void verifyRepeat(const Graph& graph, const Node& node);

} // namespace weft
