// SPDX-License-Identifier: Apache-2.0
#include "lower/problems.h"

#include "base/text.h"

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

} // namespace weft
