// SPDX-License-Identifier: Apache-2.0
#pragma once
// Near ties of a proof. A gradient may jump with a choice that an op makes forward: the sign before
// a ReLU, the position in a max pool (`Op::choice`). Where two numbers differ by no more than the
// order of a sum, a spread step may choose otherwise than one device does, and both are right, but
// their gradients are apart. So the one device takes its step with the choices of the spread one,
// wherever those are near ties; a choice that differs and is none is a mistake.

#include "run/observe.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft {

/// An op of a graph that chooses, by the values that its choices are read from. Its name is the
/// same in the graphs of a spread design and of the same on one device.
struct ChoicePlace {
    std::string name; ///< "relu1 choice 0"
    Origin layer;
    NodeId node;
    ValueId value; ///< what the gradient reads
    /// Of a result: operand 0, whose numbers decide. None where `value` is an operand.
    ValueId among;
};
/// Of ops whose result has a gradient.
[[nodiscard]] std::vector<ChoicePlace> choicesOf(const Graph& graph);
/// Names of layers with ops that choose within a repeat, where no value can be looked at.
[[nodiscard]] std::vector<std::string> layersOfHiddenChoices(const Graph& graph);

/// How far two numbers may be apart.
struct TieLimit {
    /// Relative to the largest number of their value: what forward values may be apart.
    double tolerance = 0;
    /// Likewise: by how much a choice may miss what its side's own numbers say, as these are
    /// observed before an exchange that rounds.
    double slack = 0;
    /// The least of what "the largest number" is taken to be.
    double floor = 0;
};

/// One step: choices are taken from the spread side, then given to the one device.
class Choices {
public:
    /// Adds to what is given of a step all that choices are read from.
    static void addWanted(const Graph& graph, std::vector<NamedValue>& values);

    /// Takes what was added out of what a spread step gave.
    Choices(std::vector<ObservedValue>& spread, const TieLimit& limit);

    /// Before the step of the one device: adds what it reads its choices from.
    void begin(const Graph& graph, std::vector<NamedValue>& values);
    /// Puts the choices of the spread step, where they are near ties, in the place of the one
    /// device's; true where any was. On the threads of its streams.
    bool align(ValueId value, std::vector<std::byte>& plain);

    struct Count {
        std::string layer;
        std::int64_t choices = 0;
        std::int64_t flipped = 0;  ///< near ties that fell the other way
        std::int64_t mistaken = 0; ///< that differ and are none
    };
    /// After that step, by op.
    [[nodiscard]] std::vector<Count> counts() const;

private:
    struct Aligned {
        ChoicePlace place;
        GradientChoice::PieceOf pieceOf;     ///< empty: positions
        GradientChoice::ElementOf elementOf; ///< of positions
        bool isOfResult = false;
        Count count;
    };

    /// `among` is nullptr where the choice is read from an operand.
    void alignPieces(Aligned& aligned, const Array& theirs, const Array* among,
                     std::vector<std::byte>& plain) const;
    void alignPositions(Aligned& aligned, const Array& theirs, const Array& among,
                        std::vector<std::byte>& plain) const;

    TieLimit limit_;
    std::map<std::string, Array, std::less<>> spread_; ///< by name
    std::multimap<ValueId, Aligned> aligned_;          ///< each value is made by one stream
};

} // namespace weft
