// SPDX-License-Identifier: Apache-2.0
#include "lower/problems.h"

#include "base/limits.h"
#include "base/text/text.h"

#include <fmt/format.h>

namespace weft {

void ProblemList::add(Diagnostic diagnostic) {
    std::size_t& count = diagnostic.severity == Severity::error ? errorCount_ : warningCount_;
    if (count >= limits::problems) {
        isAnyUnlisted_ = true;
        return;
    }
    diagnostic.text = elided(diagnostic.text);
    diagnostic.fix.text = elided(diagnostic.fix.text);
    const std::string what =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}", diagnostic.code, diagnostic.group,
                    diagnostic.layer.value, diagnostic.port, diagnostic.attribute, diagnostic.text);
    if (reported_.insert(what).second) {
        ++count;
        list_.push_back(std::move(diagnostic));
    }
}

void ProblemList::add(const ProblemSubject& subject, Diagnostic diagnostic) {
    diagnostic.layer = subject.layer;
    diagnostic.layerName = subject.name;
    diagnostic.group = subject.group;
    add(std::move(diagnostic));
}

bool ProblemList::isFull() {
    isAnyUnlisted_ = isAnyUnlisted_ || errorCount_ >= limits::problems;
    return errorCount_ >= limits::problems;
}

std::vector<Diagnostic> ProblemList::take() {
    if (isAnyUnlisted_) {
        list_.push_back({.code = "W104",
                         .severity = Severity::warning,
                         .text = fmt::format("there are more problems than the {} listed ones",
                                             limits::problems),
                         .fix = {"correct the listed problems first", {}}});
    }
    return std::move(list_);
}

} // namespace weft
