// SPDX-License-Identifier: Apache-2.0
#pragma once
// How oriented, localised and band-pass the atoms of a dictionary are, as one asks of receptive
// fields (Olshausen and Field 1996), beside what white noise of the same shape would come to. Plain
// values, made of the numbers alone.
//
// Power is that of an atom's Fourier transform, the atom standing in zeros: at every frequency, not
// only at multiples of one cycle per patch; that of colours is added up. Of an atom that spans
// frames of a film, the frame with the most energy is looked at. Gain is the root of power: what a
// grating of that frequency would call forth. Frequencies are in cycles per pixel.

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
    std::int64_t atom = 0; ///< counted over all dims before the last three
    /// The sum of its squares. 0: it has none, or numbers that are not finite; nothing else of it
    /// is known then.
    double energy = 0;
    std::int64_t frame = 0;
    /// Where the power is largest.
    double frequency = 0;
    /// Octaves between the two frequencies at which the gain has fallen to half of its largest,
    /// along the line from frequency 0 through the peak (De Valois et al. 1982). Nothing where it
    /// falls so far on one side only, or where frequency 0 passes.
    std::optional<double> bandwidth = {};
    /// Share of the power, in all directions, between those two frequencies; 0 without them.
    double passed = 0;
    /// It has a bandwidth, passes at least half of its power, and its peak lies at half a cycle per
    /// patch or more: what lies below cannot be told from an even grey.
    bool isBandPass = false;
    /// Orientation of its bars in degrees from 0 to 180: 0 is horizontal, 90 vertical; in between
    /// they rise to the right.
    double orientation = 0;
    /// 1 - the circular variance of the directions of all frequencies, weighted by power,
    /// directions that are opposite being one: 1 for a grating, 0 where no direction is preferred.
    double selectivity = 0;
    /// Share of the patch's pixels that hold nine tenths of its energy, the strongest taken first.
    double covered = 0;
    /// How far from its middle the energy lies, root of the mean square, in parts of what an even
    /// patch has: 1 fills the patch, 0 is one pixel.
    double spread = 0;
    bool operator==(const AtomFigures&) const = default;
};

/// Counts of atoms that have energy, and the medians of theirs.
struct AtomsTogether {
    std::int64_t atoms = 0;
    std::int64_t oriented = 0;  ///< more selective than 19 in 20 atoms of noise
    std::int64_t localised = 0; ///< less spread than 19 in 20 atoms of noise
    std::int64_t bandPass = 0;
    std::int64_t allThree = 0;
    double frequency = 0;
    double bandwidth = 0; ///< of those that have one
    double selectivity = 0;
    double covered = 0;
    double spread = 0;
    bool operator==(const AtomsTogether&) const = default;
};

struct DictionaryFigures {
    std::string name; ///< of the tensor: "code.weight"
    Shape shape = {};
    std::int64_t frames = 1;
    std::int64_t held = 0; ///< atoms there are; of very many, some are looked at, evenly chosen
    std::vector<AtomFigures> atoms = {};
    AtomsTogether together = {};
    AtomsTogether noise = {}; ///< of atoms of the same shape whose numbers are drawn, all alike
    bool operator==(const DictionaryFigures&) const = default;
};

/// An atom is what the last three dims are, [frames channels, rows, columns]. Error{usage} where
/// there are fewer dims, none of those is so long, channels are no multiple of frames, or a look
/// at one atom would take a second.
[[nodiscard]] DictionaryFigures dictionaryFigures(const TensorNumbers& dictionary,
                                                  std::int64_t frames = 1);

/// Figures of every layer with a dictionary, for these weights. Frames are the ones that the data
/// source makes, if the layer sees them unchanged.
[[nodiscard]] std::vector<DictionaryFigures> dictionariesIn(const std::filesystem::path& weights,
                                                            const Design& design);

/// "64 atoms of 1 x 12 x 12: 60 oriented, 55 localised, 58 band-pass, 50 all three (white noise of
/// that shape: 5 %, 5 %, 3 %, 0 %)"
[[nodiscard]] std::string summaryOf(const DictionaryFigures& figures);

} // namespace weft
