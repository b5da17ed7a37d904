// SPDX-License-Identifier: Apache-2.0
#pragma once
// The `.weft` file: one design as versioned JSON in a stable order, made to be read, written by
// hand and compared line by line. Whatever a file holds that this version does not know survives
// loading and saving. The format is described in projects/README.md. Plain functions; any thread.

#include <weft/catalogue.h>
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The version of the format that this program writes.
inline constexpr std::int64_t designFormatVersion = 1;

struct LoadedDesign {
    Design design; ///< as much of it as could be understood; it keeps the promises of `verify`
    std::vector<Diagnostic> diagnostics;            ///< what could not be, and is kept in `unknown`
    std::int64_t readVersion = designFormatVersion; ///< of the file; older ones have been migrated
};

/// A broken design opens as far as it can, and says what is broken. Throws Error{format} with line
/// and offset where the text is not JSON, not a design, too large, or of a newer version. `name`
/// stands for the file in messages. Wires that leave out their ports are given those of `kinds`;
/// without it their ports stay empty.
[[nodiscard]] LoadedDesign parseDesign(std::string_view text,
                                       const std::vector<LayerKindInfo>& kinds = {},
                                       const std::string& name = {});
/// The same for a file; Error{file} where it cannot be read.
[[nodiscard]] LoadedDesign loadDesign(const std::filesystem::path& file,
                                      const std::vector<LayerKindInfo>& kinds = {});

/// The canonical text: equal designs give equal bytes, and a text that came from here loads and
/// saves to itself.
[[nodiscard]] std::string toText(const Design& design);
/// Written beside, synced and renamed: the file is the old one or the new one at every instant.
void saveDesign(const Design& design, const std::filesystem::path& file);

/// Throws Error{bug} naming the first promise that is broken: ids and names unique in their
/// network, wires and frames among layers that are there, one wire at most into a port, group ports
/// that stand for ports inside. Every design that was loaded or edited keeps them.
void verify(const Design& design);

/// A hash of what matters for computing: not positions, notes, colours, frames, comments or the
/// order of wires.
[[nodiscard]] std::uint64_t fingerprint(const Design& design);
/// False where the fingerprints may differ: the same question about two designs at hand, asked of
/// all that is written, in the order of the file, and answered much sooner.
[[nodiscard]] bool computesTheSame(const Design& a, const Design& b);
/// Compares what a layer computes, regardless of its name and position.
[[nodiscard]] bool computesTheSame(const Layer& a, const Layer& b);
[[nodiscard]] bool computesTheSame(const Wire& a, const Wire& b);

enum class ChangeSort : std::uint8_t { added, removed, changed };

struct Change {
    ChangeSort sort = ChangeSort::changed;
    std::string network; ///< the group definition it is in; empty: the top level
    LayerId layer;       ///< none: not about one layer
    std::string text;    ///< "conv1: filters 20 -> 32"
    bool operator==(const Change&) const = default;
};

/// What makes `after` of `before`, in the order of the file. Layers are recognised by id. Equal
/// designs give nothing.
[[nodiscard]] std::vector<Change> diff(const Design& before, const Design& after);

} // namespace weft
