// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/assignment/choices.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <map>

namespace weft::ui {

namespace {

constexpr std::array words = {AxisWord::data,      AxisWord::modelStack,   AxisWord::modelAdd,
                              AxisWord::spaceRows, AxisWord::spaceColumns, AxisWord::batch,
                              AxisWord::replicate};

QString nameOfWord(AxisWord word) { return QString::fromStdString(std::string(nameOf(word))); }

/// What comes nearest to a word, the nearest first: another cut of the same kind, then any.
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

/// On one axis; only of words that cannot be had.
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

/// "stack": what is said of a word beside another.
QString shortName(AxisWord word) { return nameOfWord(word).section('.', -1); }

} // namespace

std::vector<std::vector<std::int64_t>> meshesOf(std::size_t devices) {
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
        for (const AxisWord word : words) {
            AssignmentChoice choice{{request.devices, request.mesh, {word}}, nameOfWord(word), {}};
            if (isGrid) {
                choice.assignment.words = {word, AxisWord::replicate};
            }
            if (const auto found = reasons.find(word); found != reasons.end()) {
                choice.reason = QString::fromStdString(found->second);
                choice.instead = insteadOf(word, reasons);
                refused.push_back(std::move(choice));
                continue;
            }
            if (!isGrid) {
                choices.push_back(std::move(choice));
                continue;
            }
            for (const AxisWord second : words) {
                if (second == word || seconds.contains(second)) {
                    continue;
                }
                choices.push_back({{request.devices, request.mesh, {word, second}},
                                   shortName(word) + " × " + shortName(second),
                                   {}});
            }
        }
    }
    if (!request.devices.empty()) {
        choices.push_back({{{request.devices.front()}, {1}, {AxisWord::replicate}},
                           QCoreApplication::translate("assignment", "one device"),
                           {}});
    }
    choices.insert(choices.end(), refused.begin(), refused.end());
    return choices;
}

} // namespace weft::ui
