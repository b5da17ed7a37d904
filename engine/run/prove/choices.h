// SPDX-License-Identifier: Apache-2.0
#pragma once
// Handles near ties in a proof. A gradient may jump with a choice that an op makes forward: the
// sign before a ReLU, the position in a max pool (`Op::choice`). Where two numbers differ only by
// the order of a sum, the spread devices and the one device may choose differently, and both are
// right, but their gradients differ. So the one device takes over the choices of the spread devices
// at near ties. Any other difference is a mistake.

#include "run/observe/observe.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft {

/// An op that makes choices, and the values from which these choices are read. The name is the same
/// in the graph of the spread design and in the graph for one device.
struct ChoiceSite {
    std::string name; ///< "relu1 choice 0"
    Origin layer;
    NodeId node;
    ValueId value; ///< the value that the gradient reads
    ValueId among; ///< operand 0, whose numbers decide; none: `value` is the operand
};
/// Returns the choices of all ops whose result has a gradient.
[[nodiscard]] std::vector<ChoiceSite> choiceSitesOf(const Graph& graph);
/// Returns the names of layers whose choices cannot be observed: those within a repeat, and hidden
/// ones.
[[nodiscard]] std::vector<std::string> layersOfHiddenChoices(const Graph& graph);

/// How far apart two numbers may be in a near tie.
struct TieLimit {
    double tolerance = 0; ///< for forward values, relative to the largest number of the value
    double slack = 0;     ///< how far a choice may be from its side's own numbers; relative, too
    double floor = 0;     ///< lower bound for the largest number of a value
};

/// Carries the choices of one step from the spread devices to the one device.
class NearTieChoices {
public:
    /// Adds the values from which choices are read to `values`.
    static void addWanted(const Graph& graph, std::vector<NamedValue>& values);

    /// Moves the values that addWanted() added out of the result of a spread step.
    NearTieChoices(std::vector<ObservedValue>& spread, const TieLimit& limit);

    /// Call before the step of the one device. Adds the values from which its choices are read.
    void begin(const Graph& graph, std::vector<NamedValue>& values);
    /// Overwrites choices of the one device by those of the spread step at near ties. True if any
    /// was overwritten. Called on the threads of the device's streams.
    bool align(ValueId value, std::vector<std::byte>& plain);

    struct Count {
        std::string layer;         ///< its name
        std::int64_t choices = 0;  ///< number of choices compared
        std::int64_t flipped = 0;  ///< near ties that the two sides decided differently
        std::int64_t mistaken = 0; ///< differences that are not near ties
    };
    /// Returns the counts per op. Call after the step of the one device.
    [[nodiscard]] std::vector<Count> counts() const;

private:
    struct Aligned {
        ChoiceSite place;
        PiecewiseGradient::PieceOf pieceOf;     ///< empty if the choice is a position
        PiecewiseGradient::ElementOf elementOf; ///< empty unless the choice is a position
        bool isOfResult = false; ///< the value is a result of the op, else an operand
        Count count;
    };

    /// `among` is nullptr if the choice is read from an operand.
    void alignPieces(Aligned& aligned, const Array& theirs, const Array* among,
                     std::vector<std::byte>& plain) const;
    void alignPositions(Aligned& aligned, const Array& theirs, const Array& among,
                        std::vector<std::byte>& plain) const;

    TieLimit limit_;
    std::map<std::string, Array, std::less<>> spread_; ///< values of the spread step, by name
    std::multimap<ValueId, Aligned> aligned_;          ///< each value is made by one stream only
};

} // namespace weft
