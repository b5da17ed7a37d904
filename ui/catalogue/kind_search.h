// SPDX-License-Identifier: Apache-2.0
#pragma once
// Searches layer kinds by name, title and synonyms ("fc" is a dense layer), and the groups of a
// design. Pure.

#include <weft/catalogue.h>
#include <weft/design.h>

#include <QString>
#include <vector>

namespace weft::ui {

/// Restricts the result to kinds with a port that can be connected.
enum class Fitting : std::uint8_t { all, takesInput, givesOutput }; ///< ports that a kind needs

struct KindHit {
    QString kind;             ///< layer kind, or the name of a group
    bool isGroup = false;     ///< a group of the design
    QString title;            ///< readable name of the kind
    QString category;         ///< category of the kind
    QString icon;             ///< under resources/icons
    QString synonym;          ///< the synonym that matched, if it wasn't the kind's name
    std::vector<int> matched; ///< indices of the matched letters of `kind`
    double score = 0;         ///< higher is better
};

/// Returns matches, best first; for an empty query, all kinds in the order of the catalogue.
[[nodiscard]] std::vector<KindHit> findKinds(const std::vector<LayerKindInfo>& kinds,
                                             const Design* design, const QString& query,
                                             Fitting fitting = Fitting::all);

/// Returns the name of a kind's icon under resources/icons.
[[nodiscard]] QString iconOf(const LayerKindInfo& kind); ///< under resources/icons
/// Returns a readable category name such as "Sparse coding".
[[nodiscard]] QString categoryTitle(const QString& category); ///< "Sparse coding"

} // namespace weft::ui
