// SPDX-License-Identifier: Apache-2.0
#include "panels/assignment/choices.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

namespace weft::ui {

namespace {

/// A word that can be chosen: the dimension it splits, its meaning alone on a mesh, and a longer
/// explanation of words that are easily confused.
struct WordMeaning {
    AxisWord word;
    const char* cuts;
    const char* means;
    const char* help = nullptr;
};
constexpr WordMeaning words[] = {
    {AxisWord::data, QT_TRANSLATE_NOOP("assignment", "batch"),
     QT_TRANSLATE_NOOP("assignment", "batch split, gradients summed each update"),
     QT_TRANSLATE_NOOP(
         "assignment",
         "Each device computes a part of every batch, and the devices' gradients are summed at "
         "every update. For networks that keep no state of an example after its step. If each "
         "element of the batch is a network with a state of its own, use batch.")},
    {AxisWord::modelStack, QT_TRANSLATE_NOOP("assignment", "outputs"),
     QT_TRANSLATE_NOOP("assignment", "outputs side by side")},
    {AxisWord::modelAdd, QT_TRANSLATE_NOOP("assignment", "inputs"),
     QT_TRANSLATE_NOOP("assignment", "inputs split, sums added")},
    {AxisWord::spaceRows, QT_TRANSLATE_NOOP("assignment", "rows"),
     QT_TRANSLATE_NOOP("assignment", "rows of pictures split")},
    {AxisWord::spaceColumns, QT_TRANSLATE_NOOP("assignment", "columns"),
     QT_TRANSLATE_NOOP("assignment", "columns of pictures split")},
    {AxisWord::batch, QT_TRANSLATE_NOOP("assignment", "batch apart"),
     QT_TRANSLATE_NOOP("assignment", "batch split, gradients summed each sync"),
     QT_TRANSLATE_NOOP(
         "assignment",
         "Each element of the batch is a network of its own that keeps its state from step to "
         "step, with its own film and potentials, and stays on its device. All share the weights. "
         "Each device accumulates its gradients; they are summed over the devices only when they "
         "are applied, once in \"sync every\" updates. With \"sync every\" 1, numbers and traffic "
         "are the same as with data.")},
    {AxisWord::replicate, QT_TRANSLATE_NOOP("assignment", "copies"),
     QT_TRANSLATE_NOOP("assignment", "the same work on each")}};

QString say(const char* text) { return QCoreApplication::translate("assignment", text); }

QString nameOfWord(AxisWord word) { return QString::fromStdString(std::string(nameOf(word))); }

/// Returns alternatives to a word, nearest first: other splits of the same kind, then all others.
std::vector<AxisWord> nearTo(AxisWord word) {
    switch (word) {
    case AxisWord::modelAdd: return {AxisWord::modelStack, AxisWord::data};
    case AxisWord::modelStack: return {AxisWord::modelAdd, AxisWord::data};
    case AxisWord::spaceRows:
    case AxisWord::spaceColumns: return {AxisWord::data, AxisWord::modelStack};
    case AxisWord::data:
    case AxisWord::batch: return {AxisWord::modelStack, AxisWord::modelAdd, AxisWord::replicate};
    case AxisWord::replicate:
    case AxisWord::follow: break;
    }
    return {};
}

/// Reasons why words are illegal on one axis.
using Reasons = std::map<AxisWord, std::string>;

Reasons reasonsFor(const ChoiceRequest& request, std::int64_t parts) {
    Reasons reasons;
    for (const LayerPreview* layer : request.layers) {
        for (const LegalWord& legal : layer->legal) {
            if (const std::string reason = refusalOf(legal, parts); !reason.empty()) {
                reasons.try_emplace(
                    legal.word, request.layers.size() > 1 ? layer->name + ": " + reason : reason);
            }
        }
    }
    return reasons;
}

AxisWord insteadOf(AxisWord word, const Reasons& reasons) {
    for (const AxisWord near : nearTo(word)) {
        if (!reasons.contains(near)) {
            return near;
        }
    }
    return AxisWord::follow;
}

/// Returns the short name of a word for combinations, such as "stack".
QString shortName(AxisWord word) { return nameOfWord(word).section('.', -1); }

} // namespace

std::vector<std::vector<std::int64_t>> meshShapes(std::size_t devices) {
    const auto count = static_cast<std::int64_t>(devices);
    std::vector<std::vector<std::int64_t>> meshes{{std::max<std::int64_t>(count, 1)}};
    for (std::int64_t rows = 2; rows * 2 <= count; ++rows) {
        if (count % rows == 0) {
            meshes.push_back({rows, count / rows});
        }
    }
    return meshes;
}

std::vector<AssignmentChoice> choicesFor(const ChoiceRequest& request) {
    std::vector<AssignmentChoice> choices;
    std::vector<AssignmentChoice> refused;
    const bool isGrid = request.mesh.size() == 2;
    if (request.devices.size() > 1) {
        const Reasons reasons = reasonsFor(request, request.mesh.front());
        const Reasons seconds = isGrid ? reasonsFor(request, request.mesh.back()) : Reasons();
        for (const auto& [word, cuts, means, help] : words) {
            AssignmentChoice choice{.assignment = {request.devices, request.mesh, {word}},
                                    .title = nameOfWord(word),
                                    .meaning = say(means),
                                    .help = help == nullptr ? QString() : say(help)};
            if (isGrid) {
                choice.assignment.words = {word, AxisWord::replicate};
            }
            if (const auto found = reasons.find(word); found != reasons.end()) {
                choice.reason = QString::fromStdString(found->second);
                choice.alternative = insteadOf(word, reasons);
                refused.push_back(std::move(choice));
                continue;
            }
            if (!isGrid) {
                choices.push_back(std::move(choice));
                continue;
            }
            for (const WordMeaning& other : words) {
                const AxisWord second = other.word;
                if (second == word || seconds.contains(second)) {
                    continue;
                }
                choices.push_back({.assignment = {request.devices, request.mesh, {word, second}},
                                   .title = shortName(word) + " × " + shortName(second),
                                   .meaning = QStringLiteral("%1 × %2: %3 × %4")
                                                  .arg(request.mesh.front())
                                                  .arg(request.mesh.back())
                                                  .arg(say(cuts), say(other.cuts))});
            }
        }
    }
    if (!request.devices.empty()) {
        choices.push_back(
            {.assignment = {{request.devices.front()}, {1}, {AxisWord::replicate}},
             .title = say(QT_TRANSLATE_NOOP("assignment", "one device")),
             .meaning = say(QT_TRANSLATE_NOOP("assignment", "%1, the others are idle"))
                            .arg(QString::fromStdString(request.devices.front()))});
    }
    choices.insert(choices.end(), refused.begin(), refused.end());
    return choices;
}

} // namespace weft::ui
