// SPDX-License-Identifier: Apache-2.0
#include "lower/problems.h"

#include "base/text.h"
#include "design/names.h"

#include <fmt/format.h>

namespace weft {

void ProblemList::add(Diagnostic diagnostic) {
    diagnostic.text = elided(diagnostic.text);
    diagnostic.fix.text = elided(diagnostic.fix.text);
    const std::string what =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}", diagnostic.code, diagnostic.group,
                    diagnostic.layer.value, diagnostic.port, diagnostic.attribute, diagnostic.text);
    if (said_.insert(what).second) {
        list_.push_back(std::move(diagnostic));
    }
}

void ProblemList::add(const Subject& subject, Diagnostic diagnostic) {
    diagnostic.layer = subject.layer;
    diagnostic.layerName = subject.name;
    diagnostic.group = subject.group;
    add(std::move(diagnostic));
}

Fix fixBy(std::string text, std::string verb, std::vector<std::string> arguments) {
    return {std::move(text), {{std::move(verb), std::move(arguments)}}};
}

Fix fixByWord(std::string_view word, const std::vector<std::string>& candidates, std::string verb,
              std::vector<std::string> argumentsBefore, std::string otherwise) {
    const std::string meant = nearestWord(word, candidates);
    if (meant.empty()) {
        return {std::move(otherwise), {}};
    }
    argumentsBefore.push_back(meant);
    return fixBy(fmt::format("write {}", meant), std::move(verb), std::move(argumentsBefore));
}

} // namespace weft
