// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/find_layers.h"

#include "widgets/attribute_field.h"
#include "widgets/fuzzy.h"

#include <QRegularExpression>
#include <algorithm>

namespace weft::ui {

namespace {

/// A condition on an attribute, such as "filters>64".
struct Condition {
    std::string attribute;
    QString sign;
    QString value;

    [[nodiscard]] bool holdsFor(const AttributeValue& is) const {
        const std::optional<double> asked = numberOf(value);
        const std::vector<double> numbers = numbersOf(is);
        if (!asked || numbers.empty()) {
            const bool isSame = textOf(is).compare(value, Qt::CaseInsensitive) == 0;
            return sign == QLatin1String("=") ? isSame : sign == QLatin1String("!=") && !isSame;
        }
        return std::ranges::all_of(numbers,
                                   [&](double number) { return compares(number, *asked); });
    }

private:
    static std::optional<double> numberOf(const QString& text) {
        bool isNumber = false;
        const double number = text.toDouble(&isNumber);
        return isNumber ? std::optional(number) : std::nullopt;
    }

    /// Returns the numbers of a scalar or list attribute; none for a text.
    static std::vector<double> numbersOf(const AttributeValue& value) {
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
            return {list->begin(), list->end()};
        }
        if (const auto* list = std::get_if<std::vector<double>>(&value)) {
            return *list;
        }
        if (const auto* whole = std::get_if<std::int64_t>(&value)) {
            return {static_cast<double>(*whole)};
        }
        const auto* real = std::get_if<double>(&value);
        return real == nullptr ? std::vector<double>() : std::vector<double>{*real};
    }

    [[nodiscard]] bool compares(double is, double asked) const {
        return sign == QLatin1String("=")    ? is == asked
               : sign == QLatin1String("!=") ? is != asked
               : sign == QLatin1String("<")  ? is < asked
               : sign == QLatin1String(">")  ? is > asked
               : sign == QLatin1String("<=") ? is <= asked
                                             : is >= asked;
    }
};

struct Question {
    QString words;
    std::vector<Condition> conditions;
};

Question questionOf(const QString& query) {
    static const QRegularExpression form(QStringLiteral("^([a-z_][a-z0-9_]*)(<=|>=|!=|=|<|>)(.+)$"),
                                         QRegularExpression::CaseInsensitiveOption);
    Question question;
    QStringList words;
    for (const QString& word : query.split(' ', Qt::SkipEmptyParts)) {
        if (const auto found = form.match(word); found.hasMatch()) {
            question.conditions.push_back(
                {found.captured(1).toLower().toStdString(), found.captured(2), found.captured(3)});
        } else {
            words << word;
        }
    }
    question.words = words.join(' ');
    return question;
}

/// An attribute that the design omits has the default value of the layer's kind.
bool holds(const Condition& condition, const Layer& layer, const LayerKindInfo* kind) {
    const AttributeValue* value = layer.attributes.find(condition.attribute);
    if (value == nullptr && kind != nullptr) {
        const auto spec =
            std::ranges::find(kind->attributes, condition.attribute, &AttributeSpec::name);
        value = spec == kind->attributes.end() ? nullptr : &spec->defaultValue;
    }
    return value != nullptr && condition.holdsFor(*value);
}

/// Returns the score of a match; negative: no match.
double scoreOf(const NodeView& node, const QString& words, SearchRow& row) {
    double best = words.isEmpty() ? 0 : -1;
    if (const auto match = fuzzyMatch(words, node.name)) {
        best = match->score + 5;
        row.matched = match->at;
    }
    const auto contains = [&](const QString& text) {
        return text.contains(words, Qt::CaseInsensitive);
    };
    QString shape = node.shape;
    if (contains(node.kind) || contains(node.shape) ||
        contains(shape.replace(QChar(0x00D7), 'x'))) {
        best = std::max(best, 3.0);
    }
    for (const ProblemView& mark : node.marks) {
        if (!words.isEmpty() && contains(mark.text)) {
            best = std::max(best, 2.0);
            row.where = mark.text;
        }
    }
    return best;
}

} // namespace

std::vector<SearchRow> findLayers(const QString& query, const DisplayList& list,
                                  const Network& network, const std::vector<LayerKindInfo>& kinds,
                                  const Theme& theme) {
    const Question question = questionOf(query);
    std::vector<std::pair<double, SearchRow>> found;
    for (const NodeView& node : list.nodes) {
        const Layer* layer = findLayer(network, node.id);
        const LayerKindInfo* kind = layer == nullptr ? nullptr : findKind(kinds, layer->kind);
        const bool fits = std::ranges::all_of(question.conditions, [&](const Condition& one) {
            return layer != nullptr && holds(one, *layer, kind);
        });
        SearchRow row{.id = QString::number(node.id.value),
                      .text = node.name,
                      .where = node.kind + (node.shape.isEmpty() ? "" : " · " + node.shape),
                      .icon = node.icon,
                      .tint = theme.ofCategory(node.category)};
        const double score = fits ? scoreOf(node, question.words, row) : -1;
        if (score >= 0) {
            found.emplace_back(score, std::move(row));
        }
    }
    return bestFirst(std::move(found));
}

} // namespace weft::ui
