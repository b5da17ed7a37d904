// SPDX-License-Identifier: Apache-2.0
#pragma once
// Problems of a design: values, collected and never thrown. Each says which layer and port or
// attribute, what is wrong and what would mend it; a fix is a list of edits that can be applied as
// they stand.

#include <weft/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class Severity : std::uint8_t { error, warning, note };

/// One mending edit, by name, in words a program can apply: {"insert", {"flatten", "conv1.y ->
/// fc6.x"}}. The verbs are those of `applyFix` (edits.h).
struct FixEdit {
    std::string verb;
    std::vector<std::string> arguments;
    bool operator==(const FixEdit&) const = default;
};

struct Fix {
    std::string text = {}; ///< "insert flatten"
    std::vector<FixEdit> edits = {};
    /// In place of edits: the setting whose value its author alone knows ("data.source.with.file"),
    /// for a window to ask for.
    std::string asks = {};
    bool operator==(const Fix&) const = default;
};

struct Diagnostic {
    std::string code; ///< "E012", stable for ever; W for warnings, N for notes
    Severity severity = Severity::error;
    LayerId layer = {};         ///< none: the design as a whole
    std::string layerName = {}; ///< as the user reads it: "block[2]/attention"
    std::string port = {};
    std::string attribute = {};
    std::string text = {};  ///< what is wrong
    Fix fix = {};           ///< what would mend it; no edits: only words
    std::string group = {}; ///< the definition that the layer is in; empty: the top level
    bool operator==(const Diagnostic&) const = default;
};

/// "E012 fc6: input is [32, 256, 6, 6]; dense takes [batch, features]: insert flatten"
[[nodiscard]] std::string toString(const Diagnostic& diagnostic);
[[nodiscard]] bool hasErrors(const std::vector<Diagnostic>& diagnostics);
/// Throws Error{design} with the first error there is, and says how many more there are. `file` is
/// the design's.
void refuseErrors(const std::vector<Diagnostic>& diagnostics, const std::string& file = {});

/// What a code means, for help pages: codes are never given another meaning.
struct DiagnosticCode {
    std::string_view code;
    std::string_view title; ///< "input without wire"
    std::string_view help;  ///< what to do about it
};
[[nodiscard]] std::span<const DiagnosticCode> diagnosticCodes();

} // namespace weft
