// SPDX-License-Identifier: Apache-2.0
#include "catalogue/kind_search.h"

#include "widgets/fuzzy.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

/// Matches a query against a kind: its name scores highest, then title, then synonyms.
bool matches(const LayerKindInfo& kind, const QString& query, KindHit& hit) {
    if (query.isEmpty()) {
        return true;
    }
    bool isFound = false;
    const auto consider = [&](const QString& name, double favour, bool isOwn) {
        const std::optional<FuzzyMatch> match = fuzzyMatch(query, name);
        if (!match) {
            return;
        }
        // An exact match scores extra.
        const double whole = name.compare(query, Qt::CaseInsensitive) == 0 ? 20 : 0;
        const double score = match->score + favour + whole;
        if (!isFound || score > hit.score) {
            hit.score = score;
            hit.matched = isOwn ? match->at : std::vector<int>{};
            hit.synonym = isOwn ? QString() : name;
        }
        isFound = true;
    };
    consider(text(kind.kind), 1, true);
    consider(text(kind.title), 0.5, false);
    for (const std::string& synonym : kind.synonyms) {
        consider(text(synonym), 0, false);
    }
    return isFound;
}

bool fits(const LayerKindInfo& kind, Fitting fitting) {
    return fitting == Fitting::all ||
           (fitting == Fitting::takesInput ? !kind.inputs.empty() : !kind.outputs.empty());
}

} // namespace

std::vector<KindHit> findKinds(const std::vector<LayerKindInfo>& kinds, const Design* design,
                               const QString& query, Fitting fitting) {
    std::vector<KindHit> hits;
    const QString asked = query.trimmed();
    for (const LayerKindInfo& kind : kinds) {
        KindHit hit{.kind = text(kind.kind),
                    .title = text(kind.title),
                    .category = text(kind.category),
                    .icon = iconOf(kind)};
        if (fits(kind, fitting) && matches(kind, asked, hit)) {
            hits.push_back(std::move(hit));
        }
    }
    if (design != nullptr) {
        for (const GroupDefinition& group : design->groups) {
            const std::optional<FuzzyMatch> match = fuzzyMatch(asked, text(group.name));
            if (match) {
                hits.push_back({.kind = text(group.name),
                                .isGroup = true,
                                .title = QCoreApplication::translate("kinds", "Group"),
                                .category = QStringLiteral("group"),
                                .icon = QStringLiteral("structure/group"),
                                .matched = match->at,
                                .score = match->score + 1});
            }
        }
    }
    if (!asked.isEmpty()) {
        std::ranges::stable_sort(hits, std::ranges::greater{}, &KindHit::score);
    }
    return hits;
}

QString iconOf(const LayerKindInfo& kind) {
    return "kinds/" + text(kind.icon.empty() ? kind.category : kind.icon);
}

QString categoryTitle(const QString& category) {
    static const std::pair<const char*, const char*> titles[] = {
        {"input", QT_TRANSLATE_NOOP("kinds", "Data")},
        {"convolution", QT_TRANSLATE_NOOP("kinds", "Convolution")},
        {"dense", QT_TRANSLATE_NOOP("kinds", "Dense")},
        {"embedding", QT_TRANSLATE_NOOP("kinds", "Embedding")},
        {"reduce", QT_TRANSLATE_NOOP("kinds", "Reductions")},
        {"pooling", QT_TRANSLATE_NOOP("kinds", "Pooling")},
        {"normalisation", QT_TRANSLATE_NOOP("kinds", "Normalisation")},
        {"activation", QT_TRANSLATE_NOOP("kinds", "Activation")},
        {"regularisation", QT_TRANSLATE_NOOP("kinds", "Regularisation")},
        {"recurrent", QT_TRANSLATE_NOOP("kinds", "Recurrent")},
        {"attention", QT_TRANSLATE_NOOP("kinds", "Attention")},
        {"sparse", QT_TRANSLATE_NOOP("kinds", "Sparse coding")},
        {"shape", QT_TRANSLATE_NOOP("kinds", "Shape")},
        {"combine", QT_TRANSLATE_NOOP("kinds", "Combine")},
        {"elementwise", QT_TRANSLATE_NOOP("kinds", "Elementwise")},
        {"loss", QT_TRANSLATE_NOOP("kinds", "Loss")},
        {"metric", QT_TRANSLATE_NOOP("kinds", "Metric")},
        {"group", QT_TRANSLATE_NOOP("kinds", "Groups of this design")}};
    for (const auto& [name, title] : titles) {
        if (category == QLatin1String(name)) {
            return QCoreApplication::translate("kinds", title);
        }
    }
    return category.left(1).toUpper() + category.mid(1);
}

} // namespace weft::ui
