// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads and writes the `.weft` file: one design as versioned JSON in a stable order, suited to
// manual editing and line-based diffs. Unknown content survives loading and saving. The format is
// described in projects/README.md. All functions are thread-safe.

#include <weft/catalogue.h>
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The format version that this program writes.
inline constexpr std::int64_t designFormatVersion = 1;

struct LoadedDesign {
    Design design;                       ///< everything that could be read; satisfies `verify`
    std::vector<Diagnostic> diagnostics; ///< problems found; `unknown` keeps the rest
    std::int64_t readVersion = designFormatVersion; ///< version of the file, before migration
};

/// Parses a design and reports broken parts as diagnostics. Throws Error{format} with line and
/// offset if the text is not JSON, not a design, too large, or of a newer version. `name` stands
/// for the file in messages. Wires without ports get the default ports of `kinds`; without `kinds`
/// they stay empty.
[[nodiscard]] LoadedDesign parseDesign(std::string_view text,
                                       const std::vector<LayerKindInfo>& kinds = {},
                                       const std::string& name = {});
/// Parses a file. Throws Error{file} if it cannot be read.
[[nodiscard]] LoadedDesign loadDesign(const std::filesystem::path& file,
                                      const std::vector<LayerKindInfo>& kinds = {});

/// Returns the canonical text: equal designs give equal bytes, and canonical text survives a round
/// trip unchanged.
[[nodiscard]] std::string toText(const Design& design);
/// Saves atomically: writes a temporary file, syncs and renames it.
void saveDesign(const Design& design, const std::filesystem::path& file);

/// Checks the invariants that every loaded or edited design satisfies, and throws Error{bug} naming
/// the first broken one: unique ids and names, wires and frames between existing layers, at most
/// one wire per input port, and group ports that refer to ports inside.
void verify(const Design& design); ///< throws if an invariant is broken

/// Hash of everything that affects computation: not positions, notes, colours, frames, comments or
/// the order of wires.
[[nodiscard]] std::uint64_t fingerprint(const Design& design);
/// False if the fingerprints may differ. Compares two designs field by field in file order, which
/// is much faster than hashing both.
[[nodiscard]] bool computesTheSame(const Design& a, const Design& b);
/// Compares what two layers compute, regardless of name and position.
[[nodiscard]] bool computesTheSame(const Layer& a, const Layer& b);
[[nodiscard]] bool computesTheSame(const Wire& a, const Wire& b);

enum class ChangeSort : std::uint8_t { added, removed, changed };

struct Change {
    ChangeSort sort = ChangeSort::changed; ///< added, removed or changed
    std::string network;                   ///< group definition of the change; empty: the top level
    LayerId layer;                         ///< none: the change is not about one layer
    std::string text;                      ///< "conv1: filters 20 -> 32"
    bool operator==(const Change&) const = default;
};

/// Returns the changes from `before` to `after` in file order; layers are matched by id.
[[nodiscard]] std::vector<Change> diff(const Design& before, const Design& after);

} // namespace weft
