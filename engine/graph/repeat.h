// SPDX-License-Identifier: Apache-2.0
#pragma once
// The one node with a body: a graph that runs `count` times. The body's results for carried values
// are the next iteration's inputs. A sliced operand gives each iteration one position of its dim 0;
// captured operands are the same in every iteration. Results are carried (from the last iteration),
// summed over iterations, or collected in a new dim 0.

#include "graph/builder.h"

#include <memory>
#include <vector>

namespace weft {

/// The numbers of operands (carried, sliced, captured) and results (carried, summed, collected) of
/// each sort, which are the node's attributes.
struct RepeatForm {
    std::int64_t count = 1;    ///< iterations
    std::size_t carried = 0;   ///< number of values that an iteration hands to the next
    std::size_t sliced = 0;    ///< number of operands of which each iteration takes one position
    std::size_t summed = 0;    ///< number of results summed over iterations
    std::size_t collected = 0; ///< number of results stacked along a new dim 0
    bool isReversed = false;   ///< the first iteration takes the last position
    bool operator==(const RepeatForm&) const = default;

    /// Returns the index in dim 0 of sliced operands and collected results.
    [[nodiscard]] std::int64_t position(std::int64_t round) const {
        return isReversed ? count - 1 - round : round;
    }
};
[[nodiscard]] RepeatForm repeatForm(const Node& node);
[[nodiscard]] Attributes attributesOf(const RepeatForm& form);

/// Adds an operand of the body. Within the body it has no producer and is not a feed.
ValueId addBodyInput(Graph& body, DType dtype, Shape shape, std::string name = {});
/// Sets the body's results, carried values first. A value that is carried unchanged or twice is
/// copied to a value of its own.
void setBodyOutputs(Builder& body, std::vector<ValueId> outputs, std::size_t carried);

/// Adds the node with its results. Body, form and operands must agree.
std::vector<ValueId> addRepeat(Builder& builder, std::shared_ptr<const Graph> body,
                               std::vector<ValueId> inputs, const RepeatForm& form);

/// Returns the type of the node's operand or result k.
[[nodiscard]] TensorType repeatInputType(const Graph& body, const RepeatForm& form, std::size_t k);
[[nodiscard]] TensorType repeatOutputType(const Graph& body, const RepeatForm& form, std::size_t k);

/// Throws Error{bug} if the node and its body do not agree.
void verifyRepeat(const Graph& graph, const Node& node);

} // namespace weft
