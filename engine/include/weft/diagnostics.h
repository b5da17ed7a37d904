// SPDX-License-Identifier: Apache-2.0
#pragma once
// Problems of a design as values; they are collected and never thrown. Each names the layer and its
// port or attribute, what is wrong, and a fix: a list of edits that can be applied directly.

#include <weft/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class Severity : std::uint8_t { error, warning, note };

/// One edit of a fix as a verb and arguments: {"insert", {"flatten", "conv1.y -> fc6.x"}}. The
/// verbs are those of `applyFix` (edits.h).
struct FixEdit {
    std::string verb;                   ///< "insert", "set", "connect"
    std::vector<std::string> arguments; ///< "flatten", "conv1.y -> fc6.x"
    bool operator==(const FixEdit&) const = default;
};

struct Fix {
    std::string text = {};           ///< "insert flatten"
    std::vector<FixEdit> edits = {}; ///< applied in order; empty: advice only
    std::string asks = {};           ///< key that the user must fill in: "data.source.with.file"
    bool operator==(const Fix&) const = default;
};

struct Diagnostic {
    std::string code; ///< "E012", never reused; W for warnings, N for notes
    Severity severity = Severity::error;
    LayerId layer = {};         ///< none: about the design as a whole
    std::string layerName = {}; ///< as shown to the user: "block[2]/attention"
    std::string port = {};      ///< empty: not about one port
    std::string attribute = {}; ///< empty: not about one attribute
    std::string text = {};      ///< what is wrong, in words
    Fix fix = {};               ///< how to repair it; without edits: advice only
    std::string group = {};     ///< group definition of the layer; empty: the top level
    bool operator==(const Diagnostic&) const = default;
};

/// "E012 fc6: input is [32, 256, 6, 6]; dense takes [batch, features]: insert flatten"
[[nodiscard]] std::string toString(const Diagnostic& diagnostic);
[[nodiscard]] bool hasErrors(const std::vector<Diagnostic>& diagnostics);
/// Throws Error{design} with the first error and the number of further ones, if there are any.
/// `file` is the design's file.
void refuseErrors(const std::vector<Diagnostic>& diagnostics, const std::string& file = {});

/// Explains a code on help pages; the meaning of a code never changes.
struct DiagnosticCode {
    std::string_view code;
    std::string_view title; ///< "input without wire"
    std::string_view help;  ///< how to repair the problem
};
[[nodiscard]] std::span<const DiagnosticCode> diagnosticCodes();

} // namespace weft
