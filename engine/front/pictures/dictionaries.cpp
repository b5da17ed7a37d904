// SPDX-License-Identifier: Apache-2.0
// Figures of a dictionary: those of its atoms, and for comparison those of random atoms.
#include "base/philox.h"
#include "front/pictures/atoms.h"
#include "lower/expand.h"
#include <weft/atoms.h>
#include <weft/catalogue.h>
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace weft {

namespace {

constexpr std::int64_t longestSide = 4096;
/// Limits on the operations for one atom, for a dictionary (some seconds), and for the random atoms
/// that it is compared with.
constexpr double mostAtomWork = 5e8;
constexpr double mostWork = 5e9;
constexpr double mostNoiseWork = 2e9;

/// Number of atoms of a dictionary, number of frames of an atom, and size of a frame.
struct AtomCut {
    std::int64_t atoms = 0;
    std::int64_t frames = 1;
    Patch frame; ///< its size; without numbers

    [[nodiscard]] std::size_t numbers() const {
        return static_cast<std::size_t>(frame.channels * frame.pixels());
    }
};

AtomCut cutOf(const TensorNumbers& dictionary, std::int64_t frames) {
    const Shape& shape = dictionary.shape;
    const auto refuse = [&](const std::string& problem, const std::string& remedy) {
        throw Error(ErrorCode::usage, {}, fmt::format("{} {}", dictionary.name, problem), remedy);
    };
    if (shape.size() < 4 || elementsOf(shape) <= 0 ||
        elementsOf(shape) != static_cast<std::int64_t>(dictionary.numbers.size())) {
        refuse(fmt::format("has the shape {}, which is not that of a dictionary", toString(shape)),
               "name the weight of an lca layer: [atoms, channels, rows, columns]");
    }
    const std::size_t rank = shape.size();
    const std::int64_t channels = shape[rank - 3];
    if (frames < 1 || channels % frames != 0) {
        refuse(fmt::format("has {} channels, which do not divide into {} frames", channels, frames),
               "use a number of frames that divides the channels");
    }
    AtomCut cut{.frames = frames,
                .frame = {channels / frames, shape[rank - 2], shape[rank - 1], {}}};
    if (cut.frame.longestSide() > longestSide || operationsFor(cut.frame) > mostAtomWork) {
        refuse(fmt::format("has atoms of {} x {} x {}", cut.frame.channels, cut.frame.rows,
                           cut.frame.columns),
               "use atoms of at most about 3 x 400 x 400");
    }
    cut.atoms = elementsOf(shape) / (channels * cut.frame.pixels());
    return cut;
}

double energyOf(std::span<const float> numbers) {
    double energy = 0;
    for (const float x : numbers) {
        energy += static_cast<double>(x) * static_cast<double>(x);
    }
    return energy;
}

AtomFigures atomFigures(const AtomCut& cut, std::span<const float> numbers) {
    const double energy = energyOf(numbers);
    if (!std::isfinite(energy) || energy <= 0) {
        return {};
    }
    double most = -1;
    std::int64_t strongest = 0;
    for (std::int64_t frame = 0; frame < cut.frames; ++frame) {
        const double its = energyOf(
            numbers.subspan(static_cast<std::size_t>(frame) * cut.numbers(), cut.numbers()));
        if (its > most) {
            most = its;
            strongest = frame;
        }
    }
    Patch patch = cut.frame;
    patch.numbers =
        numbers.subspan(static_cast<std::size_t>(strongest) * cut.numbers(), cut.numbers());
    AtomFigures made = figuresOf(patch, energy);
    made.frame = strongest;
    return made;
}

std::int64_t affordable(const AtomCut& cut, double work, std::int64_t wanted) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(work / operationsFor(cut.frame)), 16,
                                    std::max<std::int64_t>(wanted, 16));
}

/// Random atoms depend only on the shape, so all dictionaries of a shape are compared with the same
/// ones.
std::vector<AtomFigures> noiseLike(const AtomCut& cut) {
    std::vector<AtomFigures> made;
    const std::int64_t count = affordable(cut, mostNoiseWork, 256);
    std::vector<float> numbers(cut.numbers() * static_cast<std::size_t>(cut.frames));
    for (std::int64_t atom = 0; atom < count; ++atom) {
        Philox({.seed = 1, .role = "white noise for comparison with a dictionary", .step = atom})
            .fillNormal(0, numbers);
        made.push_back(atomFigures(cut, numbers));
    }
    return made;
}

/// Returns the quantile of a figure: the number below which `share` of the atoms lie.
template <class Of>
double quantile(const std::vector<AtomFigures>& atoms, double share, const Of& of) {
    std::vector<double> values;
    for (const AtomFigures& atom : atoms) {
        if (const std::optional<double> value = of(atom); atom.energy > 0 && value) {
            values.push_back(*value);
        }
    }
    if (values.empty()) {
        return 0;
    }
    std::ranges::sort(values);
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

auto member(double AtomFigures::*field) {
    return [field](const AtomFigures& atom) { return std::optional(atom.*field); };
}

struct NoiseLimits {
    double selectivity = 0;
    double spread = 0;
};

AtomSummary together(const std::vector<AtomFigures>& atoms, const NoiseLimits& limits) {
    AtomSummary made;
    for (const AtomFigures& atom : atoms) {
        if (atom.energy <= 0) {
            continue;
        }
        const bool isOriented = atom.selectivity > limits.selectivity;
        const bool isLocalised = atom.spread < limits.spread;
        ++made.atoms;
        made.oriented += isOriented ? 1 : 0;
        made.localised += isLocalised ? 1 : 0;
        made.bandPass += atom.isBandPass ? 1 : 0;
        made.allThree += isOriented && isLocalised && atom.isBandPass ? 1 : 0;
    }
    const auto median = [&](const auto& of) { return quantile(atoms, 0.5, of); };
    made.frequency = median(member(&AtomFigures::frequency));
    made.bandwidth = median([](const AtomFigures& atom) { return atom.bandwidth; });
    made.selectivity = median(member(&AtomFigures::selectivity));
    made.covered = median(member(&AtomFigures::covered));
    made.spread = median(member(&AtomFigures::spread));
    return made;
}

struct NamedDictionary {
    std::string name; ///< name of its tensor: "code.weight"
    const ExpandedLayer* layer = nullptr;
};
std::vector<NamedDictionary> dictionariesOf(const std::vector<LayerKindInfo>& kinds,
                                            const ExpandedDesign& expanded) {
    std::vector<NamedDictionary> all;
    for (const ExpandedLayer& layer : expanded.layers) {
        const LayerKindInfo* kind = findKind(kinds, layer.kind);
        if (const ParameterInfo* own = kind == nullptr ? nullptr : dictionaryOf(*kind)) {
            all.push_back({layer.name + "." + own->name, &layer});
        }
    }
    return all;
}

/// Returns the number of frames that an atom of a layer spans: the frames of an example if the
/// layer reads an input layer, else 1.
std::int64_t framesOf(const std::vector<LayerKindInfo>& kinds, const ExpandedDesign& expanded,
                      const ExpandedLayer& layer, const Design& design, const Shape& dictionary) {
    const AttributeValue* said = design.data.attributes.find("frames");
    const auto* number = said == nullptr ? nullptr : std::get_if<std::int64_t>(said);
    const std::int64_t frames = number == nullptr ? 1 : *number;
    const bool isGiven = std::ranges::any_of(layer.inputs, [&](const ExpandedInput& input) {
        const LayerKindInfo* from = findKind(kinds, expanded.layers[input.from].kind);
        return input.port == "x" && from != nullptr && from->inputs.empty();
    });
    const bool divides =
        frames > 0 && dictionary.size() >= 3 && dictionary[dictionary.size() - 3] % frames == 0;
    return isGiven && divides ? frames : 1;
}

std::string shareText(std::int64_t part, std::int64_t all) {
    return fmt::format(
        "{:.0f} %", all > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0.0);
}

} // namespace

DictionaryFigures dictionaryFigures(const TensorNumbers& dictionary, std::int64_t frames) {
    const AtomCut cut = cutOf(dictionary, frames);
    const std::size_t size = cut.numbers() * static_cast<std::size_t>(frames);
    DictionaryFigures made{
        .name = dictionary.name, .shape = dictionary.shape, .frames = frames, .held = cut.atoms};
    const std::int64_t count = std::min(cut.atoms, affordable(cut, mostWork, cut.atoms));
    for (std::int64_t k = 0; k < count; ++k) {
        // Written without a product that could overflow for a malicious number of atoms.
        const std::int64_t atom = cut.atoms / count * k + cut.atoms % count * k / count;
        AtomFigures figures = atomFigures(
            cut,
            std::span(dictionary.numbers).subspan(static_cast<std::size_t>(atom) * size, size));
        figures.atom = atom;
        made.atoms.push_back(figures);
    }
    const std::vector<AtomFigures> noise = noiseLike(cut);
    const NoiseLimits limits{quantile(noise, 0.95, member(&AtomFigures::selectivity)),
                             quantile(noise, 0.05, member(&AtomFigures::spread))};
    made.together = together(made.atoms, limits);
    made.noise = together(noise, limits);
    return made;
}

std::vector<DictionaryFigures> dictionariesIn(const std::filesystem::path& weights,
                                              const Design& design) {
    const std::vector<LayerKindInfo> kinds = catalogue();
    const ExpandedDesign expanded = expand(design, kinds);
    const std::vector<NamedDictionary> all = dictionariesOf(kinds, expanded);
    if (all.empty()) {
        return {};
    }
    const std::vector<std::string> known = tensorsIn(weights);
    std::vector<DictionaryFigures> made;
    for (const NamedDictionary& one : all) {
        // A layer that shares another layer's dictionary is skipped.
        if (std::ranges::find(known, one.name) != known.end()) {
            const TensorNumbers numbers = readTensor(weights, one.name);
            made.push_back(dictionaryFigures(
                numbers, framesOf(kinds, expanded, *one.layer, design, numbers.shape)));
        }
    }
    return made;
}

std::string summaryOf(const DictionaryFigures& figures) {
    const AtomSummary& all = figures.together;
    const AtomSummary& noise = figures.noise;
    const std::size_t rank = figures.shape.size();
    std::string atoms = fmt::format("{} atoms", figures.held);
    if (all.atoms < figures.held) {
        atoms = fmt::format("{} of {}", all.atoms, atoms);
    }
    return fmt::format(
        "{} of {} x {} x {}: {} oriented, {} localised, {} band-pass, {} all three (white noise "
        "of that shape: {}, {}, {}, {})",
        atoms, figures.shape[rank - 3], figures.shape[rank - 2], figures.shape[rank - 1],
        all.oriented, all.localised, all.bandPass, all.allThree,
        shareText(noise.oriented, noise.atoms), shareText(noise.localised, noise.atoms),
        shareText(noise.bandPass, noise.atoms), shareText(noise.allThree, noise.atoms));
}

} // namespace weft
