// SPDX-License-Identifier: Apache-2.0
#include "contract/random/random_trial.h"

#include "support/apart.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::test {

namespace {

/// Three steps of f32 sums in other orders, as in the suite of layers; of f64 sums.
double toleranceOf(const RandomTraining& training) { return training.isDouble ? 1e-8 : 2e-4; }

const std::string startOfDesign = "\x01";
const std::string startOfFailure = "\x02";
const std::string isVoidText = "void";

/// A design may make much of its last bits (a variance that is nearly zero): then so may the order
/// of sums, and some times as much, since a sum rounds more often than once.
constexpr double amplified = 50;
/// One alone may leave out the very bits that matter.
constexpr std::uint32_t nudges = 4;

bool belongsTo(const LayerPreview& preview, const Layer& layer) {
    return preview.name == layer.name || preview.name.starts_with(layer.name + "/") ||
           preview.name.starts_with(layer.name + "[");
}

std::string firstError(const std::vector<Diagnostic>& problems) {
    const auto found = std::ranges::find(problems, Severity::error, &Diagnostic::severity);
    return found == problems.end() ? "" : toString(*found);
}

Legal wordsOfInputs(const Design& design) {
    Legal legal;
    for (const Layer& layer : design.network.layers) {
        if (layer.kind == "input") {
            legal[layer.id] = {AxisWord::follow, AxisWord::data, AxisWord::replicate};
        }
    }
    return legal;
}

Legal legalWords(const Preview& seen, const Design& design) {
    Legal legal;
    for (const Layer& layer : design.network.layers) {
        std::vector<AxisWord> words;
        for (const AxisWord word : {AxisWord::follow, AxisWord::data, AxisWord::modelStack,
                                    AxisWord::modelAdd, AxisWord::replicate, AxisWord::batch}) {
            const bool isLegal = std::ranges::all_of(seen.layers, [&](const LayerPreview& each) {
                return !belongsTo(each, layer) ||
                       std::ranges::any_of(each.legal, [&](const LegalWord& legal) {
                           return legal.word == word &&
                                  refusalOf(legal, elementsOf(each.mesh)).empty();
                       });
            });
            if (isLegal) {
                words.push_back(word);
            }
        }
        legal[layer.id] = std::move(words);
    }
    return legal;
}

} // namespace

bool isFinite(const Trained& trained) {
    return std::ranges::all_of(trained.numbers,
                               [](const auto& number) { return std::isfinite(number.second); }) &&
           std::ranges::all_of(trained.slotsAfter, [](const auto& slot) {
               return std::ranges::all_of(slot.second, [](double x) { return std::isfinite(x); });
           });
}

void chooseLegalWords(RandomTraining& training, const TrainingDraws& draws, PreviewCache& cache) {
    // An input that is told anything but to follow lies on the design's devices, and with it what
    // follows its devices: for how many of them a word is legal can only be asked afterwards.
    Legal legal = wordsOfInputs(training.design);
    chooseWords(training, draws, legal);
    legal.merge(legalWords(*preview(training.design, cache), training.design));
    chooseWords(training, draws, legal);
}

/// Tells one layer a word that the preview refuses: that must be one error, with that reason.
std::string Trials::findRefusal(const Preview& seen, Design design, const TrainingDraws& draws) {
    const std::size_t first = draws.settings[3];
    for (std::size_t k = 0; k < design.network.layers.size(); ++k) {
        Layer& layer = design.network.layers[(first + k) % design.network.layers.size()];
        const auto of = std::ranges::find_if(
            seen.layers, [&](const LayerPreview& each) { return each.name == layer.name; });
        if (of == seen.layers.end() || of->devices.size() < 2) {
            continue;
        }
        const std::int64_t parts = of->mesh.front();
        const auto refused = std::ranges::find_if(
            of->legal, [&](const LegalWord& legal) { return !refusalOf(legal, parts).empty(); });
        if (refused == of->legal.end() || parts == 1) {
            continue;
        }
        if (!layer.assignment) {
            layer.assignment.emplace();
        }
        layer.assignment->words = {refused->word};
        const Preview after = *preview(design, cache_);
        const bool isSaid = std::ranges::any_of(after.problems, [&](const Diagnostic& problem) {
            return problem.layerName == layer.name && problem.severity == Severity::error &&
                   problem.text.find(refusalOf(*refused, parts)) != std::string::npos;
        });
        return isSaid ? ""
                      : layer.name + " is told " + std::string(nameOf(refused->word)) +
                            ", which the preview refuses (" + refusalOf(*refused, parts) +
                            "), and there is no such error";
    }
    return {};
}

std::string Trials::judge(RandomTraining& training, const TrainingDraws& draws,
                          CommunicatorKind communicator, const Tell& tell) {
    Design& design = training.design;
    const Preview seen = *preview(design, cache_);
    if (hasErrors(seen.problems)) {
        return firstError(seen.problems);
    }
    if (std::string missed = findRefusal(seen, design, draws); !missed.empty()) {
        return missed;
    }
    chooseLegalWords(training, draws, cache_);
    tell(startOfDesign + toText(design));
    if (std::string refused = firstError(preview(design, cache_)->problems); !refused.empty()) {
        return refused;
    }
    DesignTraining asked{.design = &design, .registry = registry_.get()};
    asked.shortBatch = training.shortBatch;
    asked.below = [&](const std::string& feed) { return training.below.at(feed); };
    const Design alone = withoutAssignments(design);
    asked.design = &alone;
    const Trained one = trainDesign(asked);
    if (!one.refusals.empty()) {
        return "on one device: " + one.refusals.front();
    }
    if (!isFinite(one)) {
        return isVoidText;
    }
    asked.design = &design;
    asked.devices = design.devices.size();
    asked.communicator = communicator;
    const Trained many = trainDesign(asked);
    if (!many.refusals.empty()) {
        return many.refusals.front();
    }
    if (communicator == CommunicatorKind::threads && many.allocations != 0) {
        return fmt::format("a step asks for memory {} times", many.allocations);
    }
    asked.design = &alone;
    asked.devices = 1;
    return differenceTold(asked, training, one, many);
}

std::string differenceTold(DesignTraining alone, const RandomTraining& training, const Trained& one,
                           const Trained& many) {
    std::string where;
    const double difference = largestDifference(one, many, where);
    if (difference < toleranceOf(training)) {
        return {};
    }
    std::string ignored;
    double rounding = 0;
    for (alone.nudge = 1; alone.nudge <= nudges; ++alone.nudge) {
        rounding = std::max(rounding, largestDifference(one, trainDesign(alone), ignored));
    }
    return difference < amplified * rounding
               ? ""
               : fmt::format("{} differs by {:.3g}, the last bits make {:.3g}", where, difference,
                             rounding);
}

void Trials::runHere(const TrainingDraws& draws, CommunicatorKind communicator, const Tell& tell) {
    RandomTraining training = makeTraining(draws, *registry_);
    chooseDevices(training, draws);
    tell(startOfDesign + toText(training.design));
    std::string failure;
    try {
        failure = judge(training, draws, communicator, tell);
    } catch (const Error& error) {
        failure = error.what();
    }
    tell(startOfFailure + failure);
}

Trial Trials::run(const TrainingDraws& draws, CommunicatorKind communicator) {
    const Apart apart = runApart([&](const auto& tell) { runHere(draws, communicator, tell); });
    Trial trial;
    const auto end = apart.text.find(startOfFailure);
    const auto begin = apart.text.rfind(startOfDesign, end);
    if (begin != std::string::npos) {
        trial.text =
            apart.text.substr(begin + startOfDesign.size(), end - begin - startOfDesign.size());
    }
    trial.failure = apart.hasEnded && end != std::string::npos
                        ? apart.text.substr(end + startOfFailure.size())
                        : "the process ended: " + apart.complaint;
    trial.isVoid = trial.failure == isVoidText;
    return trial;
}

} // namespace weft::test
