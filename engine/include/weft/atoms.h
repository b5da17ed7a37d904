// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures how oriented, localised and band-pass the atoms of a dictionary are, as for receptive
// fields (Olshausen and Field 1996), and compares them with white noise of the same shape.
//
// Power is the squared magnitude of an atom's zero-padded Fourier transform, summed over colour
// channels, at any frequency rather than only at multiples of one cycle per patch. If an atom spans
// several film frames, the frame with the most energy is measured. Gain is the square root of
// power. Frequencies are in cycles per pixel.

#include <weft/design.h>
#include <weft/pictures.h>
#include <weft/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct AtomFigures {
    std::int64_t atom = 0;  ///< index over all dims before the last three
    double energy = 0;      ///< sum of squares; 0: zero or not finite, the rest is unknown
    std::int64_t frame = 0; ///< index of the film frame with most energy, which is measured
    double frequency = 0;   ///< cycles per pixel at the largest power
    /// Octaves between the two frequencies where the gain has fallen to half its maximum, on the
    /// line from frequency 0 through the peak (De Valois et al. 1982). Absent if the gain falls
    /// that far on one side only or if frequency 0 passes.
    std::optional<double> bandwidth = {}; ///< octaves between half gains; none: no band
    double passed = 0; ///< fraction of the power within the bandwidth; 0: no band
    /// True if the atom has a bandwidth, passes at least half of its power, and peaks at half a
    /// cycle per patch or more (lower frequencies look like uniform grey).
    bool isBandPass = false; ///< has a band that passes half of the power, not near frequency 0
    /// Orientation of the atom's bars in degrees from 0 to 180: 0 is horizontal, 90 vertical, and
    /// bars between them rise to the right.
    double orientation = 0; ///< angle of its bars in degrees: 0 horizontal, 90 vertical
    /// 1 minus the circular variance of the frequencies' directions, weighted by power; opposite
    /// directions count as one. 1: a grating, 0: no preferred direction.
    double selectivity = 0; ///< for orientation: 1 a grating, 0 no preferred direction
    double covered = 0;     ///< fraction of the pixels that hold 90 % of the energy
    double spread = 0; ///< RMS distance of the energy from its centre: 0 one pixel, 1 the patch
    bool operator==(const AtomFigures&) const = default;
};

/// Counts and medians over the atoms that have energy.
struct AtomSummary {
    std::int64_t atoms = 0;     ///< number of atoms that have energy
    std::int64_t oriented = 0;  ///< more selective than 95 % of noise atoms
    std::int64_t localised = 0; ///< less spread than 95 % of noise atoms
    std::int64_t bandPass = 0;  ///< number of atoms with `isBandPass`
    std::int64_t allThree = 0;  ///< number of atoms that are oriented, localised and band-pass
    double frequency = 0;       ///< median in cycles per pixel
    double bandwidth = 0;       ///< median over the atoms that have a bandwidth
    double selectivity = 0;     ///< median selectivity for orientation
    double covered = 0;         ///< median fraction of the pixels that hold 90 % of the energy
    double spread = 0;          ///< median RMS distance of the energy from its centre
    bool operator==(const AtomSummary&) const = default;
};

struct DictionaryFigures {
    std::string name;        ///< name of the tensor: "code.weight"
    Shape shape = {};        ///< last dims: [frames channels, rows, columns] of one atom
    std::int64_t frames = 1; ///< film frames that an atom spans
    std::int64_t held = 0;   ///< atoms in the dictionary; large ones are sampled evenly
    std::vector<AtomFigures> atoms = {}; ///< figures of each measured atom
    AtomSummary together = {};           ///< counts and medians over all measured atoms
    AtomSummary noise = {};              ///< the same figures for random atoms of this shape
    bool operator==(const DictionaryFigures&) const = default;
};

/// Computes the figures of a dictionary whose last three dims, [frames channels, rows, columns],
/// are one atom. Throws Error{usage} if there are fewer than 4 dims, if `frames` does not divide
/// the channels, or if atoms are too large (about 3 x 400 x 400).
[[nodiscard]] DictionaryFigures dictionaryFigures(const TensorNumbers& dictionary,
                                                  std::int64_t frames = 1);

/// Computes the figures of every dictionary layer for these weights. `frames` comes from the data
/// source if the layer reads the source's output unchanged.
[[nodiscard]] std::vector<DictionaryFigures> dictionariesIn(const std::filesystem::path& weights,
                                                            const Design& design);

/// "64 atoms of 1 x 12 x 12: 60 oriented, 55 localised, 58 band-pass, 50 all three (white noise of
/// that shape: 5 %, 5 %, 3 %, 0 %)"
[[nodiscard]] std::string summaryOf(const DictionaryFigures& figures);

} // namespace weft
