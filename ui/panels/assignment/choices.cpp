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
    std::map<AxisWord, std::string> reasons;
    for (const LayerPreview* layer : request.layers) {
        for (const LegalChoice& choice : layer->legal) {
            std::string& reason = reasons[choice.word];
            if (reason.empty() && !choice.reason.empty()) {
                reason =
                    request.layers.size() > 1 ? layer->name + ": " + choice.reason : choice.reason;
            }
        }
    }
    std::vector<AssignmentChoice> choices;
    std::vector<AssignmentChoice> refused;
    const bool isGrid = request.mesh.size() == 2;
    if (request.devices.size() > 1) {
        for (const AxisWord word : words) {
            const auto found = reasons.find(word);
            const std::string reason = found == reasons.end() ? std::string() : found->second;
            AssignmentChoice choice{{request.devices, request.mesh, {word}},
                                    nameOfWord(word),
                                    QString::fromStdString(reason)};
            if (isGrid) {
                choice.assignment.words = {word, AxisWord::replicate};
            }
            if (!reason.empty()) {
                refused.push_back(std::move(choice));
                continue;
            }
            if (!isGrid) {
                choices.push_back(std::move(choice));
                continue;
            }
            for (const AxisWord second : words) {
                const auto other = reasons.find(second);
                if (second == word || (other != reasons.end() && !other->second.empty())) {
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
