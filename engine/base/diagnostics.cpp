// SPDX-License-Identifier: Apache-2.0
#include <weft/diagnostics.h>
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

std::string toString(const Diagnostic& diagnostic) {
    std::string text = diagnostic.code;
    const auto add = [&](const std::string& word) {
        text += text.empty() || word.empty() ? word : " " + word;
    };
    std::string place = diagnostic.layerName;
    const std::string& part = diagnostic.port.empty() ? diagnostic.attribute : diagnostic.port;
    if (!part.empty()) {
        place += place.empty() ? part : "." + part;
    }
    add(place.empty() ? place : place + ":");
    add(diagnostic.text);
    if (!diagnostic.fix.text.empty()) {
        text += ": " + diagnostic.fix.text;
    }
    return printable(text);
}

void refuseErrors(const std::vector<Diagnostic>& diagnostics, const std::string& file) {
    const auto isError = [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::error;
    };
    const auto first = std::ranges::find_if(diagnostics, isError);
    if (first == diagnostics.end()) {
        return;
    }
    const auto others = std::ranges::count_if(diagnostics, isError) - 1;
    std::string remedy =
        first->fix.text.empty() ? "weft check shows every problem" : first->fix.text;
    if (others > 0) {
        remedy += fmt::format(" ({} more problems: weft check lists them)", others);
    }
    throw Error(ErrorCode::design, Where{.file = file, .layer = first->layerName},
                first->code + " " + first->text, remedy);
}

bool hasErrors(const std::vector<Diagnostic>& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::error;
    });
}

} // namespace weft
