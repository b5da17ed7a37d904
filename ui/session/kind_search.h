// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finding layer kinds by what is typed: their names, titles and synonyms ("fc" is a dense layer),
// and the groups that a design defines. Pure.

#include <weft/catalogue.h>
#include <weft/design.h>

#include <QString>
#include <vector>

namespace weft::ui {

/// Which kinds are asked for: all, or those with a port to wire to.
enum class Fitting : std::uint8_t { all, takesInput, givesOutput };

struct KindHit {
    QString kind; ///< of the catalogue, or a group's name
    bool isGroup = false;
    QString title;
    QString category;
    QString icon;
    QString synonym;          ///< what was meant by the query, where it is not the kind's own name
    std::vector<int> matched; ///< letters of `kind`
    double score = 0;
};

/// Best first; in the order of the catalogue where nothing is typed.
[[nodiscard]] std::vector<KindHit> findKinds(const std::vector<LayerKindInfo>& kinds,
                                             const Design* design, const QString& query,
                                             Fitting fitting = Fitting::all);

/// The name of a kind's picture under resources/icons.
[[nodiscard]] QString iconOf(const LayerKindInfo& kind);
/// A category as people read it: "Sparse coding".
[[nodiscard]] QString categoryTitle(const QString& category);

} // namespace weft::ui
