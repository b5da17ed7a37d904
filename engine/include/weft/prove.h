// SPDX-License-Identifier: Apache-2.0
#pragma once
// Same mathematics as one device? A few training steps of a design as its assignments spread it,
// laid beside the same steps on one device, value by value. Where two numbers nearly tie, signs
// before a ReLU and positions in a pool may fall either way and gradients jump with them: such
// flips are counted, and one device is computed with the choices of the spread devices. Plain
// values; takes as long as the steps do, twice. A process that is one rank of several proves with
// the others: their devices are spread over the ranks, and the one device is rank 0's.

#include <weft/design.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct ProofRequest {
    Design design;
    std::filesystem::path folder = {};     ///< where the design's files are looked for
    std::vector<std::string> devices = {}; ///< empty: those the design declares
    std::string backend = {};              ///< instead of the devices' own
    std::int64_t steps = 3;
    std::optional<double> tolerance = {}; ///< none: the usual one
};
/// More where f32 may be rounded: sums that differ in their last bit round a thousandth apart to
/// TF32, a hundredth to bf16.
[[nodiscard]] double usualTolerance(const TrainingSettings& training);

/// A difference is relative to the largest number of its value on one device, or to a thousandth of
/// the largest among all layers where that is more: rounding in what is nearly zero proves nothing.
struct LayerProof {
    std::string layer;     ///< "block[2]/conv1"
    double output = 0;     ///< of all the layer makes
    double gradient = 0;   ///< of its outputs and its weights
    double weights = 0;    ///< after the update, running statistics too
    std::string worst;     ///< the value of the largest difference: "conv1.weight.gradient"
    std::int64_t step = 0; ///< at which that was
    /// Choices that a gradient jumps with (the sign before a ReLU, the position in a max pool)
    /// where two numbers nearly tie and the spread devices chose otherwise, over all steps. One
    /// device is then computed with their choices.
    std::int64_t flipped = 0;
    std::int64_t mistaken = 0; ///< choices that differ though no numbers tie
    bool operator==(const LayerProof&) const = default;

    [[nodiscard]] double largest() const;
    [[nodiscard]] bool holds(double tolerance) const;
};

struct Proof {
    std::vector<std::string> devices; ///< of the spread run
    std::int64_t steps = 0;
    double tolerance = 0;
    bool isRounded = false;         ///< f32 may be, to what the design says
    double loss = 0;                ///< largest difference of the loss, relative
    std::vector<LayerProof> layers; ///< in the order of the network
    std::int64_t values = 0;        ///< compared in each step
    std::int64_t choices = 0;       ///< compared over all steps
    /// Layers that choose within a repeat, where no choice can be looked at.
    std::vector<std::string> hidden = {};
    bool isSpread = false; ///< something was split or sent on; else there was nothing to prove
    int ranks = 1;
    bool isOurs = true; ///< of several ranks one has the answer: the others' is empty
    bool operator==(const Proof&) const = default;

    [[nodiscard]] bool holds() const;
    /// Over all layers.
    [[nodiscard]] std::int64_t flipped() const;
    [[nodiscard]] std::int64_t mistaken() const;
    /// The first in the order of the network that is over the tolerance or has mistaken choices;
    /// empty: none.
    [[nodiscard]] std::string firstOver() const;
};

/// Error{design} where errors keep the design from running, as for any run. Whoever has started the
/// ranks hears of a proof that does not hold, as of a failure, from here.
[[nodiscard]] Proof prove(const ProofRequest& request);

/// The same design on one device: without assignments, schemes and declared devices.
[[nodiscard]] Design onOneDevice(Design design);

/// A line per layer and what it comes to.
[[nodiscard]] std::string print(const Proof& proof);
/// For a program to read.
[[nodiscard]] std::string toJson(const Proof& proof);

} // namespace weft
