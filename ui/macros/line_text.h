// SPDX-License-Identifier: Apache-2.0
#pragma once
// A line of a macro as words: an id and its arguments with blanks between; a word with blanks in it
// stands in quotes. Pure.

#include <weft/assignment.h>
#include <weft/attributes.h>

#include <QStringList>
#include <optional>

namespace weft::ui {

/// Empty for an empty line and one that begins with #; none where a quote is not closed.
[[nodiscard]] std::optional<QStringList> wordsOf(const QString& line);
[[nodiscard]] QString lineOf(const QStringList& words);

/// Values as one types them; what is no number, list or truth is a text.
[[nodiscard]] AttributeValue valueOf(const QString& word);
[[nodiscard]] QString wordOf(const AttributeValue& value);
/// "data on cpu:0 cpu:1": as `toString` says it, without brackets.
[[nodiscard]] std::optional<Assignment> assignmentOf(const QStringList& words);
[[nodiscard]] QStringList wordsOf(const Assignment& assignment);

/// Words taken from the front.
class LineWords {
public:
    explicit LineWords(QStringList words) : words_(std::move(words)) {}

    [[nodiscard]] bool isEnd() const { return words_.isEmpty(); }
    /// Empty at the end.
    QString next() { return words_.isEmpty() ? QString() : words_.takeFirst(); }
    /// Takes the next word where it is this one.
    bool take(QLatin1String word);
    /// All before this word, or to the end.
    QStringList until(QLatin1String word);
    /// Takes the next word where it is one.
    std::optional<double> number();
    std::optional<std::int64_t> integer();

private:
    QStringList words_;
};

} // namespace weft::ui
