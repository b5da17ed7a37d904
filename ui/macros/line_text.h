// SPDX-License-Identifier: Apache-2.0
#pragma once
// Splits a line of a macro into words: an id and arguments separated by blanks; words with blanks
// are quoted. Pure.

#include <weft/assignment.h>
#include <weft/attributes.h>

#include <QStringList>
#include <optional>

namespace weft::ui {

/// Returns an empty list for an empty line or a comment (#); std::nullopt if a quote is not closed.
[[nodiscard]] std::optional<QStringList> splitLine(const QString& line);
[[nodiscard]] QString joinWords(const QStringList& words);

/// Parses a typed value; whatever is not a number, list or boolean is a text.
[[nodiscard]] AttributeValue parseValue(const QString& word);
[[nodiscard]] QString valueText(const AttributeValue& value);
/// Parses an assignment written as by `toString`, without brackets: "data on cpu:0 cpu:1".
[[nodiscard]] std::optional<Assignment> parseAssignment(const QStringList& words);
[[nodiscard]] QStringList assignmentWords(const Assignment& assignment);

/// A list of words that is read from the front.
class LineWords {
public:
    explicit LineWords(QStringList words) : words_(std::move(words)) {}

    [[nodiscard]] bool isEnd() const { return words_.isEmpty(); }
    /// Returns the next word, or an empty text at the end.
    QString next() { return words_.isEmpty() ? QString() : words_.takeFirst(); }
    bool takeIf(QLatin1String word); ///< takes the next word if it equals `word`
    /// Takes all words before `word`, or all remaining words.
    QStringList takeUntil(QLatin1String word);
    std::optional<double> takeNumber(); ///< takes the next word if it is a number
    std::optional<std::int64_t> takeInteger();

private:
    QStringList words_;
};

} // namespace weft::ui
