// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks that a few training steps on spread devices give the same numbers as one device, value by
// value. Near ties can flip the sign before a ReLU or the position in a max pool, and gradients
// jump with them. Such flips are counted, and the one device computes with the choices of the
// spread devices. In a process of several ranks the devices are spread over all ranks, and rank 0
// has the single device.

#include <weft/design.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct ProofRequest {
    Design design;
    std::filesystem::path folder = {};     ///< search folder of the design's files
    std::vector<std::string> devices = {}; ///< empty: the devices that the design declares
    std::string backend = {};              ///< replaces the devices' own backends
    std::int64_t steps = 3;                ///< number of training steps to compare
    std::optional<double> tolerance = {};  ///< none: `usualTolerance`
};
/// Returns the default tolerance, which is larger if f32 is rounded: sums that differ in the last
/// bit can round a thousandth apart in TF32 and a hundredth apart in bf16.
[[nodiscard]] double usualTolerance(const TrainingSettings& training);

/// Differences are relative to the largest number of the value on one device, or to a thousandth of
/// the largest number of all layers if that is more, because rounding near zero proves nothing.
struct LayerProof {
    std::string layer;         ///< "block[2]/conv1"
    double output = 0;         ///< largest relative difference of outputs
    double gradient = 0;       ///< the same of gradients
    double weights = 0;        ///< the same of updated weights and statistics
    std::string worst;         ///< value with the largest difference: "conv1.weight.gradient"
    std::int64_t step = 0;     ///< step of that difference
    std::int64_t flipped = 0;  ///< near ties decided otherwise (ReLU sign, max position)
    std::int64_t mistaken = 0; ///< number of choices that differ without a near tie
    bool operator==(const LayerProof&) const = default;

    [[nodiscard]] double largest() const;             ///< largest of the three differences
    [[nodiscard]] bool holds(double tolerance) const; ///< true: passes
};

struct Proof {
    std::vector<std::string> devices;     ///< devices of the spread run
    std::int64_t steps = 0;               ///< number of compared training steps
    double tolerance = 0;                 ///< largest relative difference that passes
    bool isRounded = false;               ///< true: the design allows f32 to be rounded
    double loss = 0;                      ///< largest relative difference of the loss
    std::vector<LayerProof> layers;       ///< in the order of the network
    std::int64_t values = 0;              ///< values compared per step
    std::int64_t choices = 0;             ///< choices compared over all steps
    std::vector<std::string> hidden = {}; ///< layers in a repeat, whose choices are not compared
    bool isSpread = false;                ///< false: nothing was split, so nothing was proved
    int ranks = 1;                        ///< processes of the proof
    bool isOurs = true; ///< true on the rank that has the result; on other ranks the proof is empty
    bool operator==(const Proof&) const = default;

    [[nodiscard]] bool holds() const;            ///< true: all layers pass
    [[nodiscard]] std::int64_t flipped() const;  ///< sum over all layers
    [[nodiscard]] std::int64_t mistaken() const; ///< sum over all layers
    /// Returns the first layer in network order that exceeds the tolerance or has mistaken choices,
    /// or nothing.
    [[nodiscard]] std::string firstFailing() const;
};

/// Throws Error{design} if errors keep the design from running. If the proof fails, this also
/// reports a failure to the process that started the ranks.
[[nodiscard]] Proof prove(const ProofRequest& request);

/// Returns the design for one device: without assignments, schemes and declared devices.
[[nodiscard]] Design onOneDevice(Design design);

/// Prints a line per layer and the result.
[[nodiscard]] std::string print(const Proof& proof);
/// Machine-readable form.
[[nodiscard]] std::string toJson(const Proof& proof);

} // namespace weft
