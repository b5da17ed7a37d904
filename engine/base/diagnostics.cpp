// SPDX-License-Identifier: Apache-2.0
#include <weft/diagnostics.h>

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
    return text;
}

bool hasErrors(const std::vector<Diagnostic>& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::error;
    });
}

} // namespace weft
